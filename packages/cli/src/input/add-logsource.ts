import { usageError } from '../framework/command-error.ts'

const keys = ['product', 'category', 'service']
const openBrace = 0x7b
const lineFeed = 0x0a

/**
 * Makes a function that adds a log source to each event of NDJSON, before its own members: a `_logsource` that the event
 * declares itself comes later and counts.
 *
 * @throws ExitError (2) for a text that is no log source.
 */
export function createLogsourceAdder(text: string): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  const member = Buffer.from(`{"_logsource":${JSON.stringify(parseLogsourceOption(text))}`)
  return (chunks) => addMember(chunks, member)
}

/**
 * Reads `product=linux,service=sshd`.
 *
 * @throws ExitError (2) for a text that is no log source.
 */
export function parseLogsourceOption(text: string): { readonly [key: string]: string } {
  const entries = text.split(',').map((part) => part.split('='))
  if (!entries.every(([key = '', value = '', ...rest]) => keys.includes(key.trim()) && value.trim() !== '' && rest.length === 0)) {
    throw usageError(`option '--logsource' is '${text}'; it takes pairs of product, category and service: product=linux,service=sshd`)
  }
  return Object.fromEntries(entries.map(([key = '', value = '']) => [key.trim(), value.trim()]))
}

async function* addMember(chunks: AsyncIterable<Buffer>, member: Buffer): AsyncGenerator<Buffer> {
  // Whether the next byte that is no blank begins a line; whether a brace was just opened, whose next byte decides about a comma.
  let isAtStart = true
  let isOpened = false
  for await (const chunk of chunks) {
    const parts: Buffer[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk[at]!
      if (isOpened && code > 0x20) {
        parts.push(chunk.subarray(start, at), Buffer.from(code === 0x7d ? '' : ','))
        start = at
        isOpened = false
      }
      if (isAtStart && code === openBrace) {
        parts.push(chunk.subarray(start, at), member)
        start = at + 1
        isAtStart = false
        isOpened = true
      } else if (isAtStart && code > 0x20) isAtStart = false
      if (!isAtStart && !isOpened) {
        const end = chunk.indexOf(lineFeed, at)
        if (end === -1) break
        at = end
        isAtStart = true
      } else if (code === lineFeed) {
        isAtStart = true
        isOpened = false
      }
    }
    parts.push(chunk.subarray(start))
    yield Buffer.concat(parts)
  }
}
