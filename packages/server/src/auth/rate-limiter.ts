import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'
import { SlidingWindowLog } from './rate-window.ts'
import type { WindowBounds } from './rate-window.ts'

/** What is counted of a request: a kind of the limiter's, and who it is of that kind. */
export type RateKey<Kind extends string> = { readonly kind: Kind; readonly key: string }

/** Whether a request may go on, and what its headers say: of the limit that is nearest. */
export type RateDecision = {
  readonly isAllowed: boolean
  /** Requests of a window, and how many more may come now. */
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until more may come than now, 0 where nothing is counted. */
  readonly resetMs: number
}

/**
 * Counts requests of several kinds, such as of a user and of its tenant. A request is allowed only if it is under
 * every limit, and one that is not counts nowhere: whoever is refused by one limit does not eat up another.
 */
export class RateLimiter<Kind extends string> {
  readonly #windowsByKind: ReadonlyMap<Kind, SlidingWindowLog>

  constructor(bounds: readonly (WindowBounds & { readonly kind: Kind })[]) {
    this.#windowsByKind = new Map(bounds.map((bound) => [bound.kind, new SlidingWindowLog(bound)]))
  }

  /** Takes a request at this instant of a clock that never goes back. */
  consume(counted: readonly RateKey<Kind>[], elapsedMs: number): RateDecision {
    const isAllowed = this.#peek(counted, elapsedMs).every(({ remaining }) => remaining > 0)
    if (isAllowed) for (const { kind, key } of counted) this.#windows(kind).add(key, elapsedMs)
    const views = this.#peek(counted, elapsedMs)
    // The nearest limit has the fewest left; among those that have none, the one that takes longest.
    const [first, ...others] = views
    if (first === undefined) throw new Error('a request that is limited is counted as something')
    const nearest = others.reduce((near, view) => {
      const isNearer = view.remaining < near.remaining || (view.remaining === near.remaining && view.resetMs > near.resetMs)
      return isNearer ? view : near
    }, first)
    return { isAllowed, ...nearest }
  }

  #peek(counted: readonly RateKey<Kind>[], elapsedMs: number): Omit<RateDecision, 'isAllowed'>[] {
    return counted.map(({ kind, key }) => {
      const windows = this.#windows(kind)
      const { count, oldestEndsInMs } = windows.peek(key, elapsedMs)
      return { limit: windows.requestsMax, remaining: windows.requestsMax - count, resetMs: oldestEndsInMs }
    })
  }

  #windows(kind: Kind): SlidingWindowLog {
    const windows = this.#windowsByKind.get(kind)
    if (windows === undefined) throw new Error(`nothing counts '${kind}'`)
    return windows
  }
}

/** The limits of the console's API (D-29). A user is one of a tenant: the caller makes a key of both. */
export function createConsoleLimiter(): RateLimiter<'user' | 'tenant'> {
  const { windowMs, countedMax: keysMax, userRequestsMax, tenantRequestsMax } = limits.rate
  return new RateLimiter([
    { kind: 'user', requestsMax: userRequestsMax, windowMs, keysMax },
    { kind: 'tenant', requestsMax: tenantRequestsMax, windowMs, keysMax },
  ])
}

/** Refuses a request that came too soon; the answer's headers are made of `decision`. */
export class RateLimitedError extends AppError {
  readonly decision: RateDecision

  constructor(decision: RateDecision) {
    const seconds = getRetryAfterSeconds(decision)
    super('RATE_LIMITED', `${decision.limit} requests per window are allowed; retry in ${seconds} s`)
    this.decision = decision
  }
}

/**
 * The headers of an answer (D-29, D-81): `X-RateLimit-Reset` is the second of Unix time by which `remaining` has
 * grown, and a refusal says with `Retry-After` when a request would be allowed. Both are rounded up, so that
 * whoever keeps to them is not refused.
 */
export function buildRateHeaders(decision: RateDecision, nowMs: number): { readonly [name: string]: string } {
  const { isAllowed, limit, remaining, resetMs } = decision
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil((nowMs + resetMs) / 1_000)),
    ...(isAllowed ? {} : { 'Retry-After': String(getRetryAfterSeconds(decision)) }),
  }
}

function getRetryAfterSeconds({ resetMs }: RateDecision): number {
  return Math.max(1, Math.ceil(resetMs / 1_000))
}
