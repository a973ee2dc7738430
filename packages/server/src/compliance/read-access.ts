import type { Readings } from '@tripline/compliance/signals/snapshot'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'

/** Milliseconds without a session after which a user is dormant. */
const dormantMs = 90 * 86_400_000

/**
 * Counts how users and keys reach the platform. A user is strong with a second factor or a login elsewhere; whether those who
 * log in elsewhere are dormant is not known here.
 */
export async function readAccess(
  { users, accounts, sessions, apiKeys }: Pick<StateStore, 'accounts' | 'apiKeys' | 'sessions' | 'users'>, tenant: TenantId, at: number,
): Promise<Readings['access']> {
  let [count, strong, dormant] = [0, 0, 0]
  for (const { id, email, isActive, externalIssuer, createdAt } of await users.list(tenant)) {
    if (!isActive) continue
    count++
    if (externalIssuer !== undefined) {
      strong++
      continue
    }
    if ((await accounts.find(email))?.totpSecret !== undefined) strong++
    const lastAt = Math.max(createdAt, ...(await sessions.list(tenant, id)).map(({ refreshedAt }) => refreshedAt))
    if (lastAt < at - dormantMs) dormant++
  }
  const keys = await apiKeys.list(tenant)
  const isExpired = (expiresAt: number | undefined) => expiresAt !== undefined && expiresAt <= at
  const expiredKeys = keys.filter(({ revokedAt, expiresAt }) => revokedAt === undefined && isExpired(expiresAt)).length
  return { users: count, strong, dormant, expiredKeys }
}
