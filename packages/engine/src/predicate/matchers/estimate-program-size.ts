import { limits } from '../../limits.ts'
import { regexToken } from './regex-length.ts'

/** The instructions of a group beside its content. */
const groupSize = 2

/** A bound that keeps nested repetitions from overflowing. */
const sizeMax = 1e12

/**
 * Estimates the instructions of a regular expression without compiling it, in one pass: one for each token, and for a
 * counted repetition as many copies of what it repeats. Mostly an upper bound, because RE2 factors common prefixes out. An
 * expression that is too long to be read counts as its length.
 */
export function estimateProgramSize(source: string): number {
  if (source.length > limits.regexLengthMax) return source.length
  /** The sizes of the open groups, and of the last part of each, which a repetition repeats. */
  const groups = [{ size: 0, last: 0 }]
  for (const [token] of source.matchAll(regexToken)) {
    const group = groups.at(-1)!
    if (token === '(') groups.push({ size: 0, last: 0 })
    else if (token === ')' && groups.length > 1) {
      groups.pop()
      addPart(groups.at(-1)!, group.size + groupSize)
    } else if (isCounted(token)) {
      const copies = countCopies(token)
      group.size = Math.min(sizeMax, group.size + group.last * (copies - 1) + copies)
      group.last = Math.min(sizeMax, group.last * copies + copies)
    } else if (token === '*' || token === '+' || token === '?') {
      group.size++
      group.last++
    } else addPart(group, 1)
  }
  return groups.reduce((sum, { size }) => sum + size, 0)
}

function addPart(group: { size: number; last: number }, size: number): void {
  group.size = Math.min(sizeMax, group.size + size)
  group.last = size
}

function isCounted(token: string): boolean {
  return token.length > 1 && token.startsWith('{')
}

/** The copies that `{n}`, `{n,}` or `{n,m}` compiles to; at least one, also for `{0}`. */
function countCopies(token: string): number {
  const [from = '', to = ''] = token.slice(1, -1).split(',')
  return Math.max(1, Number(from) + (token.includes(',') && to === '' ? 1 : 0), Number(to))
}
