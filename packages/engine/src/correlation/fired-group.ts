import type { Approximation, StateCell } from './aggregates/aggregate.ts'
import type { MeasuredValue, RememberedEvent } from './contribution.ts'
import type { Instant } from './time/time-scale.ts'

/** A group whose condition came to hold, and makes a match. */
export type FiredGroup = {
  readonly key: string
  /** When it was certain: with an event, when one left, or when a window closed. */
  readonly decidedAt: Instant
  /** The number that was compared. */
  readonly value: number | undefined
  /** The value whose share it is. */
  readonly sharedValue: string | undefined
  /** Events of the window, oldest first: the newest, and the last of each rule. */
  readonly events: readonly RememberedEvent[]
  /** How many there were, as far as they are counted. */
  readonly eventCount: number
  /** The newest event of the group, which may have left an empty window. */
  readonly newest: RememberedEvent
  /** What the events bring for the correlations that name this one, each once. */
  readonly carried: readonly string[]
  readonly approximation: Approximation | undefined
  /** Whether state was lost within a timespan before: there may be more to it. */
  readonly isDegraded: boolean
}

/** How a group stands, for explanations. */
export type GroupStanding = {
  readonly key: string
  readonly at: Instant
  readonly value: number | undefined
  readonly holds: boolean
  /** The rules seen, by place among those that the correlation names. */
  readonly members: readonly number[]
}

/** A group as it is saved. */
export type SavedGroup = {
  readonly key: string
  /** When it last made a match. */
  readonly firedAt: Instant
  readonly isHeld: boolean
  /** Whether it is judged already, where that takes a timespan from its first event on. */
  readonly isJudged: boolean
  /** When its window began, where that is of meaning. */
  readonly firstAt: Instant
  readonly events: readonly RememberedEvent[]
  /** What its condition remembers. */
  readonly state: readonly StateCell[]
}

/** A group as the first version of snapshots has it: all events of the window, with their values. */
export type LegacyGroup = {
  readonly key: string
  readonly since: Instant
  readonly held: boolean
  readonly events: readonly (RememberedEvent & { readonly value: MeasuredValue })[]
}
