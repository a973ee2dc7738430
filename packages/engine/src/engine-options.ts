import type { Budget } from './costs/budget.ts'
import { checkOptions } from './check-options.ts'
import type { OptionNames } from './check-options.ts'
import type { EventObject } from './event/event.ts'
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
  /** Entries of pushed lists that were no event, and were left out. */
  readonly invalid: number
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
  /** Called for each entry of the list that is no event, such as null; `push` leaves it out and rethrows errors of this. */
  readonly onInvalid?: (invalid: InvalidEvent) => void
}

/** An entry of a pushed list that is no event: its row, and what it is. */
export type InvalidEvent = { readonly row: number; readonly reason: string }

/** The result of `pushBytes`. */
export type LinesOutcome = {
  /** As `push` returns them; `row` is the line's number in the buffer, from 0, and `text` is the line, or the JSON of the mapped event. */
  readonly matches: readonly Match[]
  readonly malformed: readonly MalformedLine[]
  /** All lines, including blank ones. */
  readonly lineCount: number
  readonly eventCount: number
}

const engineOptionNames: OptionNames<EngineOptions> = {
  taxonomy: true, lenient: true, mapping: true, plain: true, now: true, budget: true, correlation: true, suppressions: true, ring: true,
}
const pushOptionNames: OptionNames<PushOptions> = { receivedAt: true, sequence: true, onInvalid: true }

/** @throws TypeError for an option that does not exist, or a taxonomy; RangeError for a budget without a clock. */
export function checkEngineOptions(options: EngineOptions): void {
  checkOptions('Engine', options, engineOptionNames)
  const { taxonomy = 'auto', mapping, budget, now } = options
  if (taxonomy !== 'auto' && taxonomy !== 'none') {
    throw new TypeError(`the option 'taxonomy' is '${String(taxonomy)}'; it takes auto or none`)
  }
  if (mapping !== undefined && typeof mapping !== 'function') {
    const hint = 'createEventMapper of @tripline/formats makes one of a mapping file'
    throw new TypeError(`the option 'mapping' is no function of an event; ${hint}`)
  }
  if (budget !== undefined && now === undefined) {
    throw new RangeError("the option 'budget' needs a clock; set the option 'now' as well")
  }
}

/** @throws TypeError for anything but a list of events. */
export function checkPushArguments(events: unknown, options: PushOptions): void {
  if (!Array.isArray(events)) throw new TypeError('push takes a list of events; for a single one, push [event]')
  checkOptions('push', options, pushOptionNames)
}

/** @throws TypeError for anything but bytes. */
export function checkBytesArguments(bytes: unknown, options: PushOptions): void {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('pushBytes takes a Uint8Array of NDJSON; for text, use TextEncoder')
  checkOptions('pushBytes', options, pushOptionNames)
}

/** Reports the entries of a list that are no events and lists the rows of the others; undefined if all are events. */
export function listValidRows(
  events: readonly EventObject[], report: (invalid: InvalidEvent) => void,
): readonly number[] | undefined {
  if (events.every((event) => findEventProblem(event) === undefined)) return undefined
  return [...events.keys()].filter((row) => {
    const reason = findEventProblem(events[row])
    if (reason !== undefined) report({ row, reason })
    return reason === undefined
  })
}

/** Why an entry of a list is no event; undefined for an event. */
function findEventProblem(entry: unknown): string | undefined {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) return undefined
  return `not an object but ${entry === null ? 'null' : Array.isArray(entry) ? 'a list' : `of type ${typeof entry}`}`
}
