import { decodeJwt } from 'jose'
import { limits } from '../limits.ts'
import { resolveSettings } from '../model/tenant-settings.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { ExternalUsers, Sessions, Tenants, Users } from './ports.ts'
import { hasTokenFormat, verifyAccessToken } from './tokens/access-token.ts'
import type { Issuer } from './tokens/access-token.ts'
import type { ExternalIssuer, LoadRoleMapping } from './tokens/external-issuer.ts'
import type { TokenCache } from './tokens/token-cache.ts'
import { unauthorized } from './tokens/token-principal.ts'
import type { TokenPrincipal } from './tokens/token-principal.ts'

/** Dependencies of token authentication. */
export type Authentication = {
  /** A function, because keys are rotated at runtime. */
  readonly issuer: () => Issuer
  readonly externalIssuer: ExternalIssuer | undefined
  readonly tenants: Tenants
  readonly users: Users
  readonly externalUsers: ExternalUsers
  readonly sessions: Sessions
  readonly cache: TokenCache
  readonly io: Pick<Runtime, 'now' | 'elapsedMs'>
}

/**
 * Authenticates a token: its tenant must be active, and for our own tokens also session and user, with the permissions that
 * it was issued with. These are checked again after `limits.auth.standingMs`, so a revocation takes effect everywhere within
 * five seconds, and at once where the cache is invalidated.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem.
 */
export async function authenticate(authentication: Authentication, token: unknown): Promise<TokenPrincipal> {
  const { cache, io } = authentication
  if (!hasTokenFormat(token)) throw unauthorized()
  const known = cache.get(token, io.now())
  // Read before the store, whose result may be as old as this.
  const askedAtMs = io.elapsedMs()
  if (known !== undefined && askedAtMs - known.checkedAtMs < limits.auth.standingMs) return known.identity
  // The role mapping of an external token, and its issuer's keys, may have changed.
  const isOwn = known?.identity.session !== undefined
  const identity = isOwn ? known.identity : await verifyToken(authentication, token)
  if (!await isStillValid(authentication, identity)) {
    cache.forget(token)
    throw unauthorized()
  }
  cache.set(token, { identity, checkedAtMs: askedAtMs })
  return identity
}

/** Whether a verified token is still valid: not expired or revoked, and its tenant active. For connections that stay open. */
export async function isStillValid({ tenants, users, sessions, io }: Authentication, identity: TokenPrincipal): Promise<boolean> {
  const nowMs = io.now()
  if (nowMs >= identity.expiresAt + limits.auth.clockSkewMs) return false
  const [tenant, session, user] = await Promise.all([
    tenants.get(identity.tenant),
    identity.session && sessions.get(identity.tenant, identity.session.id),
    users.get(identity.tenant, identity.subject),
  ])
  if (tenant?.isActive !== true) return false
  if (identity.session === undefined) {
    const { issuedAt = 0 } = identity
    return user !== undefined && user.isActive && issuedAt >= (user.tokensValidFrom ?? 0)
  }
  return session !== undefined && session.revokedAt === undefined && session.userId === identity.subject &&
    user !== undefined && user.isActive && user.permissionsVersion === identity.session.permissionsVersion
}

/** The unverified issuer claim only selects the verifier, which checks it again. */
async function verifyToken(
  { issuer, externalIssuer, externalUsers, tenants, io }: Authentication, token: string,
): Promise<TokenPrincipal> {
  const mappingOf: LoadRoleMapping = async (tenant) => resolveSettings((await tenants.get(tenant)) ?? { settings: {} }).roleMapping
  if (externalIssuer === undefined || readIssuer(token) !== externalIssuer.name) return verifyAccessToken(issuer(), token, io.now())
  const { profile, ...principal } = await externalIssuer.verify(token, io.now(), mappingOf)
  const { id } = await externalUsers.provision(externalIssuer.name, { ...principal, profile })
  return { ...principal, subject: id }
}

function readIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss
  } catch {
    // Not a token; the verification that follows reports it.
    return undefined
  }
}
