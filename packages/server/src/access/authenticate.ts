import type { Runtime } from '@tripline/common/runtime'
import type { TokenClaims } from '@tripline/model/access/role-mapping'
import type { Session } from '@tripline/model/access/session'
import type { User } from '@tripline/model/access/user'
import { resolveSettings } from '@tripline/model/tenant-settings'
import { decodeJwt } from 'jose'
import { limits } from '../limits.ts'
import type { ExternalUsers } from './external-users.ts'
import type { SessionStores, SessionTokens } from './login/session.ts'
import { lacksSecondFactor } from './second-factor.ts'
import type { SecondFactorDeps } from './second-factor.ts'
import { hasTokenFormat, verifyAccessToken } from './tokens/access-token.ts'
import type { ExternalIssuer, LoadRoleMapping } from './tokens/external-issuer.ts'
import { unauthorized } from './tokens/token-principal.ts'
import type { TokenPrincipal } from './tokens/token-principal.ts'

/** Dependencies of token authentication. */
export type Authentication = SecondFactorDeps & {
  readonly tokens: Pick<SessionTokens, 'issuer' | 'cache'>
  readonly state: SessionStores
  readonly externalIssuer: ExternalIssuer | undefined
  readonly externalUsers: ExternalUsers
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
  const { tokens: { cache }, io } = authentication
  if (!hasTokenFormat(token)) throw unauthorized()
  const known = cache.get(token, io.now())
  // Read before the store, whose result may be as old as this.
  const askedAtMs = io.elapsedMs()
  if (known !== undefined && askedAtMs - known.checkedAtMs < limits.auth.standingMs) return known.identity
  // The role mapping of an external token, and its issuer's keys, may have changed.
  const isOwn = known?.identity.session !== undefined
  const identity = isOwn ? known.identity : await verifyToken(authentication, token)
  const { standing, claims } = await checkStanding(authentication, identity)
  if (standing === 'invalid') {
    cache.forget(token)
    throw unauthorized()
  }
  const checked = { ...identity, isRestricted: standing === 'restricted', externalClaims: claims }
  cache.set(token, { identity: checked, checkedAtMs: askedAtMs })
  return checked
}

/** Whether a verified token is still valid and opens more than the own account. For connections that stay open. */
export async function isStillValid(authentication: Authentication, identity: TokenPrincipal): Promise<boolean> {
  return (await checkStanding(authentication, identity)).standing === 'valid'
}

/** `restricted` is a user who must add a second factor first. */
type Standing = 'valid' | 'restricted' | 'invalid'

/** With the claims of the identity provider at which the user logged in: those of the token, or those that the session keeps. */
type CheckedStanding = { readonly standing: Standing; readonly claims: TokenClaims | undefined }

const invalid: CheckedStanding = { standing: 'invalid', claims: undefined }

/** Checks a verified token: not expired or revoked, its tenant active, and a second factor where one is required. */
async function checkStanding(authentication: Authentication, identity: TokenPrincipal): Promise<CheckedStanding> {
  const { state: { tenants, users, sessions }, io } = authentication
  const nowMs = io.now()
  if (nowMs >= identity.expiresAt + limits.auth.clockSkewMs) return invalid
  const [tenant, session, user] = await Promise.all([
    tenants.get(identity.tenant),
    identity.session && sessions.get(identity.tenant, identity.session.id),
    users.get(identity.tenant, identity.subject),
  ])
  if (tenant?.isActive !== true || user === undefined || !user.isActive) return invalid
  if (!isIssuedValidly(identity, { user, session })) return invalid
  const claims = identity.session === undefined ? identity.externalClaims : session?.claims
  return { standing: await lacksSecondFactor(authentication, { tenant, user, claims }) ? 'restricted' : 'valid', claims }
}

type StoredHolder = { readonly user: User; readonly session: Session | undefined }

/** Whether the session of our token is open, or an external token is newer than the user's last logout. */
function isIssuedValidly({ session: own, subject, issuedAt = 0 }: TokenPrincipal, { user, session }: StoredHolder): boolean {
  if (own === undefined) return issuedAt >= (user.tokensValidFrom ?? 0)
  return session !== undefined && session.revokedAt === undefined && session.userId === subject &&
    user.permissionsVersion === own.permissionsVersion
}

/** The unverified issuer claim only selects the verifier, which checks it again. */
async function verifyToken(
  { tokens: { issuer }, state: { tenants }, externalIssuer, externalUsers, io }: Authentication, token: string,
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
