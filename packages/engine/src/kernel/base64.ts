const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes valid, padded Base64: ECMAScript alone has no function for it. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const length = text.length / 4 * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  const bytes = new Uint8Array(length)
  for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
    const digits = text.slice(from, from + 4).replaceAll('=', 'A')
    const [a = 0, b = 0, c = 0, d = 0] = Array.from(digits, (digit) => alphabet.indexOf(digit))
    bytes.set([(a << 2) | (b >> 4), (b << 4) | (c >> 2), (c << 6) | d].slice(0, length - to), to)
  }
  return bytes
}
