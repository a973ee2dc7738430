const lineFeed = 0x0a

/** A line of a buffer from `start` to `end`, without its line feed. */
type LineRange = { readonly start: number; readonly end: number }

/** Splits a buffer into lines; the rest after the last line feed is a line unless it is empty. */
export function* splitLines(bytes: Uint8Array): Generator<LineRange> {
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    yield { start, end }
    start = end + 1
  }
  if (start < bytes.length) yield { start, end: bytes.length }
}
