import { textEncoder } from './text-encoder.ts'

/** Encodes UTF-8; without `TextEncoder` too, which is not part of ECMAScript: the engine runs without a platform. */
export function encodeUtf8(text: string): Uint8Array {
  return textEncoder === undefined ? encodeUtf8Portably(text) : textEncoder.encode(text)
}

function encodeUtf8Portably(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text.toWellFormed()) {
    const point = character.codePointAt(0)!
    if (point < 0x80) bytes.push(point)
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63))
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63))
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63))
  }
  return Uint8Array.from(bytes)
}
