const hourMs = 3_600_000
const hoursKept = 24

/** What a rule has done. */
export type RuleTotals = { readonly evaluations: number; readonly matches: number }

/** What totals were when an hour of the clock began: its number since 1970. */
export type HourTotals = { readonly hour: number; readonly totals: ReadonlyMap<string, RuleTotals> }

/**
 * Tells how much totals grew in the last day, to the hour: it keeps what they were when each of the last 24
 * hours of the clock began, the current one included.
 */
export class DayTotals {
  readonly #read: () => ReadonlyMap<string, RuleTotals>
  readonly #hours: HourTotals[]

  /** `read` gives the totals as they are then, as a map that does not change afterwards; `hours` is where it goes on from. */
  constructor(read: () => ReadonlyMap<string, RuleTotals>, hours: readonly HourTotals[] = []) {
    this.#read = read
    this.#hours = [...hours]
  }

  /** The hours that are kept, the oldest first. */
  get hours(): readonly HourTotals[] {
    return this.#hours
  }

  /** To be called before totals grow: notes what they are when a new hour has begun. */
  roll(nowMs: number): void {
    const hour = Math.floor(nowMs / hourMs)
    const last = this.#hours.at(-1)
    // A clock that goes back adds to the hour that was open.
    if (last !== undefined && hour <= last.hour) return
    this.#hours.push({ hour, totals: this.#read() })
    while (this.#hours.length > hoursKept) this.#hours.shift()
  }

  /** How much a rule's totals grew within the last 24 hours of the clock, up to `current`. */
  getLastDay(ruleId: string, current: RuleTotals, nowMs: number): RuleTotals {
    const firstHour = Math.floor(nowMs / hourMs) - hoursKept + 1
    const before = this.#hours.find(({ hour }) => hour >= firstHour)
    if (before === undefined) return { evaluations: 0, matches: 0 }
    const { evaluations, matches } = before.totals.get(ruleId) ?? { evaluations: 0, matches: 0 }
    return { evaluations: current.evaluations - evaluations, matches: current.matches - matches }
  }
}
