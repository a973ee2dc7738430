import { limits } from '../limits.ts'
import type { Correlation, CorrelationCondition, FiringMode, RuleFormula, Threshold, ThresholdOperator } from '../sigma/correlation.ts'
import { hasNegation, toDisjunctiveForm } from '../sigma/disjunctive-form.ts'
import type { FormulaTerm } from '../sigma/disjunctive-form.ts'
import { Absence } from './aggregates/absence.ts'
import type { Aggregate } from './aggregates/aggregate.ts'
import { ValueCount } from './aggregates/distinct-values.ts'
import { LastSeen } from './aggregates/last-seen.ts'
import { OrderedMembers, OrderedTerms } from './aggregates/ordered-members.ts'
import { ValuePercentile } from './aggregates/value-percentile.ts'
import { ValueShare } from './aggregates/value-share.ts'
import { ValueSum } from './aggregates/value-sum.ts'
import { nanosPerMs } from './time/time-scale.ts'

/**
 * When a condition can begin to hold. `rising`: only with an event. `changing`: also when events leave. `few`: it holds
 * for few events, so that it is judged from a timespan after a group's first event on. `absence`: a timespan after
 * what it needs was seen, if what must not be seen was not. `share`: for each value of an event, with it.
 */
type ConditionKind = 'rising' | 'changing' | 'few' | 'absence' | 'share'

/** Tells how the groups of a correlation have to be watched. */
function classifyCondition({ type, condition }: Pick<Correlation, 'type' | 'condition'>): ConditionKind {
  if (condition.kind === 'formula') return hasNegation(condition.formula) ? 'absence' : 'rising'
  if (isShare({ type, condition })) return 'share'
  const isFromBelow = ({ operator }: Threshold): boolean => operator === 'gt' || operator === 'gte'
  if (!condition.thresholds.some(isFromBelow)) return 'few'
  // Numbers may be negative, and averages grow when small numbers leave.
  const isMonotone = type === 'event_count' || type === 'value_count' || type === 'temporal' || type === 'temporal_ordered'
  return isMonotone && condition.thresholds.every(isFromBelow) ? 'rising' : 'changing'
}

/** Whether a correlation may be decided later than with an event. */
export function isDecidedLater(correlation: Correlation): boolean {
  const kind = classifyCondition(correlation)
  return kind !== 'rising' && kind !== 'share'
}

/** Whether `value_percentile` asks for the share of a value. */
export function isShare({ type, condition }: Pick<Correlation, 'type' | 'condition'>): boolean {
  return type === 'value_percentile' && condition.kind === 'thresholds' && condition.percentile === undefined
}

/** What the condition of a correlation remembers of its groups, and whether it holds. */
export type GroupCondition = {
  readonly kind: ConditionKind
  /** Undefined where the number of events is enough. */
  readonly aggregate: Aggregate | undefined
  /** The same, where it is of a special kind. */
  readonly absence: Absence | undefined
  readonly share: ValueShare | undefined
  /** The last event of each rule, where the condition distinguishes several. */
  readonly lastSeen: LastSeen | undefined
  readonly holds: (group: number, eventCount: number) => boolean
  /** The number that is compared; undefined where there is none. */
  readonly valueOf: (group: number, eventCount: number) => number | undefined
}

type ConditionOptions = {
  readonly mode: FiringMode
  readonly seed: number
  /** Numbers of a group that are kept apart. */
  readonly instantsMax: number
  /** Distinct values of a group that are counted exactly, at least. */
  readonly valuesMin: number
}

/** Makes the memory for the condition of a correlation. */
export function createGroupCondition(correlation: Correlation, options: ConditionOptions): GroupCondition {
  const { type, condition, references } = correlation
  const kind = classifyCondition(correlation)
  const none = { kind, absence: undefined, share: undefined, lastSeen: undefined }
  if (kind === 'absence' && condition.kind === 'formula') return createAbsence(correlation, condition.formula, options)
  if (condition.kind === 'formula') {
    const { formula } = condition
    if (type === 'temporal') {
      const seen = new LastSeen(references.length)
      const holds = (group: number): boolean => formulaHolds(formula, (member) => seen.hasSeen(group, member))
      return { ...none, aggregate: seen, lastSeen: seen, holds, valueOf: (group) => seen.valueOf(group) }
    }
    const terms = termsIn(formula)
    const chains = new OrderedTerms(references.length, terms)
    const holds = (group: number): boolean => chains.hasChain(group)
    return { ...none, aggregate: chains, lastSeen: chains.seen, holds, valueOf: (group) => chains.valueOf(group) }
  }
  const { thresholds } = condition
  if (type === 'event_count') {
    return { ...none, aggregate: undefined, holds: (_group, count) => areMet(thresholds, count), valueOf: (_group, count) => count }
  }
  const aggregate = createAggregate(correlation, condition, options)
  return {
    ...none,
    aggregate,
    share: aggregate instanceof ValueShare ? aggregate : undefined,
    lastSeen: aggregate instanceof LastSeen ? aggregate : aggregate instanceof OrderedMembers ? aggregate.seen : undefined,
    holds: (group) => areMet(thresholds, aggregate.valueOf(group)),
    valueOf: (group) => aggregate.valueOf(group),
  }
}

function createAggregate(
  { type, timespanMs, references, isCaseSensitive, window }: Correlation, condition: CorrelationCondition, options: ConditionOptions,
): Aggregate {
  const { seed, instantsMax, valuesMin } = options
  // Of a window that is forgotten whole, nothing leaves before the rest; a session may last for any number of timespans.
  const span = window === 'sliding' ? timespanMs * nanosPerMs : Infinity
  switch (type) {
    case 'value_count':
      return new ValueCount({ seed, isCaseSensitive, countMax: Math.max(valuesMin, countToTell(condition)) })
    case 'value_sum':
    case 'value_avg':
      return new ValueSum({ isAverage: type === 'value_avg', span, instantsMax })
    case 'value_median':
      return new ValuePercentile({ percentile: 50, span, instantsMax })
    case 'value_percentile':
      return condition.kind === 'thresholds' && condition.percentile !== undefined
        ? new ValuePercentile({ percentile: condition.percentile, span, instantsMax })
        : new ValueShare({ seed, isCaseSensitive, instantsMax: Math.max(instantsMax, limits.groupEventsMax) })
    case 'temporal_ordered':
      return new OrderedMembers(references.length)
    default:
      return new LastSeen(references.length)
  }
}

/** How far things have to be counted to decide each of the thresholds. */
export function countToTell(condition: CorrelationCondition): number {
  if (condition.kind === 'formula') return 1
  return Math.max(1, ...condition.thresholds.map(({ value }) => Math.ceil(value) + 1))
}

function createAbsence({ type, references, timespanMs }: Correlation, formula: RuleFormula, { mode }: ConditionOptions): GroupCondition {
  const absence = new Absence({
    terms: termsIn(formula), memberCount: references.length, isOrdered: type === 'temporal_ordered', span: timespanMs * nanosPerMs,
    isEach: mode === 'every', pendingMax: limits.pendingAbsencesMax,
  })
  return {
    kind: 'absence', aggregate: absence, absence, share: undefined, lastSeen: absence.lastSeen,
    holds: () => false, valueOf: (group) => absence.valueOf(group),
  }
}

function termsIn(formula: RuleFormula): readonly FormulaTerm[] {
  const terms = toDisjunctiveForm(formula)
  if (terms === undefined) throw new Error('a condition with too many alternatives was to be refused, but was not')
  return terms
}

function formulaHolds(formula: RuleFormula, hasSeen: (member: number) => boolean): boolean {
  switch (formula.kind) {
    case 'rule':
      return hasSeen(formula.rule)
    case 'not':
      return !formulaHolds(formula.of, hasSeen)
    case 'and':
      return formula.of.every((part) => formulaHolds(part, hasSeen))
    case 'or':
      return formula.of.some((part) => formulaHolds(part, hasSeen))
  }
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
