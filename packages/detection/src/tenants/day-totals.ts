const hourMs = 3_600_000
const hoursKept = 24

/** What a rule has done. */
export type RuleTotals = { readonly evaluations: number; readonly matches: number }

/** The totals at the start of an hour, which is numbered since 1970. */
export type HourTotals = { readonly hour: number; readonly totals: ReadonlyMap<string, RuleTotals> }

/**
 * Reports how much totals grew in the last day, to the hour: it keeps a snapshot at the start of each of the last 24
 * clock hours, the current one included.
 */
export class DayTotals {
  readonly #read: () => ReadonlyMap<string, RuleTotals>
  readonly #hours: HourTotals[]

  /** `read` returns an immutable snapshot of the totals; `hours` are the stored snapshots to continue from. */
  constructor(read: () => ReadonlyMap<string, RuleTotals>, hours: readonly HourTotals[] = []) {
    this.#read = read
    this.#hours = [...hours]
  }

  /** The stored hours, oldest first. */
  get hours(): readonly HourTotals[] {
    return this.#hours
  }

  /** Call it before totals grow: takes a snapshot when a new hour has begun. */
  roll(nowMs: number): void {
    const hour = Math.floor(nowMs / hourMs)
    const last = this.#hours.at(-1)
    // If the clock goes back, growth belongs to the hour that was open.
    if (last !== undefined && hour <= last.hour) return
    this.#hours.push({ hour, totals: this.#read() })
    while (this.#hours.length > hoursKept) this.#hours.shift()
  }

  /** How much a rule's totals grew within the last 24 clock hours, up to `current`. */
  getLastDay(ruleId: string, current: RuleTotals, nowMs: number): RuleTotals {
    const firstHour = Math.floor(nowMs / hourMs) - hoursKept + 1
    const before = this.#hours.find(({ hour }) => hour >= firstHour)
    if (before === undefined) return { evaluations: 0, matches: 0 }
    const { evaluations, matches } = before.totals.get(ruleId) ?? { evaluations: 0, matches: 0 }
    return { evaluations: current.evaluations - evaluations, matches: current.matches - matches }
  }

  /** The matches of a rule in each of the last 24 clock hours, oldest first; the last is the current hour. */
  getHourlyMatches(ruleId: string, current: RuleTotals, nowMs: number): readonly number[] {
    const firstHour = Math.floor(nowMs / hourMs) - hoursKept + 1
    const matches = Array.from({ length: hoursKept }, () => 0)
    for (const [index, { hour, totals }] of this.#hours.entries()) {
      // What came before the next snapshot came in the hour of this one.
      const after = index === this.#hours.length - 1 ? current : this.#hours[index + 1]!.totals.get(ruleId)
      if (hour >= firstHour && matches[hour - firstHour] !== undefined) {
        matches[hour - firstHour] = (after?.matches ?? 0) - (totals.get(ruleId)?.matches ?? 0)
      }
    }
    return matches
  }
}
