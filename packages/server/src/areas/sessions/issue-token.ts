import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { openSession } from '../../access/login/session.ts'
import type { AuthService } from '../../access/open-auth.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'

/** An access token of a user, and when it expires. */
type IssuedToken = { readonly text: string; readonly expiresAt: number }

/**
 * Issues an access token for a user to the operator of the server, as a login would but without password or refresh token.
 * It belongs to a session, so revoking the user's sessions revokes it.
 *
 * @throws AppError NOT_FOUND for an unknown user; CONFLICT for a disabled user or tenant.
 */
export async function issueToken(
  { state, clock, identity }: Omit<AdminDeps, 'identity'> & { readonly identity: AuthService }, caller: Principal, email: string,
): Promise<IssuedToken> {
  const { tenant } = caller
  return await state.transaction(async (stores) => {
    const user = requireFound(await stores.users.findByEmail(tenant, email), 'user')
    const isTenantActive = (await stores.tenants.get(tenant))?.isActive === true
    if (!isTenantActive || !user.isActive) {
      throw new AppError('CONFLICT', 'the user or the tenant is disabled; enable it first')
    }
    const at = clock.now()
    const { accessToken } = await openSession({ ...identity, state: stores }, tenant, user)
    await recordAudit(stores, caller, { at, action: 'session.issue_token', target: { type: 'user', id: user.id } })
    // Tokens have times in whole seconds.
    return { text: accessToken, expiresAt: Math.floor(at / 1_000) * 1_000 + limits.auth.accessTokenMs }
  })
}
