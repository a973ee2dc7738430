import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Batch } from '../event/batch.ts'
import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { FieldTable } from '../event/field-table.ts'
import { compilePredicate } from './compile.ts'
import { explainPredicate } from './explain.ts'
import { listMatchedConditions } from './matched-conditions.ts'
import { parsePattern } from './pattern.ts'
import type { Predicate, Test, ValueTest } from './predicate.ts'

function normalized(fields: EventObject): NormalizedEvent {
  return { fields, logsources: [], aliases: new Map([['alias', ['a', 'b']]]), ignoresNameCase: false }
}

/** The rows of some events that a predicate keeps, of all of them. */
function rowsOf(predicate: Predicate, events: readonly EventObject[]): number[] {
  const fields = new FieldTable()
  const matcher = compilePredicate(predicate, fields)
  const rows = Uint32Array.from(events.keys())
  const out = new Uint32Array(events.length)
  const count = matcher(new Batch(events.map(normalized), fields), rows, rows.length, out)
  return [...out.subarray(0, count)]
}

function testOf(field: string | undefined, value: ValueTest): Test {
  return { kind: 'test', field, value, written: { item: field ?? '', operator: 'eq' }, writtenValue: JSON.stringify(value) }
}

function text(field: string | undefined, pattern: string, isCased = false): Test {
  return testOf(field, { kind: 'text', pattern: parsePattern(pattern), isCased })
}

describe('compilePredicate', () => {
  const events: EventObject[] = [
    { a: 'x', n: 1 },
    { a: 'X', n: '2', b: null },
    { a: ['y', 'x'], n: [1, 2] },
    { b: 'x', c: { d: 'x' } },
    { a: null, 'c.d': 'y' },
    { a: '', n: true },
    { a: [] },
  ]
  test.for<[string, Predicate, number[]]>([
    ['text without case', text('a', 'x'), [0, 1, 2]],
    ['text with case', text('a', 'x', true), [0, 2]],
    ['empty text', text('a', ''), [5]],
    ['any text', text('a', '*'), [0, 1, 2, 5]],
    ['a nested field, the literal key first', text('c.d', 'x'), [3]],
    ['an alias', text('alias', 'x'), [0, 1, 2, 3]],
    ['null: absent or null', testOf('a', { kind: 'null' }), [3, 4]],
    ['present', testOf('a', { kind: 'exists', isPresent: true }), [0, 1, 2, 4, 5, 6]],
    ['not present', testOf('a', { kind: 'exists', isPresent: false }), [3]],
    ['a number', testOf('n', { kind: 'number', value: 1 }), [0, 2]],
    ['a comparison', testOf('n', { kind: 'compare', operator: 'gte', value: 2 }), [1, 2]],
    ['a boolean', testOf('n', { kind: 'boolean', value: true }), [5]],
    ['a keyword', text(undefined, '*x*'), [0, 1, 2, 3]],
    ['another field', testOf('a', { kind: 'fieldRef', field: 'b', relation: 'equals', isCased: false }), []],
    ['a list of which one is not equal', { kind: 'not', of: text('a', 'y') }, [0, 1, 3, 4, 5, 6]],
    ['any element', { kind: 'elements', field: 'a', quantifier: 'any', of: text('.', 'x') }, [0, 1, 2]],
    ['all elements of one at least', { kind: 'elements', field: 'n', quantifier: 'all', of: testOf('.', { kind: 'number', value: 1 }) }, [0]],
    ['all elements, also of none', { kind: 'elements', field: 'a', quantifier: 'all_or_empty', of: text('.', 'x') }, [0, 1, 3, 6]],
    ['no element', { kind: 'elements', field: 'a', quantifier: 'none', of: text('.', 'x') }, [3, 4, 5, 6]],
    ['an element by its index', { kind: 'elements', field: 'a', quantifier: 1, of: text('.', 'x') }, [2]],
    ['an element of a nested list', { kind: 'elements', field: 'c', quantifier: 'any', of: text('d', 'x') }, [3]],
    ['nothing', { kind: 'constant', value: false }, []],
    ['everything', { kind: 'constant', value: true }, [0, 1, 2, 3, 4, 5, 6]],
    ['all of none', { kind: 'and', of: [] }, [0, 1, 2, 3, 4, 5, 6]],
    ['any of none', { kind: 'or', of: [] }, []],
  ])('keeps the rows of %s', ([, predicate, want]) => {
    expect(rowsOf(predicate, events)).toEqual(want)
  })

  test('agrees with explanations and held conditions on random trees', () => {
    const leaf = fc
      .tuple(fc.constantFrom('a', 'b', 'c.d', '.', undefined), fc.constantFrom('x', '*y*', 'x*', ''))
      .map(([field, pattern]): Predicate => text(field, pattern))
    const tree: fc.Arbitrary<Predicate> = fc.letrec<{ node: Predicate }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { maxLength: 3 }) }),
        fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
        fc.record({
          kind: fc.constant('elements' as const),
          field: fc.constantFrom('a', 'c', 'list'),
          quantifier: fc.constantFrom('any' as const, 'all' as const, 'all_or_empty' as const, 'none' as const, 1),
          of: tie('node'),
        }),
        fc.record({ kind: fc.constant('group' as const), name: fc.constantFrom('s', 't'), of: tie('node') }),
      ),
    })).node
    const value = fc.constantFrom<unknown>('x', 'y', 'xy', '', null, ['x', 'y'], { d: 'x' }, 1, [{ a: 'x' }, { a: 'y', b: 'x' }, 'x'], [])
    const batch = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'c.d', 'list'), value, { maxKeys: 4 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(tree, batch, (predicate, given) => {
        const kept = rowsOf(predicate, given)
        for (const [row, event] of given.entries()) {
          const explanation = explainPredicate(predicate, normalized(event))
          expect(explanation.result).toBe(kept.includes(row))
          expect(listMatchedConditions(predicate, normalized(event)) !== undefined).toBe(explanation.result)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
