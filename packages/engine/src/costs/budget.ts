import type { CompiledRule } from '../compiled-rule.ts'
import type { RuleSet } from '../rule-set.ts'
import type { RuleCounters } from '../run/rule-counters.ts'

/** A rule in quarantine: the engine does not run it. */
export type QuarantinedRule = {
  readonly id: string
  /** Why, in a sentence. */
  readonly reason: string
  /** Number of events that the engine had seen at that time. */
  readonly atEventCount: number
}

/** The time that a rule may take before it is quarantined. */
export type Budget = {
  /** Nanoseconds of sampled time for each event routed to the rule. */
  readonly nsPerEvent: number
  /** Minimum number of events of a measurement window; default 10,000. */
  readonly windowEvents?: number
  /** Called for each quarantined rule at the end of the `push` that found it over budget. `push` rethrows its errors. */
  readonly onQuarantine: (quarantined: QuarantinedRule) => void
}

const windowEventsDefault = 10_000
/** Consecutive windows in which a rule must exceed its budget: a single one may contain a garbage collection. */
const windowsOver = 2

/** The time of a rule in a window, and the number of events of the engine and of the rule. */
type WindowCost = { readonly eventCount: number; readonly metEvents: number; readonly ns: number }

/** A rule's totals at the start of its window, and the number of consecutive windows over budget before it. */
type BudgetWindow = WindowCost & { readonly overCount: number }

/** A rule over its budget, with its entry for the quarantine. */
type OverBudgetRule = { readonly rule: CompiledRule; readonly quarantined: QuarantinedRule }

/** Compares the time of rules with their budget over tumbling windows of events. */
export class BudgetWindows {
  readonly #nsPerEvent: number
  readonly #windowEvents: number
  #windows: ReadonlyMap<string, BudgetWindow> = new Map()
  #checkedAt = 0

  /** Throws a RangeError for a budget that is not a positive time. */
  constructor({ nsPerEvent, windowEvents = windowEventsDefault }: Budget) {
    if (!(nsPerEvent > 0)) throw new RangeError(`budget.nsPerEvent is ${nsPerEvent}; it must be a number above 0`)
    if (!(windowEvents >= 1)) {
      throw new RangeError(`budget.windowEvents is ${windowEvents}; it must be a number of at least 1`)
    }
    this.#nsPerEvent = nsPerEvent
    this.#windowEvents = windowEvents
  }

  /** Whether enough events have passed since the last check. */
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

  /** Starts a new window for a rule and forgets its earlier ones. */
  restart(id: string, number: number, tally: RuleCounters, eventCount: number): void {
    const window = { eventCount, metEvents: tally.metEvents[number]!, ns: tally.ns[number]!, overCount: 0 }
    this.#windows = new Map([...this.#windows, [id, window]])
  }

  /** The window of a rule. A rule that was removed and added again starts from 0. */
  #getWindow(id: string, metEvents: number): BudgetWindow {
    const known = this.#windows.get(id)
    return known !== undefined && known.metEvents <= metEvents
      ? known
      : { eventCount: this.#checkedAt, metEvents: 0, ns: 0, overCount: 0 }
  }

  /**
   * Whether a rule took too long. Its comparisons run on the values of all events that have the field, so a rule to which
   * few events are routed is measured against all events of the window.
   */
  #isOver({ metEvents, eventCount, ns }: WindowCost): boolean {
    return ns / (metEvents >= this.#windowEvents ? metEvents : eventCount) > this.#nsPerEvent
  }

  #printReason({ metEvents, eventCount, ns }: WindowCost): string {
    const each = metEvents === 0 ? '' : `, ${Math.round(ns / metEvents)} ns for each event routed to it`
    return `took ${Math.round(ns)} ns over ${eventCount} events${each}, and was over budget in the previous window too; `
      + `the budget is ${this.#nsPerEvent} ns per event`
  }
}

/** The rules that an engine does not run until they are released, changed or removed. */
export class Quarantine {
  /** By id: the entry, and the content of the rule, to detect a change. */
  readonly #rules = new Map<string, { readonly quarantined: QuarantinedRule; readonly content: string }>()

  get list(): readonly QuarantinedRule[] {
    return Array.from(this.#rules.values(), ({ quarantined }) => quarantined)
  }

  add(rule: CompiledRule, quarantined: QuarantinedRule): void {
    this.#rules.set(rule.id, { quarantined, content: serializeContent(rule) })
  }

  /** Releases a rule and returns whether it was quarantined. */
  release(id: string): boolean {
    return this.#rules.delete(id)
  }

  /** Releases the rules that a rule set lacks or has with another content. */
  retainUnchanged(ruleSet: RuleSet): void {
    for (const [id, { content }] of this.#rules) {
      const rule = ruleSet.get(id)
      if (rule === undefined || serializeContent(rule) !== content) this.#rules.delete(id)
    }
  }

  /** Lists the numbers of the quarantined rules in a rule set. */
  numbersIn(ruleSet: RuleSet): ReadonlySet<number> {
    return new Set([...this.#rules.keys()].flatMap((id) => ruleSet.numberOf(id) ?? []))
  }
}

/** Serializes the parts of a rule that decide what it matches. */
function serializeContent({ logsource, predicate }: CompiledRule): string {
  return JSON.stringify([logsource, predicate], (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
