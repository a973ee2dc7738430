/** Bytes that are not those that were written. */
export class CorruptionError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'CorruptionError'
  }
}

/** Reads what a `ByteWriter` wrote. Reading beyond the end is corruption. */
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
    return this.#bytes[this.#advance(1)]!
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4))
  }

  f64(): number {
    return this.#bytes.readDoubleLE(this.#advance(8))
  }

  varint(): number {
    // Nearly all are short.
    const first = this.#bytes[this.#at]
    if (first !== undefined && first < 0x80) {
      this.#at++
      return first
    }
    let value = 0
    for (let unit = 1; ; unit *= 0x80) {
      if (unit > 2 ** 49) throw new CorruptionError('a varint has too many bytes')
      const byte = this.u8()
      if (byte < 0x80) return value + byte * unit
      value += (byte - 0x80) * unit
    }
  }

  /** Fills an array with varints: in one loop without calls, because columns have thousands, and with integers where they are short. */
  varints(into: Float64Array): void {
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < into.length; i++) {
      // A byte behind the end is undefined, which counts as 0 and ends a number.
      let byte = bytes[at++]! | 0
      let value = byte & 0x7f
      for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
        byte = bytes[at++]! | 0
        value |= (byte & 0x7f) << shift
      }
      into[i] = value
      if (byte < 0x80) continue
      let long = value
      for (let unit = 2 ** 28; byte >= 0x80; unit *= 0x80) {
        if (unit > 2 ** 49) throw new CorruptionError('a varint has too many bytes')
        byte = bytes[at++]! | 0
        long += (byte & 0x7f) * unit
      }
      into[i] = long
    }
    this.#advance(at - this.#at)
  }

  bytes(count: number): Buffer {
    const start = this.#advance(count)
    return this.#bytes.subarray(start, start + count)
  }

  #advance(count: number): number {
    if (count > this.left) throw new CorruptionError(`${count} bytes were expected where ${this.left} are left`)
    const start = this.#at
    this.#at += count
    return start
  }
}
