import type { Budget } from './costs/budget.ts'
import type { MalformedLine } from './event/parse-event.ts'
import type { EventOptions, Match } from './match.ts'
import type { StreamOptions } from './stream-state.ts'

/** Counters of an engine since its creation. */
export type EngineCounts = {
  readonly events: number
  /** Events of unknown logsource, which no rule was tried on. */
  readonly unrouted: number
  readonly matches: number
  /** Matches that were suppressed. */
  readonly suppressed: number
}

/** Options of an engine: how it reads and matches events. */
export type EngineOptions = EventOptions & StreamOptions & {
  /**
   * Whether to run the matcher of every rule on every event of its logsource, without an index. Slow: the reference that
   * the indexed engine is tested against. Default false.
   */
  readonly plain?: boolean
  /**
   * A monotonic clock in nanoseconds. With it the engine samples the time that rules take; without it, it only counts.
   */
  readonly now?: () => number
  /**
   * The time that a rule may take. A rule over its budget is quarantined: it does not run until it is released or
   * changed. Needs `now`. Without a budget all rules always run.
   */
  readonly budget?: Budget
}

/** Metadata of the events of one push. */
export type PushOptions = {
  /** Arrival time in milliseconds since the epoch: the event time of events without a credible one. */
  readonly receivedAt?: number
  /** Sequence number of the first event in the stream; by default numbers continue from the last `push`. */
  readonly sequence?: number
}

/** The result of `pushBytes`. */
export type LinesOutcome = {
  /** As `push` returns them; `row` is the line's number in the buffer, from 0, and `text` is the line. */
  readonly matches: readonly Match[]
  readonly malformed: readonly MalformedLine[]
  /** All lines, including blank ones. */
  readonly lineCount: number
  readonly eventCount: number
}
