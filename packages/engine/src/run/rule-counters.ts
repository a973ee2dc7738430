import { SamplingTimer } from '../plan/sampling-timer.ts'

/** Options of counters. */
type RuleCountersOptions = {
  /** A clock in nanoseconds; without it there are no times. */
  readonly now?: (() => number) | undefined
  /** Whether events are matched through an index, which sees their fields; default true. */
  readonly learnsValues?: boolean
}

/** Counters of the rules of a rule set; each list is indexed by rule. */
export class RuleCounters {
  /** Events routed to the rule. */
  readonly metEvents: Float64Array
  /** Evaluations of its formula; cache hits do not count. */
  readonly candidates: Float64Array
  /** Events on which its matcher ran. */
  readonly asked: Float64Array
  /** Events that it matched. */
  readonly confirmed: Float64Array
  /** Nanoseconds of its matcher plus its share of the time of its atoms; 0 without a clock. */
  readonly ns: Float64Array
  /** Times of matchers that are not yet included in `ns`. */
  readonly matcherTimer: SamplingTimer | undefined
  /** Fields read by rules of which an event had a value; undefined without an index. */
  readonly seenFields: Set<string> | undefined

  constructor(ruleCount: number, { now, learnsValues = true }: RuleCountersOptions = {}) {
    this.metEvents = new Float64Array(ruleCount)
    this.candidates = new Float64Array(ruleCount)
    this.asked = new Float64Array(ruleCount)
    this.confirmed = new Float64Array(ruleCount)
    this.ns = new Float64Array(ruleCount)
    this.matcherTimer = now && new SamplingTimer(ruleCount, now)
    this.seenFields = learnsValues ? new Set() : undefined
  }

  /** Copies flushed counters; `numbersBefore` maps each rule to its number there, -1 for new ones. */
  copyFrom(before: RuleCounters, numbersBefore: Int32Array): void {
    for (const field of before.seenFields ?? []) this.seenFields?.add(field)
    for (const list of ['metEvents', 'candidates', 'asked', 'confirmed', 'ns'] as const) {
      const values = this[list]
      const valuesBefore = before[list]
      for (let number = 0; number < values.length; number++) values[number] = valuesBefore[numbersBefore[number]!] ?? 0
    }
  }

  /** Adds the times of matchers to `ns`. */
  flushTimes(): void {
    this.matcherTimer?.drain((number, ns) => {
      this.ns[number]! += ns
    })
  }
}
