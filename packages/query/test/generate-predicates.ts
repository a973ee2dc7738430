import fc from 'fast-check'
import { parseCidr, parsePattern } from '@tripline/engine/predicate'
import type { Pattern, Predicate, ValueTest } from '@tripline/engine/predicate'
import { fieldNames, someText } from './generate-queries.ts'

const somePattern: fc.Arbitrary<Pattern> = fc.array(fc.oneof(
  { weight: 3, arbitrary: someText.map((text): Pattern[number] => ({ kind: 'text', text })) },
  { weight: 2, arbitrary: fc.constant<Pattern[number]>({ kind: 'any' }) },
  { weight: 1, arbitrary: fc.constant<Pattern[number]>({ kind: 'one' }) },
  { weight: 1, arbitrary: fc.constant<Pattern[number]>({ kind: 'oneOf', characters: 'a-é–' }) },
), { maxLength: 3 })

const order = fc.constantFrom('eq' as const, 'gt' as const, 'gte' as const, 'lt' as const, 'lte' as const)
const flags = { isMultiline: false, dotMatchesNewline: false } as const

/** What rules ask, also what no query says and no column shows. */
const someValueTest: fc.Arbitrary<ValueTest> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.oneof(somePattern, fc.constantFrom('a', '*a*', 'b*', '*', '').map(parsePattern)), fc.constantFrom(false, false, true))
    .map(([pattern, isCased]): ValueTest => ({ kind: 'text', pattern, isCased })) },
  { weight: 1, arbitrary: fc.constantFrom<ValueTest>({ kind: 'number', value: 1 }, { kind: 'number', value: 2 ** 53, text: '9007199254740993' }) },
  { weight: 1, arbitrary: fc.tuple(order, fc.constantFrom(0, 1, 5)).map(([operator, value]): ValueTest => ({ kind: 'compare', operator, value })) },
  { weight: 1, arbitrary: order.map((operator): ValueTest => ({ kind: 'instant', operator, at: 1_778_051_289_000 })) },
  { weight: 1, arbitrary: fc.boolean().map((value): ValueTest => ({ kind: 'boolean', value })) },
  { weight: 1, arbitrary: fc.boolean().map((isPresent): ValueTest => ({ kind: 'exists', isPresent })) },
  { weight: 1, arbitrary: fc.constant<ValueTest>({ kind: 'null' }) },
  { weight: 1, arbitrary: fc.constantFrom('a', '^[0-9]+$').map((source): ValueTest => ({ kind: 'regex', source, ignoresCase: true, ...flags })) },
  { weight: 1, arbitrary: fc.constant('10.0.0.0/8').map((text): ValueTest => {
    const network = parseCidr(text)
    if ('problem' in network) throw new Error(network.problem)
    return network
  }) },
  { weight: 1, arbitrary: fc.constantFrom(...fieldNames).map((field): ValueTest => ({ kind: 'fieldRef', field, relation: 'equals', isCased: false })) },
)

const someTest: fc.Arbitrary<Predicate> = fc.tuple(fc.constantFrom(...fieldNames, undefined), someValueTest)
  .filter(([field, value]) => field !== undefined || value.kind === 'text' || value.kind === 'regex')
  .map(([field, value]) => ({ kind: 'test', field, value, written: { item: field ?? '', operator: 'eq' }, writtenValue: '' }))

/** A predicate as rules are lowered to. */
export const somePredicate: fc.Arbitrary<Predicate> = fc.letrec<{ node: Predicate }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    someTest,
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
    fc.record({ kind: fc.constant('group' as const), name: fc.constant('selection'), of: tie('node') }),
    fc.record({ kind: fc.constant('elements' as const), field: fc.constant('a'), quantifier: fc.constant('any' as const), of: tie('node') }),
  ),
})).node
