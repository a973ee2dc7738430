import type { RecordPosition } from '../records/write-ahead-log.ts'

/**
 * The last records of a topic as they are on disk, by where they begin: consumers that keep up with it, as those of a
 * server do, open no file. It holds records that are safe, and forgets the oldest beyond a number of bytes.
 */
export class TailCache {
  readonly #bytesMax: number
  readonly #records = new Map<string, Buffer>()
  #byteCount = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add({ fileNumber, start }: RecordPosition, bytes: Buffer): void {
    this.#records.set(keyOf(fileNumber, start), bytes)
    this.#byteCount += bytes.length
    for (const [key, { length }] of this.#records) {
      if (this.#byteCount <= this.#bytesMax) return
      this.#records.delete(key)
      this.#byteCount -= length
    }
  }

  /** The record that begins at a place of a file; undefined where it is not among the last. */
  get(fileNumber: number, position: number): Buffer | undefined {
    return this.#records.get(keyOf(fileNumber, position))
  }
}

function keyOf(fileNumber: number, position: number): string {
  return `${fileNumber} ${position}`
}
