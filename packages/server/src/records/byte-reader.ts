/** Bytes that are not what was written. */
export class DamageError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'DamageError'
  }
}

/** Reads what a `ByteWriter` wrote. Whatever would reach over the end is damage. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4))
  }

  f64(): number {
    return this.#bytes.readDoubleLE(this.#take(8))
  }

  varint(): number {
    let value = 0
    for (let unit = 1; ; unit *= 0x80) {
      if (unit > 2 ** 49) throw new DamageError('a number has too many bytes')
      const byte = this.u8()
      if (byte < 0x80) return value + byte * unit
      value += (byte - 0x80) * unit
    }
  }

  bytes(count: number): Buffer {
    const start = this.#take(count)
    return this.#bytes.subarray(start, start + count)
  }

  #take(count: number): number {
    if (count > this.left) throw new DamageError(`${count} bytes are read where ${this.left} are left`)
    const start = this.#at
    this.#at += count
    return start
  }
}
