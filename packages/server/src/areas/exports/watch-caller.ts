import { isAllowed } from '@tripline/model/access/permission'
import type { Permission } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import type { Clock } from '@tripline/common/runtime'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../../limits.ts'

type CallerDeps = { readonly state: Pick<StateStore, 'tenants' | 'apiKeys' | 'users' | 'sessions'>; readonly clock: Pick<Clock, 'now'> }

/** What a long answer watches. */
type WatchedCaller = {
  /** Aborts once the key or session that began the answer has ended. */
  readonly signal: AbortSignal
  readonly stop: () => void
}

/**
 * Watches whether a caller may still go on, twice a second: an answer that takes minutes must not outlive its key, its session
 * or the permission that it needs.
 */
export function watchCaller(deps: CallerDeps, caller: Principal, permission: Permission): WatchedCaller {
  const ended = new AbortController()
  const begunAt = deps.clock.now()
  let isChecking = false
  const check = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      if (await mayGoOn(deps, caller, { permission, begunAt })) return
      ended.abort(new Error('the key or session that began this answer has ended, or lost the permission'))
    } catch (error) {
      // A caller that cannot be checked is refused, as at the begin of a request.
      ended.abort(error)
    } finally {
      isChecking = false
    }
  }
  const timer = setInterval(() => void check(), limits.exports.callerCheckMs).unref()
  return { signal: ended.signal, stop: () => clearInterval(timer) }
}

type Watched = { readonly permission: Permission; readonly begunAt: number }

async function mayGoOn(
  { state, clock }: CallerDeps, { tenant, actor, sessionId }: Principal, { permission, begunAt }: Watched,
): Promise<boolean> {
  if ((await state.tenants.get(tenant))?.isActive !== true) return false
  if (actor.type === 'api_key') {
    const key = await state.apiKeys.get(tenant, actor.id)
    if (key === undefined || key.revokedAt !== undefined || !isAllowed([key.scope], permission)) return false
    return key.expiresAt === undefined || clock.now() < key.expiresAt
  }
  if (actor.type !== 'user') return true
  const user = await state.users.get(tenant, actor.id)
  if (user?.isActive !== true || !isAllowed(user.roles, permission)) return false
  // Tokens of an external issuer have no session; a logout refuses those that were issued before it.
  if (sessionId === undefined) return (user.tokensValidFrom ?? 0) <= begunAt
  const session = await state.sessions.get(tenant, sessionId)
  return session !== undefined && session.revokedAt === undefined
}
