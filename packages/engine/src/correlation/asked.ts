import type { Correlation, Formula, Threshold, ThresholdOperator } from '../sigma/correlation.ts'
import { toDisjunctiveForm } from '../sigma/disjunctive-form.ts'
import type { FormulaTerm } from '../sigma/disjunctive-form.ts'
import { eventCount } from './event-count.ts'
import type { EventPool } from './event-pool.ts'
import type { GroupView, Measure } from './measure.ts'
import { MembersSeen, decidedFormula, formulaHolds, hasChain, hasNegation, longestChain } from './temporal.ts'
import { ValueCount, ValueShare } from './value-count.ts'
import { ValuePercentile, ValueSum } from './value-stats.ts'

/** What a correlation asks of its groups. */
export type Asked = {
  readonly measure: Measure
  /** Whether the answer is only known when a window has closed: more events may yet undo it (D-43, D-45). */
  readonly isClosing: boolean
  /** Whether it is about the newest event alone, so that it cannot cease to hold before the next one. */
  readonly isOfEvent: boolean
  /** Whether it holds of a group now. */
  readonly holds: (group: number, view: GroupView) => boolean
  /** Whether it is decided for a window that is still open. */
  readonly decided: (group: number, view: GroupView) => boolean | undefined
  /** The number that is compared, for people; undefined where there is none. */
  readonly valueOf: (group: number, view: GroupView) => number | undefined
}

/** What decides how the windows of a correlation are kept, known before any of them is. */
export type Shape = {
  /** Whether several rules are told apart. */
  readonly hasMembers: boolean
  /** Whether a number stands beside each event. */
  readonly hasData: boolean
}

export function shapeOf({ type, references }: Correlation): Shape {
  return { hasMembers: references.length > 1, hasData: type.startsWith('value_') }
}

/** Whether a correlation is decided at the end of windows, not while events come. */
export function isClosing({ type, condition }: Correlation): boolean {
  if (condition.kind === 'formula') return hasNegation(condition.formula)
  // A share is about one event, and known with it.
  if (isShare({ type, condition })) return false
  return condition.thresholds.some(({ operator }) => operator !== 'gt' && operator !== 'gte')
}

/** Makes what a correlation asks for, over the events of its windows. */
export function askedOf(correlation: Correlation, events: EventPool, seed: number): Asked {
  const { type, condition, references } = correlation
  const closing = isClosing(correlation)
  if (condition.kind === 'formula') {
    const measure = new MembersSeen(events, references.length)
    return type === 'temporal'
      ? formulaAsked(condition.formula, measure, closing)
      : orderedAsked(orderedTerms(condition.formula), measure, closing)
  }
  const { thresholds } = condition
  const measure = measureOf(correlation, events, seed)
  const valueOf = type === 'temporal_ordered'
    ? (group: number, view: GroupView) => chainLength(measure.valueOf(group, view) ?? 0, references.length, view)
    : (group: number, view: GroupView) => measure.valueOf(group, view)
  return {
    measure,
    isClosing: closing,
    isOfEvent: isShare(correlation),
    // The longest chain is looked for only where enough was seen for one that is long enough.
    holds: (group, view) => (closing || areMet(thresholds, measure.valueOf(group, view))) && areMet(thresholds, valueOf(group, view)),
    decided: () => undefined,
    valueOf,
  }
}

/** A group that has seen one member, or none, has no order; and a chain is never longer than what was seen. */
function chainLength(seenCount: number, memberCount: number, view: GroupView): number {
  return seenCount < 2 ? seenCount : longestChain(memberCount, view)
}

function measureOf({ type, condition, references }: Correlation, events: EventPool, seed: number): Measure {
  switch (type) {
    case 'event_count':
      return eventCount
    case 'value_count':
      return new ValueCount(events, seed)
    case 'value_sum':
      return new ValueSum(events, { isAverage: false })
    case 'value_avg':
      return new ValueSum(events, { isAverage: true })
    case 'value_median':
      return new ValuePercentile(events, 50)
    case 'value_percentile':
      return isShare({ type, condition }) ? new ValueShare(events, seed) : new ValuePercentile(events, percentileOf(condition))
    default:
      return new MembersSeen(events, references.length)
  }
}

/** Whether `value_percentile` asks for the share of a value (D-41). */
export function isShare({ type, condition }: Pick<Correlation, 'type' | 'condition'>): boolean {
  return type === 'value_percentile' && condition.kind === 'thresholds' && condition.percentile === undefined
}

function percentileOf(condition: Correlation['condition']): number {
  return condition.kind === 'thresholds' ? (condition.percentile ?? 50) : 50
}

function formulaAsked(formula: Formula, measure: MembersSeen, closing: boolean): Asked {
  return {
    measure,
    isClosing: closing,
    isOfEvent: false,
    holds: (group) => formulaHolds(formula, (member) => measure.hasSeen(group, member)),
    decided: (group) => decidedFormula(formula, (member) => measure.hasSeen(group, member)),
    valueOf: (group) => measure.valueOf(group),
  }
}

function orderedAsked(terms: readonly FormulaTerm[], measure: MembersSeen, closing: boolean): Asked {
  const isSeen = ({ seen }: FormulaTerm, group: number, view: GroupView): boolean => {
    return seen.every((member) => measure.hasSeen(group, member)) && hasChain(seen, view)
  }
  return {
    measure,
    isClosing: closing,
    isOfEvent: false,
    holds: (group, view) => terms.some((term) => {
      return !term.unseen.some((member) => measure.hasSeen(group, member)) && isSeen(term, group, view)
    }),
    decided: (group, view) => (terms.some((term) => term.unseen.length === 0 && isSeen(term, group, view)) ? true : undefined),
    valueOf: (group) => measure.valueOf(group),
  }
}

function orderedTerms(formula: Formula): readonly FormulaTerm[] {
  const terms = toDisjunctiveForm(formula)
  if (terms === undefined) throw new Error('a condition with too many alternatives was to be refused, but was not')
  return terms
}

const comparisons: { readonly [operator in ThresholdOperator]: (value: number, bound: number) => boolean } = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
  eq: (value, bound) => value === bound,
  neq: (value, bound) => value !== bound,
}

/** Whether a number is within all of the bounds; one that is not there is within none. */
export function areMet(thresholds: readonly Threshold[], value: number | undefined): boolean {
  return value !== undefined && thresholds.every(({ operator, value: bound }) => comparisons[operator](value, bound))
}
