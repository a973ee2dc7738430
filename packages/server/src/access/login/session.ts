import type { Runtime } from '@tripline/common/runtime'
import type { Session, SessionClient } from '@tripline/model/access/session'
import type { TokenClaims } from '@tripline/model/access/role-mapping'
import type { User } from '@tripline/model/access/user'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { Sessions, Tenants, Users } from '@tripline/state/ports/access-stores'
import { limits } from '../../limits.ts'
import { issueAccessToken } from '../tokens/access-token.ts'
import type { Issuer } from '../tokens/access-token.ts'
import { parseRefreshToken, printRefreshToken } from '../tokens/refresh-token.ts'
import type { RefreshTokenPayload } from '../tokens/refresh-token.ts'
import type { TokenCache } from '../tokens/token-cache.ts'
import { unauthorized } from '../tokens/token-principal.ts'

/** How the tokens of sessions are signed, and which were verified lately. */
export type SessionTokens = {
  /** A function, because keys are rotated at runtime. */
  readonly issuer: () => Issuer
  /** The server's secret of 32 bytes that signs refresh tokens. */
  readonly refreshSecret: Uint8Array
  readonly cache: TokenCache
}

/** The parts of the state that decide whether a session is valid. */
export type SessionStores = { readonly tenants: Tenants; readonly users: Users; readonly sessions: Sessions }

/** Dependencies of sessions. */
export type SessionDeps = {
  readonly tokens: SessionTokens
  readonly state: SessionStores
  readonly io: Pick<Runtime, 'now' | 'randomBytes'>
}

/** An access token, and the refresh token for the next pair. */
export type TokenPair = {
  readonly accessToken: string
  readonly expiresInSeconds: number
  readonly refreshToken: string
  /** Expiry of the refresh token if it is not used. */
  readonly refreshUntil: number
  readonly tenant: TenantId
  readonly user: User
  /** Those of the session. */
  readonly claims: TokenClaims | undefined
}

/** Where a session comes from, unless from a login of this moment by password. */
type SessionOrigin = {
  /** Those of the identity provider that authenticated the user. */
  readonly claims?: TokenClaims
  /** When the login was that it goes on from. */
  readonly createdAt?: number
  readonly client?: SessionClient
}

/** Opens a session for an authenticated user. */
export async function openSession(
  deps: SessionDeps, tenant: TenantId, user: User, { claims, createdAt, client }: SessionOrigin = {},
): Promise<TokenPair> {
  const nowMs = deps.io.now()
  const id = createUuidV7(nowMs, deps.io.randomBytes)
  const session: Session = {
    id, userId: user.id, createdAt: createdAt ?? nowMs, refreshedAt: nowMs, generation: 1, revokedAt: undefined,
    ...(claims && { claims }), ...(client && { client }),
  }
  await deps.state.sessions.insert(tenant, session)
  return issueTokenPair(deps, tenant, { session, user })
}

/**
 * Exchanges a refresh token for the next pair, with reuse detection: a token that was used before may be stolen, so its
 * session is revoked. The same happens to two concurrent requests with one token.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem.
 */
export async function refreshSession(deps: SessionDeps, token: unknown, client?: SessionClient): Promise<TokenPair> {
  const ticket = parseRefreshToken(deps.tokens.refreshSecret, token)
  if (ticket === undefined) throw unauthorized()
  const { tenant, sessionId, generation } = ticket
  const session = await deps.state.sessions.get(tenant, sessionId)
  const nowMs = deps.io.now()
  if (session === undefined || !isOpen(session, nowMs, await readSessionPolicy(deps.state, tenant))) throw unauthorized()
  if (session.generation !== generation) return rejectReuse(deps, ticket)
  const { tenants, users } = deps.state
  const [{ isActive = false } = {}, user] = await Promise.all([tenants.get(tenant), users.get(tenant, session.userId)])
  if (!isActive || user === undefined || !user.isActive) throw unauthorized()
  const isOurs = await deps.state.sessions.advance(tenant, sessionId, { from: generation, refreshedAt: nowMs, ...(client && { client }) })
  if (!isOurs) return rejectReuse(deps, ticket)
  return issueTokenPair(deps, tenant, { session: { ...session, generation: generation + 1, refreshedAt: nowMs }, user })
}

/** The open session of a refresh token that was not used yet. */
export async function findSession(
  deps: SessionDeps, token: unknown,
): Promise<{ readonly tenant: TenantId; readonly session: Session } | undefined> {
  const ticket = parseRefreshToken(deps.tokens.refreshSecret, token)
  if (ticket === undefined) return undefined
  const { tenant, sessionId, generation } = ticket
  const session = await deps.state.sessions.get(tenant, sessionId)
  if (session?.generation !== generation) return undefined
  return isOpen(session, deps.io.now(), await readSessionPolicy(deps.state, tenant)) ? { tenant, session } : undefined
}

/**
 * Closes a session: its refresh token is refused from now on, its access tokens here at once and in other processes within 5
 * s.
 */
export async function closeSession(deps: SessionDeps, tenant: TenantId, sessionId: string): Promise<void> {
  await deps.state.sessions.revoke(tenant, sessionId, deps.io.now())
  deps.tokens.cache.revoke(tenant, { sessionId })
}

/** Closes the session of a refresh token, used or not; an invalid token has no effect. */
export async function logout(deps: SessionDeps, token: unknown): Promise<void> {
  const ticket = parseRefreshToken(deps.tokens.refreshSecret, token)
  if (ticket !== undefined) await closeSession(deps, ticket.tenant, ticket.sessionId)
}

async function rejectReuse(deps: SessionDeps, { tenant, sessionId }: RefreshTokenPayload): Promise<never> {
  await closeSession(deps, tenant, sessionId)
  throw unauthorized()
}

/** How long the sessions of a tenant last: unused, and in total. */
type SessionPolicy = { readonly idleMs: number; readonly lifetimeMs: number }

/** The policy of a tenant; a change counts from the next refresh of each session. */
export async function readSessionPolicy({ tenants }: Pick<SessionStores, 'tenants'>, tenant: TenantId): Promise<SessionPolicy> {
  const { sessionIdleMinutes, sessionLifetimeHours } = resolveSettings((await tenants.get(tenant)) ?? { settings: {} })
  return { idleMs: sessionIdleMinutes * 60_000, lifetimeMs: sessionLifetimeHours * 3_600_000 }
}

/** Whether a session can still be refreshed. */
export function isOpen(session: Session, nowMs: number, policy: SessionPolicy): boolean {
  return session.revokedAt === undefined && nowMs < getSessionEnd(session, policy)
}

/** Twelve hours after its last refresh, at most seven days after its start, unless the tenant's policy is shorter. */
export function getSessionEnd({ createdAt, refreshedAt }: Session, { idleMs, lifetimeMs }: SessionPolicy): number {
  return Math.min(
    refreshedAt + Math.min(idleMs, limits.auth.sessionIdleMs), createdAt + Math.min(lifetimeMs, limits.auth.sessionLifetimeMs),
  )
}

type SessionWithUser = { readonly session: Session; readonly user: User }

async function issueTokenPair(deps: SessionDeps, tenant: TenantId, { session, user }: SessionWithUser): Promise<TokenPair> {
  const holder = {
    tenant, subject: user.id, roles: user.roles, session: { id: session.id, permissionsVersion: user.permissionsVersion },
  }
  return {
    accessToken: await issueAccessToken(deps.tokens.issuer(), holder, deps.io),
    expiresInSeconds: limits.auth.accessTokenMs / 1_000,
    refreshToken: printRefreshToken(deps.tokens.refreshSecret, { tenant, sessionId: session.id, generation: session.generation }),
    refreshUntil: getSessionEnd(session, await readSessionPolicy(deps.state, tenant)),
    tenant,
    user,
    claims: session.claims,
  }
}
