import { textEncoder } from './text-encoder.ts'

/** Characters of the longest text to pack; longer texts are rare. */
const lengthMax = 65_536

const bytes = new Uint8Array(lengthMax)
const words = new Int32Array(bytes.buffer)
const isLittleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1

/**
 * SWAR (SIMD within a register): packs an ASCII text four characters to a 32-bit word, the first in the lowest bits,
 * without the characters after the last full word. Undefined for other texts, and on platforms without
 * `TextEncoder`. The result is valid until the next call.
 *
 * From about 64 characters, reading words is four times as fast as reading characters, packing included.
 */
export function packAsciiWords(text: string): Int32Array | undefined {
  if (textEncoder === undefined || !isLittleEndian || text.length > lengthMax) return undefined
  const { read, written } = textEncoder.encodeInto(text, bytes)
  return read === text.length && written === text.length ? words : undefined
}
