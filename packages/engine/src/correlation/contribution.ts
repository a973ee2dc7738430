import { foldCase } from '../event/fold-case.ts'
import type { Instant } from './time/time-scale.ts'

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

/** Groups contributions by the group that they enter, in the order of their first ones. */
export function groupContributions(moment: readonly Contribution[], isCaseSensitive: boolean): Iterable<readonly Contribution[]> {
  const groups = new Map<string, Contribution[]>()
  for (const contribution of moment) {
    const key = isCaseSensitive ? contribution.key : foldCase(contribution.key)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [contribution])
    else group.push(contribution)
  }
  return groups.values()
}
