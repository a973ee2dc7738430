/** A growable byte buffer for layouts with words and bits at offsets. Words have 32 bits and are little-endian. */
export class LayoutBuilder {
  #bytes: Uint8Array
  #view: DataView
  #size: number

  /** Starts with `size` zero bytes. */
  constructor(size: number) {
    this.#bytes = new Uint8Array(2 * size)
    this.#view = new DataView(this.#bytes.buffer)
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  /** Appends `size` zero bytes at an offset that is a multiple of 4, and returns the offset. */
  add(size: number): number {
    const offset = (this.#size + 3) & ~3
    this.#size = offset + size
    if (this.#size > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#size)
      grown.set(this.#bytes)
      this.#bytes = grown
      this.#view = new DataView(grown.buffer)
    }
    return offset
  }

  setWord(offset: number, word: number): void {
    this.#view.setUint32(offset, word, true)
  }

  /** Sets a bit of a bitmap at an offset. */
  setBit(offset: number, bit: number): void {
    this.#bytes[offset + (bit >>> 3)]! |= 1 << (bit & 7)
  }

  setBytes(offset: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, offset)
  }

  /** Writes text that is ASCII. */
  setText(offset: number, text: string): void {
    for (let at = 0; at < text.length; at++) this.#bytes[offset + at] = text.charCodeAt(at)
  }
}
