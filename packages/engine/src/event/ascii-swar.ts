import { textEncoder } from './text-encoder.ts'

/** Characters of the longest text that is laid out. Longer ones are few, and their length is no time to save. */
const lengthMax = 65_536

const bytes = new Uint8Array(lengthMax)
const words = new Int32Array(bytes.buffer)
const isLittleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1

/**
 * The characters of an ASCII text, four to a word with the first in the lowest bits, without those that fill no
 * word; undefined for other texts, and where the platform does not help. Good until the next call.
 *
 * Reading words is four times as fast as reading characters, laying them out included, from some 64 on.
 */
export function packAsciiWords(text: string): Int32Array | undefined {
  if (textEncoder === undefined || !isLittleEndian || text.length > lengthMax) return undefined
  const { read, written } = textEncoder.encodeInto(text, bytes)
  return read === text.length && written === text.length ? words : undefined
}
