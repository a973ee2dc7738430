import type { FiringMode } from '../sigma/correlation.ts'
import type { EventTimeOptions, TimeCounts } from './event-clock.ts'

/** How correlations are run. */
export type CorrelationOptions = EventTimeOptions & {
  /** How conditions that hold make matches, for rules that do not say so themselves (D-45). Default `on_true`. */
  readonly firing?: FiringMode
  /** How much is remembered at most; what is over is forgotten oldest first, and counted. */
  readonly stateMax?: StateMax
  /** Goes into hashes of values that events state, so that nobody who does not know it can make them collide. */
  readonly hashSeed?: number
  /** How the events of `takeEvent` are read; an engine reads them as its own options say. Default `auto`. */
  readonly taxonomy?: 'auto' | 'none'
}

/** Bounds of what correlations remember. */
export type StateMax = {
  /** Groups of one rule. Default `limits.correlationGroupsMax`. */
  readonly groups?: number
  /** Events of one group. A rule whose threshold is larger gets as many as that. Default `limits.groupEventsMax`. */
  readonly groupEvents?: number
  /** Events of all rules together, and as many that wait for late ones. Default `limits.correlationEventsMax`. */
  readonly events?: number
}

/** What correlations have seen and hold. */
export type CorrelationCounts = TimeCounts & {
  /** Events that lack a field they would be grouped by (D-46). */
  readonly ungrouped: number
  /** Events that lack the value that is counted or reckoned with, or whose value is no number (D-39, D-40). */
  readonly unmeasured: number
  /** Events that were forgotten before their time. */
  readonly evicted: number
  readonly groups: number
  /** Events in windows. */
  readonly events: number
  /** Events that wait until nothing older can come. */
  readonly pending: number
  /** Bytes, roughly, of what windows take. */
  readonly bytes: number
}
