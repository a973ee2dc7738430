const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 without padding, as authenticator apps expect (RFC 4648). */
export function printBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((held >> (bits - 5)) & 31)
  }
  return bits === 0 ? text : text + alphabet.charAt((held << (5 - bits)) & 31)
}

/** Decodes base32, case-insensitive; undefined for anything else. */
export function parseBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of text.toUpperCase()) {
    const digit = alphabet.indexOf(letter)
    if (digit === -1) return undefined
    held = ((held << 5) | digit) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  return Uint8Array.from(bytes)
}
