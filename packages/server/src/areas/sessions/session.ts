import type { Clock } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Account } from '@tripline/model/access/account'
import type { Principal } from '@tripline/model/access/principal'
import type { Session, SessionClient } from '@tripline/model/access/session'
import type { User } from '@tripline/model/access/user'
import { anonymous } from '@tripline/model/audit'
import { onlyTenant } from '@tripline/model/tenant'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { notFound } from '@tripline/state/ports/version-conflict'
import { login } from '../../access/login/login.ts'
import type { Credentials } from '../../access/login/login.ts'
import { closeSession, getSessionEnd, isOpen, logout, readSessionPolicy, refreshSession } from '../../access/login/session.ts'
import type { TokenPair } from '../../access/login/session.ts'
import { readSessionClient } from '../../access/login/session-client.ts'
import type { AuthService } from '../../access/open-auth.ts'
import { toJwks } from '../../access/tokens/signing-keys.ts'
import type { PublicJwk } from '../../access/tokens/signing-keys.ts'
import { describeAuditFailure } from '../../audit/audit-aggregator.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'

export type { Credentials, TokenPair }

type IdentityDeps = Pick<SessionUseCaseDeps, 'identity'>

/** What sessions need of the server. */
export type SessionUseCaseDeps = OutcomeDeps & {
  readonly state: StateStore
  readonly identity: AuthService
  readonly metrics: { readonly monitor: { failedLogins: number } }
  readonly clock: Clock
}

/**
 * Logs a user in and records it in the audit trail. A failed login is recorded later, because a write that only happens for
 * existing accounts would reveal them by timing.
 */
export async function logIn(deps: SessionUseCaseDeps, credentials: Credentials, circumstances: RequestInfo): Promise<TokenPair> {
  const known: FailedLogin = { account: undefined, isPasswordRight: false }
  const onAccount: Credentials['onAccount'] = (account, check) => {
    known.account = account
    known.isPasswordRight = check === 'password_right'
  }
  const pair = await login(deps.identity, { ...credentials, onAccount }).catch((error: unknown) => {
    if (isWrongCredentialsError(error)) deps.metrics.monitor.failedLogins++
    recordFailedLogin(deps, known, { error, circumstances, wanted: credentials.tenant })
    throw error
  })
  await recordAudit(deps.state, toPrincipal(pair, circumstances), {
    at: deps.clock.now(), action: 'session.login', target: { type: 'user', id: pair.user.id },
  })
  return pair
}

/** Exchanges a refresh token for a new token pair. @throws AppError UNAUTHORIZED. */
export function refresh(deps: IdentityDeps, refreshToken: unknown, circumstances: RequestInfo): Promise<TokenPair> {
  return refreshSession(deps.identity, refreshToken, readSessionClient(circumstances))
}

/** Ends the session of a refresh token; an invalid one has no effect. */
export function logOut(deps: IdentityDeps, refreshToken: unknown): Promise<void> {
  return logout(deps.identity, refreshToken)
}

/** An open session of the user. */
export type OwnSession = Pick<Session, 'id' | 'createdAt' | 'refreshedAt'> & {
  readonly endsAt: number
  /** Empty where it is not known. */
  readonly client: SessionClient
  /** Whether the request belongs to it. */
  readonly isCurrent: boolean
}

/** Lists the user's own open sessions, newest first. */
export async function listOwnSessions(
  deps: Pick<SessionUseCaseDeps, 'state' | 'clock'>, { tenant, actor, sessionId }: Principal,
): Promise<readonly OwnSession[]> {
  const nowMs = deps.clock.now()
  const policy = await readSessionPolicy(deps.state, tenant)
  const open = (await deps.state.sessions.list(tenant, actor.id)).filter((session) => isOpen(session, nowMs, policy))
  return open.reverse().map((session) => {
    const { id, createdAt, refreshedAt, client = {} } = session
    return { id, createdAt, refreshedAt, endsAt: getSessionEnd(session, policy), client, isCurrent: id === sessionId }
  })
}

/** Ends one of the user's own sessions. @throws AppError NOT_FOUND for a session of another user. */
export async function endOwnSession(deps: Omit<SessionUseCaseDeps, 'metrics' | 'trail'>, caller: Principal, id: string): Promise<void> {
  const session = await deps.state.sessions.get(caller.tenant, id)
  if (session === undefined || session.userId !== caller.actor.id) throw notFound('session')
  await closeSession(deps.identity, caller.tenant, id)
  await recordAudit(deps.state, caller, { at: deps.clock.now(), action: 'session.end', target: { type: 'session', id } })
}

/** The authenticated user. @throws AppError NOT_FOUND for a user who was removed meanwhile. */
export async function currentUser(deps: Pick<SessionUseCaseDeps, 'state'>, { tenant, actor }: Principal): Promise<User> {
  const user = await deps.state.users.get(tenant, actor.id)
  if (user === undefined) throw notFound('user')
  return user
}

/** The public keys that verify our tokens. */
export function getPublicKeys(deps: Pick<SessionUseCaseDeps, 'identity' | 'clock'>): { readonly keys: readonly PublicJwk[] } {
  return toJwks(deps.identity.tokens.issuer().keys, deps.clock.now())
}

/** Whether a login failed, rather than lacked a second factor or a new password. */
function isWrongCredentialsError(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAUTHORIZED'
}

/** What a failed login found out. */
type FailedLogin = { account: Account | undefined; isPasswordRight: boolean }

type LoginFailure = { readonly error: unknown; readonly circumstances: RequestInfo; readonly wanted: TenantId | undefined }

/** Records a failed login in the trails of the account's tenants; without an account in that of the first tenant. */
function recordFailedLogin({ trail }: OutcomeDeps, login: FailedLogin, { error, circumstances, wanted }: LoginFailure): void {
  const { outcome } = describeAuditFailure(error)
  const details = { reason: findFailureReason(login, error) }
  const note = { action: 'session.login', outcome, details, circumstances, isClaimed: true } as const
  const memberships = (login.account?.memberships ?? []).filter(({ tenant }) => wanted === undefined || tenant === wanted)
  for (const { tenant, userId } of memberships) {
    trail.note({ ...note, tenant, actor: { type: 'user', id: userId }, target: { type: 'user', id: userId } })
  }
  // An address that is not an account may be a password that was typed in the wrong field.
  if (memberships.length === 0) trail.note({ ...note, tenant: onlyTenant, actor: anonymous, target: { type: 'user', id: 'unknown' } })
}

function findFailureReason({ account, isPasswordRight }: FailedLogin, error: unknown): string {
  const { reason } = describeAuditFailure(error)
  if (error instanceof AppError && typeof error.details?.['needs'] === 'string') return `needs_${error.details['needs']}`
  if (reason !== 'unauthorized') return reason
  if (account === undefined) return 'unknown_account'
  return isPasswordRight ? 'wrong_code' : 'wrong_password'
}

type RequestInfo = Pick<Principal, 'ip' | 'userAgent' | 'requestId'>

function toPrincipal({ tenant, user }: TokenPair, circumstances: RequestInfo): Principal {
  return { ...circumstances, tenant, actor: { type: 'user', id: user.id }, grants: user.roles }
}
