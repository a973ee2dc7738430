import { createHmac } from 'node:crypto'

/** Milliseconds for which a code of an authenticator app is shown. */
export const stepMs = 30_000
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of a time step, as an authenticator app computes it (RFC 6238). */
export function computeCode(secret: string, step: number): string {
  const bits = Array.from(secret, (letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', key).update(counter).digest()
  const value = hash.readUInt32BE(hash[hash.length - 1]! & 15) & 0x7fffffff
  return String(value % 1_000_000).padStart(6, '0')
}
