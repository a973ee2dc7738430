import { limits } from '../../limits.ts'
import { LineCollector } from '../event-decoder.ts'
import type { EventDecoder } from '../event-decoder.ts'

/** What a line of text is: an event, nothing such as a header, or a problem. */
export type TextLine = { readonly event: object } | { readonly problem: string } | undefined

/** What is reported of a line over the limit. */
export const tooLong: { readonly problem: string } = { problem: `longer than ${limits.files.eventBytesMax.toLocaleString('en')} bytes` }

/** Makes a decoder of a function that reads one line; a new one for each file, as formats have headers. */
export function decodeLines(openReader: (readAt: number) => (line: string) => TextLine): EventDecoder {
  return async function* (chunks, report, readAt) {
    const lines = new LineCollector(report)
    const readLine = openReader(readAt)
    for await (const line of splitTextLines(chunks)) {
      const read = line === undefined ? tooLong : readLine(line)
      if (read === undefined) lines.addBlank()
      else if ('event' in read) lines.addJson(JSON.stringify(read.event))
      else lines.addProblem(read.problem)
      if (lines.isFull) yield lines.take()
    }
    yield lines.take()
  }
}

const lineFeed = 0x0a

/** Splits bytes into lines of text without their ends; undefined stands for a line over the limit. */
export async function* splitTextLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  const { eventBytesMax } = limits.files
  let parts: Buffer[] = []
  let length = 0
  const print = (last: Buffer): string | undefined => {
    const isTooLong = length + last.length > eventBytesMax
    const line = isTooLong ? undefined : Buffer.concat([...parts, last]).toString('utf8').replace(/\r$/, '')
    parts = []
    length = 0
    return line
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield print(chunk.subarray(start, end))
      start = end + 1
    }
    const rest = chunk.subarray(start)
    length += rest.length
    if (length > eventBytesMax) parts = []
    else if (rest.length > 0) parts.push(Buffer.from(rest))
  }
  if (length > 0) yield print(Buffer.alloc(0))
}
