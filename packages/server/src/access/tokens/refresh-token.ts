import type { TenantId } from '@tripline/model/tenant'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '../../limits.ts'

/** The payload of a refresh token: one generation of a session. */
export type RefreshTokenPayload = { readonly tenant: TenantId; readonly sessionId: string; readonly generation: number }

/**
 * Encodes a refresh token with an HMAC under the server's secret. So a reused token can be told from a forged one, and the
 * store contains nothing that a thief could present.
 */
export function printRefreshToken(secret: Uint8Array, { tenant, sessionId, generation }: RefreshTokenPayload): string {
  const ticket = Buffer.from(JSON.stringify([tenant, sessionId, generation])).toString('base64url')
  return `rt_${ticket}.${computeMac(secret, ticket).toString('base64url')}`
}

/** Decodes and verifies a refresh token; undefined for anything else. */
export function parseRefreshToken(secret: Uint8Array, token: unknown): RefreshTokenPayload | undefined {
  if (typeof token !== 'string' || token.length > limits.auth.refreshTokenLengthMax) return undefined
  const [, ticket, code] = /^rt_([\w-]+)\.([\w-]{43})$/.exec(token) ?? []
  if (ticket === undefined || code === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(code, 'base64url'), computeMac(secret, ticket))) return undefined
  // The HMAC proves that we encoded it.
  const [tenant, sessionId, generation]: [string, string, number] = JSON.parse(Buffer.from(ticket, 'base64url').toString('utf8'))
  return { tenant, sessionId, generation }
}

/** The prefix separates these HMACs from other uses of the secret. */
function computeMac(secret: Uint8Array, ticket: string): Buffer {
  return createHmac('sha256', secret).update(`refresh ${ticket}`).digest()
}
