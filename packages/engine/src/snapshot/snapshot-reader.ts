import { SnapshotError } from './snapshot-error.ts'

/** Reads what a `SnapshotWriter` wrote, in the same order. Throws a `SnapshotError` where the bytes end too early. */
export class SnapshotReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Whether everything was read. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    return this.#view.getUint8(this.#take(1))
  }

  count(): number {
    return this.#view.getUint32(this.#take(4))
  }

  number(): number {
    return this.#view.getFloat64(this.#take(8))
  }

  text(): string {
    const length = this.count()
    const isWide = this.byte() === 1
    const at = this.#take(isWide ? 2 * length : length)
    let text = ''
    for (let unit = 0; unit < length; unit++) {
      text += String.fromCharCode(isWide ? this.#view.getUint16(at + 2 * unit) : this.#bytes[at + unit]!)
    }
    return text
  }

  #take(size: number): number {
    const at = this.#at
    if (at + size > this.#bytes.length) {
      throw new SnapshotError('truncated', `the state ends at byte ${this.#bytes.length}, in the middle of a value`)
    }
    this.#at += size
    return at
  }
}
