import { joinGroupKey } from './correlation/group-key.ts'
import { foldCase } from './event/fold-case.ts'
import { limits } from './limits.ts'

/** A suppression: drops matches that are alike for some time after the first. */
export type Suppression = {
  /** Ids of the rules it applies to; default all. */
  readonly ruleIds?: readonly string[]
  /** Fields whose values make matches of a rule alike; default none, so all matches of a rule are alike. */
  readonly by?: readonly string[]
  /** How long to drop matches that are alike, in milliseconds of event time. */
  readonly windowMs: number
  /** How many matches to let through in that time. Default 1. */
  readonly countMax?: number
}

/** The data of a match that suppressions need. */
type SuppressionMatch = {
  readonly ruleId: string
  /** Event time in milliseconds since the epoch. */
  readonly at: number
  readonly valueOf: (field: string) => string
}

/** The window start and count of matches that are alike. */
type SuppressionCounter = { readonly key: string; readonly since: number; readonly count: number }

/**
 * Suppresses repeated matches, with a fixed window per key that starts at the first match. Keeps the newest
 * `limits.suppressedKeysMax` keys of each suppression.
 */
export class Suppressor {
  readonly #rules: readonly SuppressionRule[]
  #suppressedCount = 0

  /** Throws a RangeError for a window that is not positive or a maximum below 1. */
  constructor(suppressions: readonly Suppression[]) {
    this.#rules = suppressions.map((suppression) => new SuppressionRule(suppression))
  }

  /** Number of suppressed matches. */
  get suppressedCount(): number {
    return this.#suppressedCount
  }

  /** Returns whether a match passes, and counts it if so. */
  admit(match: SuppressionMatch): boolean {
    const orders = this.#rules.filter((order) => order.appliesTo(match.ruleId))
    if (!orders.every((order) => order.isBelowMax(match))) {
      this.#suppressedCount++
      return false
    }
    for (const order of orders) order.count(match)
    return true
  }

  /** Returns the state of each suppression with its definition. */
  save(): { readonly definition: string; readonly keys: readonly SuppressionCounter[] }[] {
    return this.#rules.map(({ definition, keys }) => ({ definition, keys: [...keys] }))
  }

  /** Restores the state of suppressions with equal definitions. */
  load(saved: Iterable<{ readonly definition: string; readonly keys: readonly SuppressionCounter[] }>): void {
    for (const { definition, keys } of saved) {
      for (const rule of this.#rules) if (definition === rule.definition) rule.load(keys)
    }
  }
}

class SuppressionRule {
  readonly definition: string
  readonly #ruleIds: ReadonlySet<string> | undefined
  readonly #by: readonly string[]
  readonly #windowMs: number
  readonly #countMax: number
  /** By key, the oldest window first. */
  readonly #counters = new Map<string, { since: number; count: number }>()

  constructor({ ruleIds, by = [], windowMs, countMax = 1 }: Suppression) {
    if (!(windowMs > 0)) throw new RangeError(`the window of a suppression is ${windowMs} ms; it must be above 0`)
    if (!(countMax >= 1)) throw new RangeError(`the countMax of a suppression is ${countMax}; it must be at least 1`)
    this.definition = JSON.stringify([ruleIds ?? null, by, windowMs, countMax])
    this.#ruleIds = ruleIds && new Set(ruleIds)
    this.#by = by
    this.#windowMs = windowMs
    this.#countMax = countMax
  }

  appliesTo(ruleId: string): boolean {
    return this.#ruleIds === undefined || this.#ruleIds.has(ruleId)
  }

  isBelowMax(match: SuppressionMatch): boolean {
    const counter = this.#counters.get(this.#getKey(match))
    // A late match slightly before the window start belongs to the same window.
    return counter === undefined || Math.abs(match.at - counter.since) >= this.#windowMs || counter.count < this.#countMax
  }

  count(match: SuppressionMatch): void {
    const key = this.#getKey(match)
    const counter = this.#counters.get(key)
    if (counter !== undefined && Math.abs(match.at - counter.since) < this.#windowMs) {
      counter.count++
      return
    }
    this.#counters.delete(key)
    for (const oldest of this.#counters.keys()) {
      if (this.#counters.size < limits.suppressedKeysMax) break
      this.#counters.delete(oldest)
    }
    this.#counters.set(key, { since: match.at, count: 1 })
  }

  get keys(): Iterable<SuppressionCounter> {
    return Array.from(this.#counters, ([key, { since, count }]) => ({ key, since, count }))
  }

  load(keys: readonly SuppressionCounter[]): void {
    for (const { key, since, count } of keys) this.#counters.set(key, { since, count })
  }

  #getKey({ ruleId, valueOf }: SuppressionMatch): string {
    return foldCase(joinGroupKey([ruleId, ...this.#by.map(valueOf)]))
  }
}
