import type { EventPool } from './event-pool.ts'

/** What an event brings along for a measure: a text to count, a number to reckon with. */
export type MeasuredValue = string | number | undefined

/**
 * What a correlation knows of each of its groups while events come and go. Groups are numbers, events numbers
 * in a pool. Every event that is added is removed before its group is forgotten.
 */
export type Measure = {
  readonly add: (group: number, event: number, value: MeasuredValue) => void
  readonly remove: (group: number, event: number) => void
  /** Makes ready for another group of this number; all events of the one before were removed. */
  readonly forget: (group: number) => void
  /** The number that thresholds are about, as of the group's newest event; undefined where there is none to speak of. */
  readonly valueOf: (group: number, window: GroupView) => number | undefined
  /** What an event brought along, so that it can be added again elsewhere. */
  readonly broughtBy: (event: number) => MeasuredValue
  /** Bytes of memory that it takes. */
  readonly byteLength: () => number
}

/** The events of one group, oldest first. */
export type GroupView = {
  readonly count: number
  readonly first: number
  readonly last: number
  readonly events: EventPool
}
