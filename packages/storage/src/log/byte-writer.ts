/** A growing byte buffer; numbers are little-endian. */
export class ByteWriter {
  #bytes: Buffer
  #length = 0

  /** `byteCount` is what will probably be written: while it suffices, no byte is copied again. */
  constructor(byteCount = 256) {
    this.#bytes = Buffer.allocUnsafe(byteCount)
  }

  get length(): number {
    return this.#length
  }

  u8(value: number): void {
    this.#need(1)
    this.#bytes[this.#length++] = value
  }

  u32(value: number): void {
    this.#need(4)
    this.#length = this.#bytes.writeUInt32LE(value, this.#length)
  }

  f64(value: number): void {
    this.#need(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  /** Writes a whole number from 0 to 2^53 as a varint (LEB128) of 1 to 8 bytes. */
  varint(value: number): void {
    this.#need(8)
    while (value >= 0x80) {
      this.#bytes[this.#length++] = (value % 0x80) + 0x80
      value = Math.floor(value / 0x80)
    }
    this.#bytes[this.#length++] = value
  }

  bytes(bytes: Uint8Array): void {
    this.#need(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  latin1(text: string): void {
    this.#need(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  /** The written bytes; valid until the next write. */
  done(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #need(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
