/** Writes numbers and texts one after the other into bytes that grow. */
export class SnapshotWriter {
  #bytes = new Uint8Array(1_024)
  #view = new DataView(this.#bytes.buffer)
  #end = 0

  get length(): number {
    return this.#end
  }

  /** Hands over a copy of what was written since the last time. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#end)
    this.#end = 0
    return taken
  }

  byte(value: number): void {
    const at = this.#make(1)
    this.#view.setUint8(at, value)
  }

  /** A whole number from 0 to 2^32 - 1. */
  count(value: number): void {
    const at = this.#make(4)
    this.#view.setUint32(at, value)
  }

  number(value: number): void {
    const at = this.#make(8)
    this.#view.setFloat64(at, value)
  }

  /** A text as its UTF-16 units, one byte each where they fit, so that even half characters stay what they are. */
  text(value: string): void {
    let isWide = false
    for (let unit = 0; unit < value.length && !isWide; unit++) isWide = value.charCodeAt(unit) > 255
    this.count(value.length)
    this.byte(Number(isWide))
    const at = this.#make(isWide ? 2 * value.length : value.length)
    for (let unit = 0; unit < value.length; unit++) {
      if (isWide) this.#view.setUint16(at + 2 * unit, value.charCodeAt(unit))
      else this.#bytes[at + unit] = value.charCodeAt(unit)
    }
  }

  /** Makes room and answers where it begins. */
  #make(size: number): number {
    const at = this.#end
    this.#end += size
    if (this.#end > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(this.#end, 2 * this.#bytes.length))
      bytes.set(this.#bytes.subarray(0, at))
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer)
    }
    return at
  }
}
