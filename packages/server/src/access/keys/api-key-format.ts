import { crc32 } from 'node:zlib'

/**
 * The text of an API key: `tk_`, a public id of eight characters, `_`, 32 secret bytes in base64url, and a checksum of six
 * characters. The checksum lets secret scanners recognize keys and lets us refuse a mistyped one without a store lookup.
 */
export function printApiKey(publicId: string, secret: Uint8Array): string {
  const text = `tk_${publicId}_${Buffer.from(secret).toString('base64url')}`
  return `${text}${computeChecksum(text)}`
}

const checksumLength = 6
const apiKeyLength = 61
const apiKey = /^tk_([0-9a-z]{8})_[\w-]{43}[0-9A-Za-z]{6}$/

/** Parses the public id of a key; undefined if the text is not a key. */
export function parsePublicId(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length !== apiKeyLength) return undefined
  const [, publicId] = apiKey.exec(text) ?? []
  return computeChecksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength) ? publicId : undefined
}

/** Encodes five bytes as a public id: base 32 without ambiguous letters, so that it can be read aloud. */
export function printPublicId(bytes: Uint8Array): string {
  return encodeDigits(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), { alphabet: '0123456789abcdefghjkmnpqrstvwxyz', length: 8 })
}

/** Lengths of the random parts of a key. */
export const publicIdBytes = 5
export const secretBytes = 32

/** CRC-32 in base 62, in six digits, as other issuers of keys use it. */
function computeChecksum(text: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  return encodeDigits(BigInt(crc32(text)), { alphabet, length: checksumLength })
}

function encodeDigits(value: bigint, { alphabet, length }: { readonly alphabet: string; readonly length: number }): string {
  const base = BigInt(alphabet.length)
  let text = ''
  for (let rest = value; text.length < length; rest /= base) text = alphabet.charAt(Number(rest % base)) + text
  return text
}
