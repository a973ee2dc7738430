import type { QuarantinedRule } from './quarantine.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'
import type { RuleCounters } from './run/rule-counters.ts'

/** How much a rule may cost before it is tried no more. */
export type Budget = {
  /** Nanoseconds of its sampled time for each event that it meets. */
  readonly nsPerEvent: number
  /** Events of the window over which that is measured, at least; default 10,000. */
  readonly windowEvents?: number
  /**
   * Is told of each rule that is tried no more, at the end of the `push` that found it over the budget. What it
   * throws, `push` throws.
   */
  readonly onQuarantine: (quarantined: QuarantinedRule) => void
}

const windowEventsDefault = 10_000
/** Windows in a row in which a rule has to be over its budget: one may hold a collection of garbage. */
const windowsOver = 2

/** What a rule took, of how many events of the engine and of its own. */
type WindowCost = { readonly eventCount: number; readonly metEvents: number; readonly ns: number }

/** What a rule had come to when its window began, and how many windows before it were over the budget. */
type BudgetWindow = WindowCost & { readonly overCount: number }

/** A rule that is over its budget. */
type OverBudgetRule = { readonly rule: CompiledRule; readonly quarantined: QuarantinedRule }

/** Compares what rules cost with their budget, window by window. */
export class BudgetWindows {
  readonly #nsPerEvent: number
  readonly #windowEvents: number
  #windows: ReadonlyMap<string, BudgetWindow> = new Map()
  #checkedAt = 0

  /** Throws a RangeError for a budget that is no length of time. */
  constructor({ nsPerEvent, windowEvents = windowEventsDefault }: Budget) {
    if (!(nsPerEvent > 0)) throw new RangeError(`budget.nsPerEvent is ${nsPerEvent}; it takes a number above 0`)
    if (!(windowEvents >= 1)) {
      throw new RangeError(`budget.windowEvents is ${windowEvents}; it takes a number of 1 or more`)
    }
    this.#nsPerEvent = nsPerEvent
    this.#windowEvents = windowEvents
  }

  /** Whether enough events came since rules were judged. */
  isDue(eventCount: number): boolean {
    return eventCount - this.#checkedAt >= this.#windowEvents
  }

  /** Judges the rules of a rule set by a tally that is settled; tells those that are tried no more. */
  findOverBudget(ruleSet: RuleSet, tally: RuleCounters, eventCount: number): OverBudgetRule[] {
    const windows = new Map<string, BudgetWindow>()
    const judged = ruleSet.rules.flatMap((rule, number) => {
      const [metEvents, ns] = [tally.metEvents[number]!, tally.ns[number]!]
      const window = this.#getWindow(rule.id, metEvents)
      const spent = {
        eventCount: eventCount - window.eventCount,
        metEvents: metEvents - window.metEvents,
        ns: ns - window.ns,
      }
      const isOver = this.#isOver(spent)
      const overCount = isOver ? window.overCount + 1 : 0
      const isOpen = !isOver && spent.metEvents < this.#windowEvents
      windows.set(rule.id, isOpen ? window : { eventCount, metEvents, ns, overCount })
      if (overCount < windowsOver) return []
      return [{ rule, quarantined: { id: rule.id, reason: this.#printReason(spent), atEventCount: eventCount } }]
    })
    this.#windows = windows
    this.#checkedAt = eventCount
    return judged
  }

  /** Begins a rule's window now, as if it had cost nothing before. */
  restart(id: string, number: number, tally: RuleCounters, eventCount: number): void {
    const window = { eventCount, metEvents: tally.metEvents[number]!, ns: tally.ns[number]!, overCount: 0 }
    this.#windows = new Map([...this.#windows, [id, window]])
  }

  /** A rule that was dropped and came back counts from 0 again. */
  #getWindow(id: string, metEvents: number): BudgetWindow {
    const known = this.#windows.get(id)
    return known !== undefined && known.metEvents <= metEvents
      ? known
      : { eventCount: this.#checkedAt, metEvents: 0, ns: 0, overCount: 0 }
  }

  /**
   * Whether a rule took too long. Its comparisons are asked of the values of all events that have the field, so
   * that one that meets few events may be over its budget, too: when it took too long for all that came.
   */
  #isOver({ metEvents, eventCount, ns }: WindowCost): boolean {
    return ns / (metEvents >= this.#windowEvents ? metEvents : eventCount) > this.#nsPerEvent
  }

  #printReason({ metEvents, eventCount, ns }: WindowCost): string {
    const each = metEvents === 0 ? '' : `, ${Math.round(ns / metEvents)} ns for each that it met`
    return `took ${Math.round(ns)} ns over ${eventCount} events${each}, and too long in the window before; `
      + `its budget is ${this.#nsPerEvent} ns an event`
  }
}
