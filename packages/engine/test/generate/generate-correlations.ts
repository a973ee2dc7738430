import fc from 'fast-check'
import type { ReferenceEvent } from '../reference/reference-correlation.ts'
import type { ReferenceCorrelation, ReferenceFormula } from '../reference/reference-types.ts'
import type { RuleObject } from '../reference/reference.ts'

/*
 * Random correlations and events that meet: three detection rules, of which an event may match several, few users and
 * values, and times that lie on and beside the edges of windows.
 */

const detections = ['a', 'b', 'c'] as const
const spans = [1_000, 2_000]
/** Fractions of milliseconds among them, which numbers and texts state exactly. */
const edges = [0, 0.25, 1, 500, 999, 999.75, 1_000, 1_000.25, 1_001, 1_500, 1_999, 2_000, 2_001, 2_999, 3_000, 3_001, 4_000, 5_999]

const user = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('u', 'U', 'v', 7, '7') },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, [], ['u', 'v'], ['u', 'U']) },
)
const host = fc.constantFrom<unknown>('x', 'X', 'y', 'z', 5, '5', undefined, null, ['x', 'y'], ['z', 'Z'])
const image = fc.constantFrom<unknown>('x', 'X', 'x', 'y', undefined, ['x', 'y'], ['y', 'X'])
const number = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom<unknown>('4', '-2', 'many', null, undefined))

/** Streams in the order of arrival. */
export const streams: fc.Arbitrary<readonly ReferenceEvent[]> = fc.array(
  fc.record({
    at: fc.constantFrom(...edges),
    rules: fc.subarray([...detections], { minLength: 0 }),
    user, host, image, number,
    account: fc.constantFrom('u', 'v', 'V'),
  }),
  { minLength: 1, maxLength: 24, size: 'max' },
).map((events) => events.map(({ at, rules, ...fields }) => {
  return { at, rules, fields: { kinds: rules, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) } }
}))

/** Streams in which one event comes again and again: more often than a group remembers events. */
export const floods: fc.Arbitrary<readonly ReferenceEvent[]> = fc.tuple(streams, fc.nat(23), fc.integer({ min: 20, max: 60 }), fc.boolean())
  .map(([stream, place, count, isSpread]) => {
    const again = stream[place % stream.length]!
    const flood = Array.from({ length: count }, (_, i) => ({ ...again, at: isSpread ? (i * 6_000) / count - ((i * 6_000) / count) % 0.25 : again.at }))
    return [...stream, ...flood].toSorted((a, b) => a.at - b.at)
  })

const operators = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq']

const bounds = (min: number, max: number): fc.Arbitrary<{ readonly [operator: string]: number }> => {
  const bound = fc.tuple(fc.constantFrom(...operators), fc.integer({ min, max }))
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min, max }).map((value) => ({ gte: value })) },
    { weight: 2, arbitrary: fc.uniqueArray(bound, { minLength: 1, maxLength: 2, selector: ([operator]) => operator }).map(Object.fromEntries) },
  )
}

type Asked = Pick<ReferenceCorrelation, 'type' | 'thresholds' | 'formula' | 'fields' | 'percentile'>

const plain = { formula: undefined, fields: [], percentile: undefined }
const countAsked: fc.Arbitrary<Asked> = bounds(1, 4).map((thresholds) => ({ ...plain, type: 'event_count', thresholds }))
const valueCountAsked: fc.Arbitrary<Asked> = fc.record({
  type: fc.constant('value_count' as const), thresholds: bounds(1, 3), formula: fc.constant(undefined), percentile: fc.constant(undefined),
  fields: fc.constantFrom(['host'], ['host', 'account']),
})
const numberAsked: fc.Arbitrary<Asked> = fc.record({
  type: fc.constantFrom('value_sum' as const, 'value_avg' as const, 'value_median' as const), thresholds: bounds(-2, 9),
  formula: fc.constant(undefined), percentile: fc.constant(undefined), fields: fc.constant(['number']),
})
const percentileAsked: fc.Arbitrary<Asked> = fc.record({
  type: fc.constant('value_percentile' as const), thresholds: bounds(-2, 9), formula: fc.constant(undefined),
  percentile: fc.constantFrom(0, 7, 25, 50, 55, 90, 100), fields: fc.constant(['number']),
})
const shareAsked: fc.Arbitrary<Asked> = bounds(10, 100).map((thresholds) => {
  return { ...plain, type: 'value_percentile', thresholds, fields: ['image'] }
})

function temporalAsked(rules: readonly string[]): fc.Arbitrary<Asked> {
  const type = fc.constantFrom('temporal' as const, 'temporal_ordered' as const)
  const thresholds = fc.option(bounds(1, rules.length), { nil: undefined })
  return fc.oneof(
    fc.tuple(type, thresholds).map(([one, some]) => ({ ...plain, type: one, thresholds: some ?? { gte: rules.length } })),
    fc.tuple(type, formulaOver(rules)).map(([one, formula]) => ({ ...plain, type: one, thresholds: undefined, formula })),
  )
}

/** A formula that reads each rule once. */
function formulaOver(rules: readonly string[]): fc.Arbitrary<ReferenceFormula> {
  const [first, ...rest] = rules
  const negated = fc.nat(3).map((one) => one === 0)
  const leaf = negated.map((isNegated): ReferenceFormula => (isNegated ? { not: first! } : first!))
  if (rest.length === 0) return leaf
  return fc.tuple(leaf, fc.constantFrom('and', 'or'), formulaOver(rest), negated).map(([one, operator, other, isNegated]) => {
    const joined = operator === 'and' ? { and: [one, other] } : { or: [one, other] }
    return isNegated ? { not: joined } : joined
  })
}

/** One correlation over detection rules. */
const inner: fc.Arbitrary<ReferenceCorrelation> = fc.shuffledSubarray([...detections], { minLength: 1 }).chain((rules) => fc.record({
  name: fc.constant('inner'),
  rules: fc.constant(rules),
  groupBy: fc.constantFrom<readonly string[]>([], ['user'], ['user'], ['who'], ['user', 'account']),
  aliases: fc.constant({ who: { a: 'user', b: 'account' } }),
  spanMs: fc.constantFrom(...spans),
  asked: fc.oneof(countAsked, valueCountAsked, numberAsked, percentileAsked, shareAsked, temporalAsked(rules), temporalAsked(rules)),
  firing: fc.constantFrom('on_true' as const, 'every' as const, 'once_per_window' as const, 'reset' as const),
  window: fc.constantFrom('sliding' as const, 'sliding' as const, 'sliding' as const, 'tumbling' as const, 'session' as const),
  isCaseSensitive: fc.nat(4).map((one) => one === 0),
}).map(({ asked, aliases, ...rest }) => ({ ...rest, ...asked, aliases: withAliases(rest.groupBy, rules, aliases) })))

/** An alias for the rules that a correlation names, where it groups by it. */
function withAliases(
  groupBy: readonly string[], rules: readonly string[], aliases: ReferenceCorrelation['aliases'],
): ReferenceCorrelation['aliases'] {
  if (!groupBy.includes('who')) return {}
  const own = Object.entries(aliases['who']!).filter(([rule]) => rules.includes(rule))
  return own.length === 0 ? {} : { who: Object.fromEntries(own) }
}

/** A correlation, or one and another that names it. */
export const correlations: fc.Arbitrary<readonly ReferenceCorrelation[]> = fc.oneof(
  inner.map((one) => [one]),
  fc.tuple(inner, fc.subarray(['b', 'c'])).chain(([one, others]) => {
    const rules = fc.constantFrom(['inner', ...others], [...others, 'inner'])
    return rules.chain((named) => fc.record({
      name: fc.constant('outer'),
      rules: fc.constant(named),
      // Of fields that the inner one groups by, and of others, which its matches carry.
      groupBy: fc.constantFrom<readonly string[]>([], one.groupBy.slice(0, 1), ['account'], ['user', 'account'], ['whose']),
      aliases: fc.constant({ whose: { inner: 'account', b: 'user' } }),
      spanMs: fc.constantFrom(...spans),
      asked: fc.oneof(countAsked, temporalAsked(named), valueCountAsked, shareAsked),
      firing: fc.constantFrom('on_true' as const, 'every' as const, 'once_per_window' as const, 'reset' as const),
      isCaseSensitive: fc.constant(one.isCaseSensitive === true),
    })).map(({ asked, aliases, ...rest }) => {
      const own = Object.fromEntries(Object.entries(aliases.whose).filter(([rule]) => rest.rules.includes(rule)))
      return [one, { ...rest, ...asked, aliases: rest.groupBy.includes('whose') ? { whose: own } : {} }]
    })
  }),
)

/** The rules as an engine reads them; `generate` lets an inner correlation speak, so that it is compared as well. */
export function ruleObjects(correlated: readonly ReferenceCorrelation[]): RuleObject[] {
  return [
    ...detections.map((name) => ({ name, detection: { selection: { kinds: name }, condition: 'selection' } })),
    ...correlated.map((correlation) => ({ name: correlation.name, generate: true, correlation: sectionOf(correlation) })),
  ]
}

function sectionOf(correlation: ReferenceCorrelation): object {
  const { type, rules, groupBy, aliases, spanMs, thresholds, formula, fields, percentile, firing, window, isCaseSensitive } = correlation
  const field = fields.length === 0 ? {} : { field: fields.length === 1 ? fields[0] : fields }
  const rank = percentile === undefined ? {} : { percentile }
  const condition = formula === undefined ? { ...thresholds, ...field, ...rank } : printFormula(formula)
  const own = {
    ...(window === undefined ? {} : { 'x-tripline-window': window }),
    ...(isCaseSensitive === true ? { 'x-tripline-case': 'sensitive' } : {}),
  }
  return { type, rules, 'group-by': groupBy, aliases, timespan: `${spanMs / 1_000}s`, condition, firing, ...own }
}

function printFormula(formula: ReferenceFormula): string {
  if (typeof formula === 'string') return formula
  if ('not' in formula) return `not ${printFormula(formula.not)}`
  const [parts, word] = 'and' in formula ? [formula.and, 'and'] : [formula.or, 'or']
  return `(${parts.map(printFormula).join(` ${word} `)})`
}
