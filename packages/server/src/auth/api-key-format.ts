import { crc32 } from 'node:zlib'

/**
 * The text of an API key (D-78): `tk_`, eight characters that may be shown, `_`, 32 secret bytes in base64url, and
 * six characters of a checksum. The checksum lets a scanner of code tell a key from what looks like one, and lets
 * us refuse a mistyped one without asking a store.
 */
export function printApiKey(publicId: string, secret: Uint8Array): string {
  const text = `tk_${publicId}_${Buffer.from(secret).toString('base64url')}`
  return `${text}${computeChecksum(text)}`
}

/** The public id of a key, or undefined for what is none. */
export function parsePublicId(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length !== apiKeyLength) return undefined
  const [, publicId] = apiKey.exec(text) ?? []
  return computeChecksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength) ? publicId : undefined
}

/** Makes a public id of five bytes: base 32 without letters that look alike, so that it can be read out. */
export function printPublicId(bytes: Uint8Array): string {
  return encodeDigits(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), { alphabet: '0123456789abcdefghjkmnpqrstvwxyz', length: 8 })
}

/** Bytes of what keys are made of. */
export const publicIdBytes = 5
export const secretBytes = 32

const checksumLength = 6
const apiKeyLength = 61
const apiKey = /^tk_([0-9a-z]{8})_[\w-]{43}[0-9A-Za-z]{6}$/

/** CRC-32 in base 62, as other makers of keys have it: six digits are enough for it. */
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
