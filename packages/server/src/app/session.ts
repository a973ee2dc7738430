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
 * Logs somebody in, which the trail of the tenant tells. A login that is refused is in the log alone: an entry that is
 * written for accounts that are there would tell by its time which are.
 */
export async function logIn(app: App, credentials: Credentials, circumstances: RequestInfo): Promise<TokenPair> {
  const pair = await login(app.identity, credentials)
  await recordAudit(app.state, toPrincipal(pair, circumstances), {
    at: app.clock.now(), action: 'session.login', target: { type: 'user', id: pair.user.id },
  })
  return pair
}

/** Takes a refresh token for the next pair. @throws AppError UNAUTHORIZED. */
export function refresh(app: App, refreshToken: unknown): Promise<TokenPair> {
  return refreshSession(app.identity, refreshToken)
}

/** Ends the session of a refresh token; one that is not ours ends nothing. */
export function logOut(app: App, refreshToken: unknown): Promise<void> {
  return logout(app.identity, refreshToken)
}

/** The user who asks. @throws AppError NOT_FOUND for one of an external issuer, who is no user of ours. */
export async function currentUser(app: App, { tenant, actor }: Principal): Promise<User> {
  const user = await app.state.users.get(tenant, actor.id)
  if (user === undefined) throw new AppError('NOT_FOUND', 'the token was issued by an external issuer; this server has no account for it')
  return user
}

/** The public keys that tokens of ours are verified with. */
export function getPublicKeys(app: App): { readonly keys: readonly PublicJwk[] } {
  return toJwks(app.identity.issuer().keys, app.clock.now())
}

type RequestInfo = Pick<Principal, 'ip' | 'userAgent' | 'requestId'>

function toPrincipal({ tenant, user }: TokenPair, circumstances: RequestInfo): Principal {
  return { ...circumstances, tenant, actor: { type: 'user', id: user.id }, grants: user.roles }
}
