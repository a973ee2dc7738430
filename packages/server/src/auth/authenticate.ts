import { decodeJwt } from 'jose'
import { resolveSettings } from '../domain/tenant-settings.ts'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import { hasTokenFormat, verifyAccessToken } from './access-token.ts'
import type { Issuer } from './access-token.ts'
import type { ExternalIssuer, LoadRoleMapping } from './external-issuer.ts'
import type { Sessions, Tenants, Users } from './ports.ts'
import type { TokenCache } from './token-cache.ts'
import { unauthorized } from './token-principal.ts'
import type { TokenPrincipal } from './token-principal.ts'

/** What it takes to know who asks. */
export type Authentication = {
  /** A function, because keys are rotated while requests come. */
  readonly issuer: () => Issuer
  readonly externalIssuer: ExternalIssuer | undefined
  readonly tenants: Tenants
  readonly users: Users
  readonly sessions: Sessions
  readonly cache: TokenCache
  readonly io: Pick<Runtime, 'now' | 'elapsedMs'>
}

/**
 * Tells who holds a token. It counts as long as its tenant is active, and one of ours as long as its session and its
 * user stand, and the user has the rights that it was issued with; they are asked again after `limits.auth.standingMs`,
 * so what is revoked anywhere is refused everywhere within five seconds, and at once where the cache is told.
 *
 * @throws AppError UNAUTHORIZED, the same for whatever is wrong.
 */
export async function authenticate(authentication: Authentication, token: unknown): Promise<TokenPrincipal> {
  const { cache, io } = authentication
  if (!hasTokenFormat(token)) throw unauthorized()
  const known = cache.get(token, io.now())
  // Taken before the store is asked: what it answers may be as old as that.
  const askedAtMs = io.elapsedMs()
  if (known !== undefined && askedAtMs - known.checkedAtMs < limits.auth.standingMs) return known.identity
  // Which roles a foreign token stands for may have changed, and which keys its issuer has.
  const isOwn = known?.identity.session !== undefined
  const identity = isOwn ? known.identity : await verifyToken(authentication, token)
  if (!await isStillValid(authentication, identity)) {
    cache.forget(token)
    throw unauthorized()
  }
  cache.set(token, { identity, checkedAtMs: askedAtMs })
  return identity
}

/**
 * Whether a token that was good still is: not ended, not revoked, of a tenant that is active. For connections that stay open.
 */
export async function isStillValid({ tenants, users, sessions, io }: Authentication, identity: TokenPrincipal): Promise<boolean> {
  const nowMs = io.now()
  if (nowMs >= identity.expiresAt + limits.auth.clockSkewMs) return false
  const [tenant, session, user] = await Promise.all([
    tenants.get(identity.tenant),
    identity.session && sessions.get(identity.tenant, identity.session.id),
    identity.session && users.get(identity.tenant, identity.subject),
  ])
  if (tenant?.isActive !== true) return false
  if (identity.session === undefined) return true
  return session !== undefined && session.revokedAt === undefined && session.userId === identity.subject &&
    user !== undefined && user.isActive && user.permissionsVersion === identity.session.permissionsVersion
}

/** What a token says of its issuer chooses who looks at it, and nothing else: both check it again. */
function verifyToken({ issuer, externalIssuer, tenants, io }: Authentication, token: string): Promise<TokenPrincipal> {
  const mappingOf: LoadRoleMapping = async (tenant) => resolveSettings((await tenants.get(tenant)) ?? { settings: {} }).roleMapping
  const isExternal = externalIssuer !== undefined && readIssuer(token) === externalIssuer.name
  return isExternal ? externalIssuer.verify(token, io.now(), mappingOf) : verifyAccessToken(issuer(), token, io.now())
}

function readIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss
  } catch {
    // Not a token at all, so nobody's; the verification that follows says so.
    return undefined
  }
}
