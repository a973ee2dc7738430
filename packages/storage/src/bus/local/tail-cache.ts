import type { RecordPosition } from '../../log/write-ahead-log.ts'

/**
 * A cache of the last records of a topic, by file and position: consumers that keep up with the topic, as those of a
 * running server do, open no file. It holds durable records and evicts the oldest beyond a number of bytes.
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

  /** The record at a position of a file; undefined when it is not cached. */
  get(fileNumber: number, position: number): Buffer | undefined {
    return this.#records.get(keyOf(fileNumber, position))
  }
}

function keyOf(fileNumber: number, position: number): string {
  return `${fileNumber} ${position}`
}
