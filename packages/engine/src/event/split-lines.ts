const lineFeed = 0x0a

/** A line of a buffer: from `start` to `end`, its line feed left out. */
export type LineRange = { readonly start: number; readonly end: number }

/** The lines of a buffer; what stands after the last line feed is one too, unless it is empty. */
export function* splitLines(bytes: Uint8Array): Generator<LineRange> {
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    yield { start, end }
    start = end + 1
  }
  if (start < bytes.length) yield { start, end: bytes.length }
}
