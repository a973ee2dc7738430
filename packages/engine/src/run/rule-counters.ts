import { SamplingTimer } from '../plan/sampling-timer.ts'

/** What a tally is told from the start. */
export type RuleCountersOptions = {
  /** A clock in nanoseconds, where times are wanted. */
  readonly now?: (() => number) | undefined
  /** Whether events are matched by what is learned of their values; default true. */
  readonly learnsValues?: boolean
}

/** What the rules of a rule set have come to, each list by the number of a rule. */
export class RuleCounters {
  /** Events that were routed to it. */
  readonly metEvents: Float64Array
  /** How often its formula was evaluated; what is remembered of an earlier event is not evaluated again. */
  readonly candidates: Float64Array
  /** Events about which its matcher was asked. */
  readonly asked: Float64Array
  /** Events on which it holds. */
  readonly confirmed: Float64Array
  /** Nanoseconds of its matcher, and its share of those of its atoms; all 0 without a clock. */
  readonly ns: Float64Array
  /** Times of matchers that are not in `ns` yet. */
  readonly matcherTimer: SamplingTimer | undefined
  /** Fields that rules read of which some event had a value; undefined where nothing is learned of values. */
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

  /** Begins with what rules had come to in a tally that is settled; by their number there, -1 for new ones. */
  copyFrom(before: RuleCounters, numbersBefore: Int32Array): void {
    for (const field of before.seenFields ?? []) this.seenFields?.add(field)
    for (const list of ['metEvents', 'candidates', 'asked', 'confirmed', 'ns'] as const) {
      const values = this[list]
      const valuesBefore = before[list]
      for (let number = 0; number < values.length; number++) values[number] = valuesBefore[numbersBefore[number]!] ?? 0
    }
  }

  /** Moves the times of matchers to `ns`. */
  flushTimes(): void {
    this.matcherTimer?.drain((number, ns) => {
      this.ns[number]! += ns
    })
  }
}
