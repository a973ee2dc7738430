/** The formats of exports that the pages offer. */
export type SavedFormat = 'csv' | 'json'

const lineFeed = 0x0a
const quote = 0x22

/** Counts the rows of an export while its bytes arrive, in pieces that may end anywhere. */
export class RowCounter {
  readonly #format: SavedFormat
  #lineCount = 0
  #isQuoted = false
  #last = 0

  constructor(format: SavedFormat) {
    this.#format = format
  }

  /** The whole rows so far. A file of CSV has a header; one of JSON has each row on a line of its own. */
  get count(): number {
    return this.#format === 'csv' ? Math.max(0, this.#lineCount - 1) : this.#lineCount
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#format === 'csv') {
        // A quote within a cell is doubled, so it ends and begins at once.
        if (byte === quote) this.#isQuoted = !this.#isQuoted
        else if (byte === lineFeed && !this.#isQuoted) this.#lineCount++
      } else if (this.#last === lineFeed && byte !== lineFeed) {
        this.#lineCount++
      }
      this.#last = byte
    }
  }
}
