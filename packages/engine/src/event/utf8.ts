/** What we use of the `TextDecoder` that browsers, workers and Node have, and the bare language has not. */
type Decoder = { readonly decode: (bytes: Uint8Array) => string }
type DecoderClass = new (encoding: string, options: { readonly ignoreBOM: boolean }) => Decoder

const { TextDecoder } = globalThis as { readonly TextDecoder?: DecoderClass }
const platform = TextDecoder === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true })

const replacement = 0xfffd
/** Arguments of one call: the stack bounds how many there may be. */
const unitsMax = 4_096

/** Decodes UTF-8. Whatever is none becomes U+FFFD, as everywhere on the web; a byte order mark stays. */
export const decodeUtf8: (bytes: Uint8Array) => string =
  platform === undefined ? decodeUtf8Portably : (bytes) => platform.decode(bytes)

/** The same without the platform's help. */
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

/** How many bytes follow a lead byte, and what the first of them may be (Unicode, table 3-7). */
function readLeadByte(byte: number): { readonly more: number; readonly low: number; readonly high: number } | undefined {
  if (byte >= 0xc2 && byte <= 0xdf) return { more: 1, low: 0x80, high: 0xbf }
  if (byte >= 0xe0 && byte <= 0xef) return { more: 2, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf }
  if (byte >= 0xf0 && byte <= 0xf4) return { more: 3, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf }
  return undefined
}

/** The character that begins at a byte, or U+FFFD for the longest beginning of one that stands there. */
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
