import type { Principal } from '@tripline/model/access/principal'
import type { User } from '@tripline/model/access/user'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import type { AdminDeps } from './admin-deps.ts'

/** A user whose sessions were revoked. */
type RevokedUser = { readonly tenant: TenantId; readonly userId: string }

/**
 * Revokes the sessions of an account in every tenant, in the caller's transaction; call `revokeCachedTokens` with the result
 * after it commits.
 */
export async function revokeSessions(
  { accounts, users, sessions }: Pick<Stores, 'accounts' | 'users' | 'sessions'>, email: string, at: number,
): Promise<readonly RevokedUser[]> {
  const ended: RevokedUser[] = []
  for (const tenant of await accounts.tenantsOf(email)) {
    const user = await users.findByEmail(tenant, email)
    if (user === undefined) continue
    await sessions.revokeAll(tenant, user.id, at)
    ended.push({ tenant, userId: user.id })
  }
  return ended
}

/** Revokes cached tokens at once in this process; other processes notice within five seconds. */
export function revokeCachedTokens({ identity }: Pick<AdminDeps, 'identity'>, ended: readonly RevokedUser[]): void {
  for (const { tenant, userId } of ended) identity.tokens.cache.revoke(tenant, { subject: userId })
}

/**
 * Ends all sessions of a user, and refuses the tokens that an external issuer has issued so far. `check` refuses users whom
 * the principal may not log out.
 *
 * @throws AppError NOT_FOUND, and as `check` does.
 */
export async function endAllSessions(
  { state, identity, clock }: Omit<AdminDeps, 'randomBytes'>, caller: Principal, id: string, check: (user: User) => void = () => undefined,
): Promise<void> {
  const at = clock.now()
  await state.transaction(async (stores) => {
    const user = requireFound(await stores.users.get(caller.tenant, id), 'user')
    check(user)
    await stores.sessions.revokeAll(caller.tenant, id, at)
    if (user.externalIssuer !== undefined) {
      await stores.users.update(caller.tenant, id, { tokensValidFrom: at }, { expectedVersion: undefined, at })
    }
    await recordAudit(stores, caller, { at, action: 'user.log_out', target: { type: 'user', id } })
  })
  identity.tokens.cache.revoke(caller.tenant, { subject: id })
}
