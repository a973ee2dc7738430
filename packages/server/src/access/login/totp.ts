import { createHmac } from 'node:crypto'
import { isConstantTimeEqual } from '../constant-time-equal.ts'

const stepMs = 30_000

/**
 * Finds the time step of a TOTP code (RFC 6238: six digits, 30 seconds, SHA-1); undefined if it is wrong. The previous and
 * next steps are accepted too, for clock differences.
 */
export function findTotpStep(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / stepMs)
  return [now, now - 1, now + 1].find((step) => isConstantTimeEqual(computeTotpCode(secret, step), code))
}

/** Computes the code of a time step. */
export function computeTotpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = hash.readUInt8(hash.length - 1) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
