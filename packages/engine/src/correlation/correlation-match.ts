import type { Threshold, ThresholdOperator } from '../sigma/correlation.ts'
import { printTimespan } from '../sigma/timespan.ts'
import type { CompiledCorrelation } from './compiled-correlation.ts'
import { groupValuesOf } from './group-key.ts'
import type { Held } from './window.ts'

/** A correlation rule held on a group of events. */
export type CorrelationMatch = {
  readonly kind: 'correlation'
  readonly rule: CompiledCorrelation
  /** When the newest of its events happened, in milliseconds since the epoch. */
  readonly occurredAt: number
  /** When it was certain, in the time of events: with its newest event, or at the end of the window. */
  readonly decidedAt: number
  /** What the events have in common: by field or alias of `group-by`, the value as it was first spelled. */
  readonly group: ReadonlyMap<string, string>
  /** The number that was compared: events, different values or rules, a sum, an average, a percentile, a share in percent. */
  readonly value: number | undefined
  /** The events of the window, oldest first; of very many, the newest. */
  readonly events: readonly CorrelatedEvent[]
  /** How many events there were in all. */
  readonly eventCount: number
  /** One sentence: `correlation: event_count 5>=5 by user=alice in 10m` (D-16). */
  readonly conditions: readonly string[]
}

/** An event that a correlation was made of. */
export type CorrelatedEvent = {
  readonly occurredAt: number
  /** Its number in the stream. */
  readonly sequence: number
  /** The rule that matched it. */
  readonly ruleId: string
}

/** Makes a match of what windows found. */
export function correlationMatchOf(rule: CompiledCorrelation, held: Held): CorrelationMatch {
  const { decidedAt, value, eventCount } = held
  const group = groupOf(rule, held.key)
  const events = held.events.map(({ at, sequence, member }) => {
    return { occurredAt: at, sequence, ruleId: rule.members[member]!.ruleId }
  })
  const occurredAt = events.at(-1)?.occurredAt ?? decidedAt
  const conditions = [printCondition(rule, value, group)]
  return { kind: 'correlation', rule, occurredAt, decidedAt, group, value, events, eventCount, conditions }
}

/** The values of a group by the names under which they are grouped. */
export function groupOf({ rule }: CompiledCorrelation, key: string): ReadonlyMap<string, string> {
  const { groupBy } = rule.correlation
  if (groupBy.length === 0) return new Map()
  const values = groupValuesOf(key, groupBy.length)
  return new Map(groupBy.map((field, i) => [field, values[i]!]))
}

function printCondition({ rule }: CompiledCorrelation, value: number | undefined, group: ReadonlyMap<string, string>): string {
  const { type, condition, timespanMs } = rule.correlation
  const asked = condition.kind === 'formula' ? condition.text : printThresholds(condition.thresholds, value)
  const by = Array.from(group, ([field, text]) => `${field}=${text}`).join(', ')
  return `correlation: ${type} ${asked}${by === '' ? '' : ` by ${by}`} in ${printTimespan(timespanMs)}`
}

const signs: { readonly [operator in ThresholdOperator]: string } = {
  gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=', neq: '!=',
}

/** Thresholds with what they are compared with: `5>=5`. */
export function printThresholds(thresholds: readonly Threshold[], value: number | undefined): string {
  return thresholds.map(({ operator, value: bound }) => `${value ?? 'nothing'}${signs[operator]}${bound}`).join(' and ')
}
