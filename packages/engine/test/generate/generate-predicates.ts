// Some expressions and texts are left to RE2 by the lazy DFA.
import '../../src/predicate/matchers/re2.ts'
import fc from 'fast-check'
import type { EventObject } from '../../src/event/event.ts'
import type { Scalar } from '../../src/event/value.ts'
import type { FixedTest } from '../../src/predicate/comparison.ts'
import { parseCidr } from '../../src/predicate/matchers/cidr.ts'
import { parsePattern } from '../../src/predicate/pattern.ts'
import type { Pattern, PatternPart } from '../../src/predicate/pattern.ts'
import type { CidrTest, FieldRefTest, Predicate, Test } from '../../src/predicate/predicate.ts'
import { createTest } from '../predicates.ts'

/** Few characters, so that texts often match: with two cases, of several bytes, and with special case mappings. */
const characters = ['a', 'A', 'b', '1', '.', 'é', 'É', 'Σ', 'ς', 'İ', '\u212a', 'k', '😀', '𐐀', '𐐨']

/** Words that other tests also compare. */
const words = [
  '', '-é-'.repeat(30), '1', ' 1.0 ', '12', 'true', 'False', '10.0.0.1', '::1', '2024-05-06T07:08:09Z', 'aabbaab', 'powershell',
]

/** A text of an event. */
export const someText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.constantFrom(...characters), maxLength: 10 }),
  fc.constantFrom(...words),
)

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  { weight: 3, arbitrary: someText },
  { weight: 1, arbitrary: fc.constantFrom<Scalar>(0, 1, 12, -1, 1.5, 2 ** 53, true, false, null) },
)

/** The value of a present field. */
export const someValue: fc.Arbitrary<Scalar | readonly Scalar[]> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
)

/** An event with some of these fields. */
export function someEvent(fields: readonly string[]): fc.Arbitrary<EventObject> {
  return fc.dictionary(fc.constantFrom(...fields), someValue, { maxKeys: fields.length })
}

const part: fc.Arbitrary<PatternPart> = fc.oneof(
  { weight: 3, arbitrary: someText.map((text): PatternPart => ({ kind: 'text', text })) },
  { weight: 3, arbitrary: fc.constant<PatternPart>({ kind: 'any' }) },
  { weight: 1, arbitrary: fc.constant<PatternPart>({ kind: 'one' }) },
  { weight: 1, arbitrary: fc.constantFrom('a1', 'éb', '😀a𐐀').map((one): PatternPart => ({ kind: 'oneOf', characters: one })) },
)

/** Patterns that match more often than random ones. */
const usualPatterns = ['a', '*a*', 'a*', '*b', '*', '', '1', '*1*', 'true', 'K', '*é*'].map(parsePattern)

/** A pattern, not in its shortest form. */
export const somePattern: fc.Arbitrary<Pattern> = fc.oneof(
  { weight: 2, arbitrary: fc.array(part, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(...usualPatterns) },
)

const order = fc.constantFrom('eq' as const, 'gt' as const, 'gte' as const, 'lt' as const, 'lte' as const)

/** A comparison with something fixed. */
export const someFixedTest: fc.Arbitrary<FixedTest> = fc.oneof(
  { weight: 6, arbitrary: fc.record({
    kind: fc.constant('text' as const), pattern: somePattern, isCased: fc.constantFrom(false, false, true),
  }) },
  { weight: 2, arbitrary: fc.constantFrom<FixedTest>(
    { kind: 'number', value: 0 },
    { kind: 'number', value: 1 },
    { kind: 'number', value: 12 },
    { kind: 'number', value: 2 ** 53, text: '9007199254740993' },
  ) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<FixedTest>({ kind: 'null' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('exists' as const), isPresent: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({
    kind: fc.constant('compare' as const), operator: order, value: fc.constantFrom(0, 1, 12),
  }) },
  { weight: 1, arbitrary: fc.record({
    kind: fc.constant('timePart' as const),
    part: fc.constantFrom('hour' as const, 'day' as const),
    operator: order,
    value: fc.constant(7),
  }) },
  { weight: 1, arbitrary: fc.record({
    kind: fc.constant('instant' as const), operator: order, at: fc.constantFrom(0, 12_000, Date.UTC(2024, 4, 6, 7, 8, 9)),
  }) },
  { weight: 1, arbitrary: fc.record({
    kind: fc.constant('regex' as const),
    source: fc.constantFrom('a+b', '^a', 'aab|é', '[0-9]$', 'shell', '.*', '.{70}', '[^ac]{64}'),
    ignoresCase: fc.boolean(),
    isMultiline: fc.constant(false),
    dotMatchesNewline: fc.constant(false),
  }) },
  { weight: 1, arbitrary: fc.constantFrom('10.0.0.0/8', '::1/128').map(network) },
)

/** A comparison of one field with something fixed; without a field, a keyword. */
export function someTest(fields: readonly (string | undefined)[]): fc.Arbitrary<Test> {
  return fc.tuple(fc.constantFrom(...fields), someFixedTest).map(([field, value]) => createTest(field, value))
}

/** A comparison of two fields. */
export function someFieldRef(fields: readonly string[]): fc.Arbitrary<Test> {
  const value: fc.Arbitrary<FieldRefTest> = fc.record({
    kind: fc.constant('fieldRef' as const),
    field: fc.constantFrom(...fields),
    relation: fc.constantFrom('equals' as const, 'startswith' as const, 'endswith' as const, 'contains' as const),
    isCased: fc.boolean(),
  })
  return fc.tuple(fc.constantFrom(...fields), value).map(([field, test]) => createTest(field, test))
}

/** A tree over some leaves. */
export function somePredicate(leaf: fc.Arbitrary<Predicate>): fc.Arbitrary<Predicate> {
  return fc.letrec<{ node: Predicate }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
      fc.record({ kind: fc.constant('group' as const), name: fc.constant('selection'), of: tie('node') }),
      fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }),
    ),
  })).node
}

function network(text: string): CidrTest {
  const test = parseCidr(text)
  if ('problem' in test) throw new Error(test.problem)
  return test
}
