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

/** Watches whether a caller may still go on, twice a second: an answer that takes minutes must not outlive its key. */
export function watchCaller(deps: CallerDeps, caller: Principal): WatchedCaller {
  const ended = new AbortController()
  let isChecking = false
  const check = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      if (!(await mayGoOn(deps, caller))) ended.abort(new Error('the key or session that began this answer has ended'))
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

async function mayGoOn({ state, clock }: CallerDeps, { tenant, actor, sessionId }: Principal): Promise<boolean> {
  if ((await state.tenants.get(tenant))?.isActive !== true) return false
  if (actor.type === 'api_key') {
    const key = await state.apiKeys.get(tenant, actor.id)
    return key !== undefined && key.revokedAt === undefined && (key.expiresAt === undefined || clock.now() < key.expiresAt)
  }
  if (actor.type !== 'user') return true
  if ((await state.users.get(tenant, actor.id))?.isActive !== true) return false
  if (sessionId === undefined) return true
  const session = await state.sessions.get(tenant, sessionId)
  return session !== undefined && session.revokedAt === undefined
}
