import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { somePredicate, someValue } from '../../test/generate/generate-predicates.ts'
import { all, any, fieldRef, group, not, number, printPredicate, createTest, text } from '../../test/predicates.ts'
import { ValueView } from '../event/value-view.ts'
import { compileCheck } from '../predicate/check.ts'
import type { FieldRefTest, Predicate, Test } from '../predicate/predicate.ts'
import { AtomTable, toPredicateKey } from './atom-table.ts'
import { printFormula } from './formula.ts'

function pairOf({ value }: Test): FieldRefTest {
  if (value.kind !== 'fieldRef') throw new Error('compares one field')
  return value
}

describe('AtomTable', () => {
  const [x, y] = [text('a', 'x'), text('a', 'y')]
  const isNull = createTest('a', { kind: 'null' })
  const isAbsent = createTest('a', { kind: 'exists', isPresent: false })

  test.for<[formula: string, atom: string, predicate: Predicate]>([
    ['#0', 'x', x],
    ['!#0', 'x', not(x)],
    ['#0', '!!x', not(not(x))],
    ['!#0', '!null', isNull],
    ['#0', '!null', not(isNull)],
    ['!#0', '!absent', isAbsent],
    ['!#0', '!(x | null)', any(x, isNull)],
    ['#0', '(x & null)', all(x, isNull)],
    ['!#0', '(x & y)', not(all(x, y))],
  ])('makes %s where the atom is %s', ([formula, atom, predicate]) => {
    const table = new AtomTable()
    expect(printFormula(table.toFormula('a', predicate))).toBe(formula)
    expect(table.atoms.map((one) => (one.kind === 'field' ? printPredicate(one.predicate) : 'pair'))).toEqual([atom])
  })

  test.for<[title: string, count: number, predicates: readonly (readonly [field: string | undefined, predicate: Predicate])[]]>([
    ['the same twice', 1, [['a', x], ['a', text('a', 'x')]]],
    ['a condition and its opposite', 1, [['a', x], ['a', not(x)]]],
    ['another order', 1, [['a', any(x, y)], ['a', any(y, x)]]],
    ['another name of a selection', 1, [['a', group(all(x, y))], ['a', all(y, group(x))]]],
    ['other words of the author', 1, [['a', x], ['a', { ...x, writtenValue: 'X', written: { item: 'a|contains', operator: 'contains' } }]]],
    ['another field', 2, [['a', x], ['b', x]]],
    ['a field and a keyword', 2, [['a', x], [undefined, x]]],
    ['and, or', 2, [['a', all(x, y)], ['a', any(x, y)]]],
    ['a text and a number', 2, [['a', text('a', '1')], ['a', number('a', 1)]]],
    ['with case and without', 2, [['a', x], ['a', text('a', 'x', true)]]],
    ['a wildcard and a star', 2, [['a', text('a', '*')], ['a', text('a', '\\*')]]],
  ])('%s: %i', ([, count, predicates]) => {
    const table = new AtomTable()
    for (const [field, predicate] of predicates) table.toFormula(field, predicate)
    expect(table.atoms.length).toBe(count)
  })

  test.for<[title: string, count: number, pairs: readonly Test[]]>([
    ['the same pair twice', 1, [fieldRef('a', 'b'), fieldRef('a', 'b')]],
    ['a pair the other way round', 2, [fieldRef('a', 'b'), fieldRef('b', 'a')]],
    ['another relation', 2, [fieldRef('a', 'b'), fieldRef('a', 'b', 'contains')]],
  ])('%s: %i', ([, count, pairs]) => {
    const table = new AtomTable()
    for (const pair of pairs) table.toPairFormula(pair.field ?? '', pairOf(pair))
    expect(table.atoms.length).toBe(count)
  })

  test('predicates with one key pass the same values', () => {
    const few = fc.constantFrom(x, text('a', 'X'), text('a', '*1*'), number('a', 1), isNull, isAbsent)
    const small = somePredicate(few)
    let sameCount = 0
    const someValues = fc.array(fc.option(someValue, { nil: undefined }), { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(small, small, someValues, (one, other, values) => {
        if (toPredicateKey(one) !== toPredicateKey(other)) return
        sameCount++
        const [check, otherCheck] = [compileCheck(one), compileCheck(other)]
        for (const value of values) expect(check(new ValueView(value))).toBe(otherCheck(new ValueView(value)))
      }),
      { numRuns: 3000 },
    )
    expect(sameCount).toBeGreaterThan(50)
  })
})
