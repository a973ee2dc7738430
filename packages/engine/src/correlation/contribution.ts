import type { Instant } from './time-scale.ts'

/** What an event brings along: a text to count, a number to add up; undefined where the event itself counts. */
export type MeasuredValue = string | number | undefined

/** Where a remembered event stands. */
export type RememberedEvent = {
  readonly at: Instant
  /** Its number in the stream. */
  readonly sequence: number
  /** Which of the rules that the correlation names it matched, by place. */
  readonly member: number
}

/** What an event, or the match of an inner correlation, is to one group: it enters the group's window. */
export type Contribution = RememberedEvent & {
  /** The match of an inner correlation, by number; 0 for an event itself. */
  readonly match: number
  /** The group. */
  readonly key: string
  readonly value: MeasuredValue
  /** Values for the correlations that name this one, as text (`carried-fields.ts`); undefined where they read none. */
  readonly carried: string | undefined
}
