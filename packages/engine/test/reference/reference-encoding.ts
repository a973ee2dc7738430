/** Encodings of the reference evaluator. */

/** Encodes a text in UTF-16, one character per byte. */
export function utf16Bytes(text: string, isBigEndian: boolean): string {
  let bytes = ''
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const low = String.fromCharCode(unit % 256)
    const high = String.fromCharCode(Math.floor(unit / 256))
    bytes += isBigEndian ? high + low : low + high
  }
  return bytes
}

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const digits = sextets(bits(bytes))
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=')
}

/**
 * Returns the Base64 digits that any data with these bytes contains, for each offset modulo 3: those whose six bits all
 * belong to the bytes. Omits empty variants.
 */
export function encodeBase64Offsets(bytes: Uint8Array): string[] {
  return [0, 8, 16].map((offset) => {
    const own = bits(bytes)
    const firstDigit = Math.ceil(offset / 6)
    const digitCount = Math.floor((offset + own.length) / 6) - firstDigit
    const start = firstDigit * 6 - offset
    return sextets(own.slice(start, start + Math.max(digitCount, 0) * 6))
  }).filter((variant) => variant !== '')
}

function bits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
}

function sextets(binary: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const groups = binary.match(/.{1,6}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(6, '0'), 2)]).join('')
}
