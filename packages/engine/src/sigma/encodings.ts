import { encodeUtf8 } from '../event/encode-utf8.ts'

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The byte order mark that `utf16` adds; as bytes it is FF FE. */
const byteOrderMark = '\ufeff'

/** Encodes UTF-16LE, one character per byte: the modifiers `wide` and `utf16le`. */
export function encodeUtf16Le(text: string): string {
  return mapCodeUnits(text, (unit) => String.fromCharCode(unit & 0xff, unit >> 8))
}

/** Encodes UTF-16BE, one character per byte. */
export function encodeUtf16Be(text: string): string {
  return mapCodeUnits(text, (unit) => String.fromCharCode(unit >> 8, unit & 0xff))
}

/** Encodes UTF-16LE with a byte order mark. */
export function encodeUtf16(text: string): string {
  return byteOrderMark + encodeUtf16Le(text)
}

/** Converts a text to bytes: its characters when they represent bytes, else its UTF-8. */
export function toBytes(text: string, isBytes: boolean): Uint8Array {
  return isBytes ? codeUnitsToBytes(text) : encodeUtf8(text)
}

/** Encodes Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let encoded = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3)
    encoded += base64Alphabet[a >> 2]! + base64Alphabet[((a & 3) << 4) | (b >> 4)]!
    encoded += i + 1 < bytes.length ? base64Alphabet[((b & 15) << 2) | (c >> 6)]! : '='
    encoded += i + 2 < bytes.length ? base64Alphabet[c & 63]! : '='
  }
  return encoded
}

/**
 * Returns the Base64 text that any data with these bytes contains, for each alignment modulo 3. A variant is empty
 * when no character is certain at that alignment.
 */
export function encodeBase64Offsets(bytes: Uint8Array): [string, string, string] {
  const variant = (offset: 0 | 1 | 2): string => {
    const padded = new Uint8Array(offset + bytes.length)
    padded.set(bytes, offset)
    // Drop the characters that carry bits of the bytes before or after.
    const start = [0, 2, 3][offset]!
    const end = Math.floor((padded.length * 8) / 6)
    return encodeBase64(padded).slice(start, Math.max(start, end))
  }
  return [variant(0), variant(1), variant(2)]
}

function mapCodeUnits(text: string, encode: (unit: number) => string): string {
  let encoded = ''
  for (let i = 0; i < text.length; i++) encoded += encode(text.charCodeAt(i))
  return encoded
}

function codeUnitsToBytes(text: string): Uint8Array {
  const bytes: number[] = []
  for (let i = 0; i < text.length; i++) {
    if (text[i] === byteOrderMark) bytes.push(0xff, 0xfe)
    else bytes.push(text.charCodeAt(i) & 0xff)
  }
  return Uint8Array.from(bytes)
}
