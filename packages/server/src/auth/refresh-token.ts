import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'

/** What a refresh token stands for: one generation of a session. */
export type RefreshTokenPayload = { readonly tenant: TenantId; readonly sessionId: string; readonly generation: number }

/**
 * Prints a ticket, after a mark by which logs know it, with a code of authentication under the installation's
 * secret. So a token that was used before is told from one that was made up, and no store holds what a thief could
 * present.
 */
export function printRefreshToken(secret: Uint8Array, { tenant, sessionId, generation }: RefreshTokenPayload): string {
  const ticket = Buffer.from(JSON.stringify([tenant, sessionId, generation])).toString('base64url')
  return `rt_${ticket}.${computeMac(secret, ticket).toString('base64url')}`
}

/** The ticket of a token that we printed; undefined for everything else. */
export function parseRefreshToken(secret: Uint8Array, token: unknown): RefreshTokenPayload | undefined {
  if (typeof token !== 'string' || token.length > limits.auth.refreshTokenLengthMax) return undefined
  const [, ticket, code] = /^rt_([\w-]+)\.([\w-]{43})$/.exec(token) ?? []
  if (ticket === undefined || code === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(code, 'base64url'), computeMac(secret, ticket))) return undefined
  // Its code says that it is ours, and so of our shape.
  const [tenant, sessionId, generation]: [string, string, number] = JSON.parse(Buffer.from(ticket, 'base64url').toString('utf8'))
  return { tenant, sessionId, generation }
}

/** The first word tells these codes from any other that the secret may be used for. */
function computeMac(secret: Uint8Array, ticket: string): Buffer {
  return createHmac('sha256', secret).update(`refresh ${ticket}`).digest()
}
