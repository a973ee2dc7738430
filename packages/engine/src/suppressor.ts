import { groupKeyOf } from './correlation/group-key.ts'
import { foldCase } from './event/fold-case.ts'
import { limits } from './limits.ts'

/** An order not to hand out matches that are like one before, for some time. */
export type Suppression = {
  /** Ids of the rules it is for; without them, it is for all. */
  readonly ruleIds?: readonly string[]
  /** Fields whose values make matches of a rule alike; without any, all of a rule are. */
  readonly by?: readonly string[]
  /** How long after a match others that are like it are held back, in milliseconds of the time of events. */
  readonly windowMs: number
  /** How many are handed out in that time. Default 1. */
  readonly countMax?: number
}

/** A match as suppressions see it. */
export type SuppressionMatch = {
  readonly ruleId: string
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number
  readonly valueOf: (field: string) => string
}

/** What a suppression knows of matches that are alike. */
export type SuppressionCounter = { readonly key: string; readonly since: number; readonly count: number }

/** Holds matches back as suppressions say. Remembers `limits.suppressedKeysMax` kinds of matches for each, and then the newest. */
export class Suppressor {
  readonly #rules: readonly SuppressionRule[]
  #suppressedCount = 0

  /** Throws a RangeError for a suppression of no length of time, or that lets nothing out. */
  constructor(suppressions: readonly Suppression[]) {
    this.#rules = suppressions.map((suppression) => new SuppressionRule(suppression))
  }

  /** Matches that were held back. */
  get suppressedCount(): number {
    return this.#suppressedCount
  }

  /** Whether a match is handed out; if so, it counts. */
  admit(match: SuppressionMatch): boolean {
    const orders = this.#rules.filter((order) => order.appliesTo(match.ruleId))
    if (!orders.every((order) => order.isBelowMax(match))) {
      this.#suppressedCount++
      return false
    }
    for (const order of orders) order.count(match)
    return true
  }

  /** What each suppression knows, under its own words. */
  save(): { readonly definition: string; readonly keys: readonly SuppressionCounter[] }[] {
    return this.#rules.map(({ definition, keys }) => ({ definition, keys: [...keys] }))
  }

  /** Goes on from what suppressions with the same words knew. */
  load(saved: readonly { readonly definition: string; readonly keys: readonly SuppressionCounter[] }[]): void {
    for (const order of this.#rules) {
      for (const { definition, keys } of saved) if (definition === order.definition) order.load(keys)
    }
  }
}

class SuppressionRule {
  readonly definition: string
  readonly #ruleIds: ReadonlySet<string> | undefined
  readonly #by: readonly string[]
  readonly #windowMs: number
  readonly #countMax: number
  /** By kind of match, the one whose time began first at the front. */
  readonly #counters = new Map<string, { since: number; count: number }>()

  constructor({ ruleIds, by = [], windowMs, countMax = 1 }: Suppression) {
    if (!(windowMs > 0)) throw new RangeError(`a suppression has a window of ${windowMs} ms; it takes more than 0`)
    if (!(countMax >= 1)) throw new RangeError(`a suppression lets ${countMax} matches out; it takes at least 1`)
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
    const kind = this.#counters.get(this.#getKey(match))
    // A match that is older than the first of its kind belongs to the same time, as long as it is near.
    return kind === undefined || Math.abs(match.at - kind.since) >= this.#windowMs || kind.count < this.#countMax
  }

  count(match: SuppressionMatch): void {
    const key = this.#getKey(match)
    const kind = this.#counters.get(key)
    if (kind !== undefined && Math.abs(match.at - kind.since) < this.#windowMs) {
      kind.count++
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
    return foldCase(groupKeyOf([ruleId, ...this.#by.map(valueOf)]))
  }
}
