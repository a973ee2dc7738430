import { splitPairs, toEvent } from '../../split-pairs.ts'
import { decodeLines } from './read-lines.ts'
import type { TextLine } from './read-lines.ts'

/** Decodes lines of pairs, such as logfmt and the logs of many firewalls; words beside the pairs stay in `message`. */
export const decodeLogfmt = decodeLines(() => readLine)

function readLine(line: string): TextLine {
  if (line.trim() === '') return undefined
  const { pairs, words } = splitPairs(line)
  if (pairs.length === 0) return { problem: 'the line has no key=value' }
  const event = toEvent(pairs)
  const [first = ''] = words
  const isDated = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(first)
  return {
    event: {
      ...event,
      ...(isDated && !Object.hasOwn(event, '@timestamp') && { '@timestamp': first }),
      ...(words.length > (isDated ? 1 : 0) && !Object.hasOwn(event, 'message') && { message: line }),
    },
  }
}
