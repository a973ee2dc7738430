import { login } from '../auth/login.ts'
import type { Credentials } from '../auth/login.ts'
import { logout, refreshSession } from '../auth/session.ts'
import type { TokenPair } from '../auth/session.ts'
import { toJwks } from '../auth/signing-keys.ts'
import type { PublicJwk } from '../auth/signing-keys.ts'
import { AppError } from '../domain/app-error.ts'
import type { Principal } from '../domain/principal.ts'
import type { User } from '../domain/user.ts'
import type { App } from './app.ts'
import { recordAudit } from './record-audit.ts'

export type { Credentials, TokenPair }

/**
 * Logs a user in and records it in the audit trail. A refused login is only logged: recording it for existing accounts would
 * reveal them by timing.
 */
export async function logIn(app: App, credentials: Credentials, circumstances: RequestInfo): Promise<TokenPair> {
  const pair = await login(app.identity, credentials)
  await recordAudit(app.state, toPrincipal(pair, circumstances), {
    at: app.clock.now(), action: 'session.login', target: { type: 'user', id: pair.user.id },
  })
  return pair
}

/** Exchanges a refresh token for a new token pair. @throws AppError UNAUTHORIZED. */
export function refresh(app: App, refreshToken: unknown): Promise<TokenPair> {
  return refreshSession(app.identity, refreshToken)
}

/** Ends the session of a refresh token; an invalid one has no effect. */
export function logOut(app: App, refreshToken: unknown): Promise<void> {
  return logout(app.identity, refreshToken)
}

/** The authenticated user. @throws AppError NOT_FOUND for a user of an external issuer, who has no account here. */
export async function currentUser(app: App, { tenant, actor }: Principal): Promise<User> {
  const user = await app.state.users.get(tenant, actor.id)
  if (user === undefined) throw new AppError('NOT_FOUND', 'the token was issued by an external issuer; this server has no account for it')
  return user
}

/** The public keys that verify our tokens. */
export function getPublicKeys(app: App): { readonly keys: readonly PublicJwk[] } {
  return toJwks(app.identity.issuer().keys, app.clock.now())
}

type RequestInfo = Pick<Principal, 'ip' | 'userAgent' | 'requestId'>

function toPrincipal({ tenant, user }: TokenPair, circumstances: RequestInfo): Principal {
  return { ...circumstances, tenant, actor: { type: 'user', id: user.id }, grants: user.roles }
}
