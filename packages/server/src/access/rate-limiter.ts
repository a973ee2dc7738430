import { AppError } from '@tripline/contract/app-error'
import { limits } from '../limits.ts'
import { SlidingWindowLog } from './rate-window.ts'
import type { WindowBounds } from './rate-window.ts'

/** A key that a request counts against, with its kind. */
type RateKey<Kind extends string> = { readonly kind: Kind; readonly key: string }

/** Whether a request is allowed, and the nearest limit for the response headers. */
export type RateDecision = {
  readonly isAllowed: boolean
  /** Requests per window, and how many remain. */
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until `remaining` grows; 0 if nothing is counted. */
  readonly resetMs: number
  /** The instant at which a fixed window ends: the headers are built after the count, and both must name the same window. */
  readonly resetsAt?: number
}

/**
 * Limits requests by several kinds of keys, such as user and tenant. A request is allowed only under every limit; a refused
 * one counts against none, so one limit does not consume another.
 */
export class RateLimiter<Kind extends string> {
  readonly #windowsByKind: ReadonlyMap<Kind, SlidingWindowLog>

  constructor(bounds: readonly (WindowBounds & { readonly kind: Kind })[]) {
    this.#windowsByKind = new Map(bounds.map((bound) => [bound.kind, new SlidingWindowLog(bound)]))
  }

  /** Counts a request at a time of a monotonic clock. */
  consume(counted: readonly RateKey<Kind>[], elapsedMs: number): RateDecision {
    const isAllowed = this.#peek(counted, elapsedMs).every(({ remaining }) => remaining > 0)
    if (isAllowed) for (const { kind, key } of counted) this.#windows(kind).add(key, elapsedMs)
    const views = this.#peek(counted, elapsedMs)
    // The nearest limit has the fewest requests left; of those without any, the one that resets last.
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

/** Creates the rate limiter of the console API. User ids are unique per tenant: the caller's key contains both. */
export function createConsoleLimiter(): RateLimiter<'user' | 'tenant'> {
  const { windowMs, countedMax: keysMax, userRequestsMax, tenantRequestsMax } = limits.rate
  return new RateLimiter([
    { kind: 'user', requestsMax: userRequestsMax, windowMs, keysMax },
    { kind: 'tenant', requestsMax: tenantRequestsMax, windowMs, keysMax },
  ])
}

/** A request over its rate limit; response headers are built from `decision`. */
export class RateLimitedError extends AppError {
  readonly decision: RateDecision

  constructor(decision: RateDecision) {
    const seconds = getRetryAfterSeconds(decision)
    super('RATE_LIMITED', `${decision.limit} requests per window are allowed; retry in ${seconds} s`)
    this.decision = decision
  }
}

const minuteMs = 60_000

/**
 * The rate limit headers of a response: `X-RateLimit-Reset` is the first full minute in UTC at which more requests are allowed
 * than now, as a Unix second, the same for all users; a refusal has the exact `Retry-After` in seconds. Both are rounded up, so
 * that a client that obeys them is not refused.
 */
export function buildRateHeaders(decision: RateDecision, nowMs: number): { readonly [name: string]: string } {
  const { isAllowed, limit, remaining, resetMs, resetsAt = nowMs + resetMs } = decision
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetsAt / minuteMs) * (minuteMs / 1_000)),
    ...(isAllowed ? {} : { 'Retry-After': String(getRetryAfterSeconds(decision)) }),
  }
}

function getRetryAfterSeconds({ resetMs }: RateDecision): number {
  return Math.max(1, Math.ceil(resetMs / 1_000))
}
