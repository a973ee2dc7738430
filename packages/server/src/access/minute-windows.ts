import type { RateDecision } from './rate-limiter.ts'

/** What a request counts against: a name, and how many requests a minute allows it. */
type CountedKey = { readonly name: string; readonly limit: number }

const windowMs = 60_000

/**
 * Fixed-window rate limiter: counts requests by name in each whole minute of UTC, so that every client knows when its window
 * ends. Twice the limit may pass at the boundary of two windows. A request is allowed only under every limit; a refused one
 * counts against none. Counting is synchronous, so it is exact however many requests come at once.
 *
 * Beyond `namesMax` names, all further ones of a minute share one count, which bounds memory.
 */
export class MinuteWindows {
  readonly #namesMax: number
  #window = 0
  #counts = new Map<string, number>()

  constructor({ namesMax }: { readonly namesMax: number }) {
    this.#namesMax = namesMax
  }

  /** Counts a request at an instant of the wall clock. A clock that is set back stays in the window that it was in. */
  consume(keys: readonly CountedKey[], nowMs: number): RateDecision {
    const window = Math.floor(nowMs / windowMs)
    if (window > this.#window) {
      this.#window = window
      this.#counts = new Map()
    }
    const counted = keys.map(({ name, limit }) => ({ name: this.#toCountedName(name), limit }))
    const isAllowed = counted.every(({ name, limit }) => this.#get(name) < limit)
    if (isAllowed) for (const { name } of counted) this.#counts.set(name, this.#get(name) + 1)
    const views = counted.map(({ name, limit }) => ({ limit, remaining: Math.max(0, limit - this.#get(name)) }))
    const nearest = views.reduce((near, view) => (view.remaining < near.remaining ? view : near))
    const resetsAt = (this.#window + 1) * windowMs
    return { isAllowed, ...nearest, resetMs: resetsAt - nowMs, resetsAt }
  }

  #toCountedName(name: string): string {
    return this.#counts.has(name) || this.#counts.size < this.#namesMax ? name : 'others'
  }

  #get(name: string): number {
    return this.#counts.get(name) ?? 0
  }
}
