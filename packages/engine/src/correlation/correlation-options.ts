import type { NormalizedEvent } from '../event/event.ts'
import type { FiringMode } from '../sigma/correlation.ts'
import type { CompiledCorrelation } from './compiled-correlation.ts'
import type { EventTimeOptions, TimeCounts } from './time/event-clock.ts'
import type { GroupStanding } from './fired-group.ts'
import type { Unread } from './read-contribution.ts'

/** How correlations are run. */
export type CorrelationOptions = EventTimeOptions & {
  /** How conditions that hold make matches, for rules that do not say so themselves. Default `on_true`. */
  readonly firing?: FiringMode
  /** How much is remembered at most; what is over is evicted oldest first, and counted. */
  readonly stateMax?: StateMax
  /** Goes into hashes of values that events state: those who do not know it cannot make them collide. */
  readonly hashSeed?: number
  /** How the events of `takeEvent` are read; an engine reads them as its own options say. Default `auto`. */
  readonly taxonomy?: 'auto' | 'none'
  /**
   * Called with the number in the stream of each event that is correlated, before any match of it, and again for each further rule
   * that matched it. Events that are late, or that no rule of a correlation matched, are left out.
   */
  readonly onTaken?: (sequence: number) => void
}

/** Bounds of what correlations remember. */
export type StateMax = {
  /** Groups of one rule. Default `limits.correlationGroupsMax`. */
  readonly groups?: number
  /**
   * Events of one group that a match shows, and numbers of one group that sums and percentiles keep apart. Counts and
   * temporal conditions are exact whatever it is. Defaults `limits.matchEventsMax` and `limits.groupInstantsMax`.
   */
  readonly groupEvents?: number
  /** Events of all rules together, and as many that wait for late ones. Default `limits.correlationEventsMax`. */
  readonly events?: number
}

/** More events wait for each other than may, and none of them may be called late (`allowedLatenessMs: Infinity`). */
export class CorrelationMemoryError extends Error {
  constructor(eventsMax: number) {
    super(`more than ${eventsMax.toLocaleString('en')} events wait to be correlated in the order of their time`)
    this.name = 'CorrelationMemoryError'
  }
}

/** What one correlation remembers. */
export type CorrelationHealth = {
  readonly id: string
  readonly groups: number
  readonly events: number
  readonly pending: number
  readonly bytes: number
  /** What was forgotten before its time though it may be needed, since ever. */
  readonly evicted: number
  /** Whether that was within the last timespan, so that matches may be missing. */
  readonly isDegraded: boolean
}

/** What correlations have seen and hold. */
export type CorrelationCounts = TimeCounts & {
  /** Events that lack a field they would be grouped by. */
  readonly ungrouped: number
  /** Events that lack the value that is counted or reckoned with, or whose value is no number. */
  readonly unmeasured: number
  /** Events and values that were forgotten before their time though they may be needed. */
  readonly evicted: number
  /** Correlations that lost some of their state within their last timespan. */
  readonly degraded: number
  readonly groups: number
  /** Events, numbers and values that windows remember. */
  readonly events: number
  /** Events that wait until nothing older can come. */
  readonly pending: number
  /** Bytes, roughly, of what windows take. */
  readonly bytes: number
}

/** What happens in a correlation, for explanations; instants are milliseconds since the epoch. */
export type CorrelationWatch = {
  readonly onStanding: (rule: CompiledCorrelation, standing: GroupStanding) => void
  readonly onUnread: (rule: CompiledCorrelation, sequence: number, unread: Unread) => void
}

/** Where an event stands in the stream, and when it arrived, in milliseconds since the epoch, if that is known. */
export type EventPlace = { readonly sequence: number; readonly receivedAt?: number | undefined }

/** An event that rules matched. */
export type CorrelatedRow = EventPlace & { readonly event: NormalizedEvent }
