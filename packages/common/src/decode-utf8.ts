/** The part of `TextDecoder` in use. Browsers, workers and Node have it, but it is not part of ECMAScript. */
type Decoder = { readonly decode: (bytes: Uint8Array) => string }
type DecoderClass = new (encoding: string, options: { readonly ignoreBOM: boolean }) => Decoder

const { TextDecoder } = globalThis as { readonly TextDecoder?: DecoderClass }
const platform = TextDecoder === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true })

const replacement = 0xfffd
/** Arguments per call, which the stack limits. */
const unitsMax = 4_096

/** Decodes UTF-8 as the WHATWG Encoding standard: invalid bytes become U+FFFD. Keeps a byte order mark. */
export const decodeUtf8: (bytes: Uint8Array) => string =
  platform === undefined ? decodeUtf8Portably : (bytes) => platform.decode(bytes)

/** Decodes UTF-8 without `TextDecoder`. */
export function decodeUtf8Portably(bytes: Uint8Array): string {
  let text = ''
  let units: number[] = []
  for (let at = 0; at < bytes.length;) {
    const { point, length } = decodeCodePoint(bytes, at)
    at += length
    if (point > 0xffff) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + (point & 0x3ff))
    else units.push(point)
    if (units.length < unitsMax) continue
    text += String.fromCharCode(...units)
    units = []
  }
  return text + String.fromCharCode(...units)
}

/** Returns how many bytes follow a lead byte, and the range of the first of them (Unicode, table 3-7). */
function readLeadByte(byte: number): { readonly more: number; readonly low: number; readonly high: number } | undefined {
  if (byte >= 0xc2 && byte <= 0xdf) return { more: 1, low: 0x80, high: 0xbf }
  if (byte >= 0xe0 && byte <= 0xef) return { more: 2, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf }
  if (byte >= 0xf0 && byte <= 0xf4) return { more: 3, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf }
  return undefined
}

/** Decodes the character at an offset, or U+FFFD for the longest valid prefix of one. */
function decodeCodePoint(bytes: Uint8Array, at: number): { readonly point: number; readonly length: number } {
  const first = bytes[at]!
  if (first < 0x80) return { point: first, length: 1 }
  const lead = readLeadByte(first)
  if (lead === undefined) return { point: replacement, length: 1 }
  let point = first & (0x3f >> lead.more)
  for (let i = 1; i <= lead.more; i++) {
    const byte = bytes[at + i]
    const low = i === 1 ? lead.low : 0x80
    const high = i === 1 ? lead.high : 0xbf
    if (byte === undefined || byte < low || byte > high) return { point: replacement, length: i }
    point = (point << 6) | (byte & 0x3f)
  }
  return { point, length: lead.more + 1 }
}
