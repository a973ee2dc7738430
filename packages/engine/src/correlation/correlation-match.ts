import type { Threshold, ThresholdOperator } from '../sigma/correlation.ts'
import { pickDetails } from '../sigma/rule.ts'
import { printTimespan } from '../sigma/timespan.ts'
import type { CompiledCorrelation } from './compiled-correlation.ts'
import type { Approximation } from './aggregates/aggregate.ts'
import type { RememberedEvent } from './contribution.ts'
import type { FiredGroup } from './fired-group.ts'
import { splitGroupKey } from './group-key.ts'
import type { TimeScale } from './time/time-scale.ts'

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
  /**
   * The number that was compared: events, different values or rules, a sum, an average, a percentile, a share in percent.
   * Events and values are counted as far as the condition needs, and at least up to a hundred events and 64 values.
   */
  readonly value: number | undefined
  /** The value whose share it is; undefined for other types. */
  readonly sharedValue: string | undefined
  /** How far the number may be off; undefined where it is exact. */
  readonly approximate: Approximation | undefined
  /** Whether the rule lost some of its state within a timespan before: there may be more to this, or others were missed. */
  readonly isDegraded: boolean
  /** The events of the window, oldest first; of very many, the newest, and the last of each rule. */
  readonly events: readonly CorrelatedEvent[]
  /** The newest event; of a window that became empty, the last that left. */
  readonly newest: CorrelatedEvent
  /** How many events there were, as far as they are counted. */
  readonly eventCount: number
  /** One sentence: `correlation: event_count 5>=5 by user=alice in 10m`. */
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

/** What `JSON.stringify` shows of a match: the rule without its references, instants as text, the group as an object. */
const matchPrototype = {
  toJSON(this: CorrelationMatch): object {
    const { rule: { id, title, level, path, rule }, occurredAt, decidedAt, group, ...rest } = this
    return {
      ...rest,
      rule: { id, title, level, ...pickDetails(rule), path },
      occurredAt: printInstant(occurredAt),
      decidedAt: printInstant(decidedAt),
      group: Object.fromEntries(group),
    }
  },
}

/** Makes a match of a group whose condition holds. */
export function createCorrelationMatch(rule: CompiledCorrelation, fired: FiredGroup, scale: TimeScale): CorrelationMatch {
  const { value, sharedValue, approximation, isDegraded, eventCount } = fired
  const group = groupOf(rule, fired.key)
  const describe = ({ at, sequence, member }: RememberedEvent): CorrelatedEvent => {
    return { occurredAt: scale.toMs(at), sequence, ruleId: rule.members[member]!.ruleId }
  }
  const newest = describe(fired.newest)
  const match: CorrelationMatch = {
    kind: 'correlation', rule, occurredAt: newest.occurredAt, decidedAt: scale.toMs(fired.decidedAt), group, value, sharedValue,
    approximate: approximation, isDegraded, events: fired.events.map(describe), newest, eventCount,
    conditions: [printCondition(rule, fired, group)],
  }
  Object.setPrototypeOf(match, matchPrototype)
  return match
}

/** The text of an instant; null where a stream ended by `finish` decided without one. */
function printInstant(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}

/** The values of a group by the names under which they are grouped. */
export function groupOf({ rule }: CompiledCorrelation, key: string): ReadonlyMap<string, string> {
  const { groupBy } = rule.correlation
  if (groupBy.length === 0) return new Map()
  const values = splitGroupKey(key, groupBy.length)
  return new Map(groupBy.map((field, i) => [field, values[i]!]))
}

function printCondition({ rule }: CompiledCorrelation, fired: FiredGroup, group: ReadonlyMap<string, string>): string {
  const { type, condition, timespanMs } = rule.correlation
  const { value, sharedValue, approximation, isDegraded } = fired
  const comparison = condition.kind === 'formula' ? condition.text : printThresholds(condition.thresholds, value)
  const by = Array.from(group, ([field, text]) => `${field}=${text}`).join(', ')
  const more = [
    sharedValue === undefined ? '' : ` for ${sharedValue}`,
    by === '' ? '' : ` by ${by}`,
    ` in ${printTimespan(timespanMs)}`,
    approximation === undefined ? '' : `, ${printApproximation(approximation)}`,
    isDegraded ? ', degraded: some state of this rule was evicted' : '',
  ]
  return `correlation: ${type} ${comparison}${more.join('')}`
}

/** `approximate: window within 59 ms, value within 0.5 %`. */
function printApproximation({ relativeError, windowErrorMs }: Approximation): string {
  const parts: string[] = []
  if (windowErrorMs > 0) parts.push(`window within ${Math.ceil(windowErrorMs)} ms`)
  if (relativeError > 0) parts.push(`value within ${(100 * relativeError).toFixed(1)} %`)
  return `approximate: ${parts.join(', ')}`
}

const signs: { readonly [operator in ThresholdOperator]: string } = {
  gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=', neq: '!=',
}

/** Thresholds with what they are compared with: `5>=5`. */
export function printThresholds(thresholds: readonly Threshold[], value: number | undefined): string {
  return thresholds.map(({ operator, value: bound }) => `${value ?? 'nothing'}${signs[operator]}${bound}`).join(' and ')
}
