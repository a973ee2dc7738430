import { openSession } from '../auth/session.ts'
import { AppError } from '../domain/app-error.ts'
import type { Principal } from '../domain/principal.ts'
import { limits } from '../limits.ts'
import type { AdminApp } from './admin-app.ts'
import type { AuthService } from './open-auth.ts'
import { recordAudit } from './record-audit.ts'
import { requireFound } from './version-conflict.ts'

/** A token of a user, and when it ends. */
export type IssuedToken = { readonly text: string; readonly expiresAt: number }

/**
 * Gives whoever runs the server an access token of a user, as a login would, without the password and without a token to
 * refresh it. It is of a session, so what ends the user's sessions ends it too.
 *
 * @throws AppError NOT_FOUND for no such user; CONFLICT for one whom nobody lets in.
 */
export async function issueToken(
  { state, clock, identity }: Omit<AdminApp, 'identity'> & { readonly identity: AuthService }, caller: Principal, email: string,
): Promise<IssuedToken> {
  const { tenant } = caller
  return await state.transaction(async (stores) => {
    const user = requireFound(await stores.users.findByEmail(tenant, email), 'user')
    const isTenantActive = (await stores.tenants.get(tenant))?.isActive === true
    if (!isTenantActive || !user.isActive) {
      throw new AppError('CONFLICT', 'the user or the tenant is disabled; enable it first')
    }
    const at = clock.now()
    const { accessToken } = await openSession({ ...identity, sessions: stores.sessions }, tenant, user)
    await recordAudit(stores, caller, { at, action: 'session.issue_token', target: { type: 'user', id: user.id } })
    // Tokens count in whole seconds.
    return { text: accessToken, expiresAt: Math.floor(at / 1_000) * 1_000 + limits.auth.accessTokenMs }
  })
}
