import type { TenantId } from '../../model/tenant.ts'
import type { Stores } from '../../state/ports/state-store.ts'
import type { AdminApp } from './admin-app.ts'

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
export function revokeCachedTokens({ identity }: Pick<AdminApp, 'identity'>, ended: readonly RevokedUser[]): void {
  for (const { tenant, userId } of ended) identity.cache.revoke(tenant, { subject: userId })
}
