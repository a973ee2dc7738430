import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Batch } from '../event/batch.ts'
import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { FieldTable } from '../event/field-table.ts'
import { limits } from '../limits.ts'
import { compilePredicate } from '../predicate/compile.ts'
import { parsePattern } from '../predicate/pattern.ts'
import type { Predicate, ValueTest } from '../predicate/predicate.ts'
import { CandidateIndex } from './candidate-index.ts'
import { requirementOf } from './requires.ts'
import { ValueMemory } from './value-memory.ts'

function normalized(fields: EventObject): NormalizedEvent {
  return { fields, logsources: [], aliases: new Map(), ignoresNameCase: false }
}

function testOf(field: string | undefined, value: ValueTest): Predicate {
  return { kind: 'test', field, value, written: { item: field ?? '', value: '', operator: 'eq' } }
}

function text(field: string | undefined, pattern: string): Predicate {
  return testOf(field, { kind: 'text', pattern: parsePattern(pattern), isCased: false })
}

/** The candidates of each predicate, as `predicate:row`. */
function candidates(predicates: readonly Predicate[], events: readonly EventObject[]): string[] {
  const fields = new FieldTable()
  const index = new CandidateIndex([...predicates.keys()], (number) => requirementOf(predicates[number]!), { fields, memory: new ValueMemory() })
  const visited: string[] = []
  index.visit(new Batch(events.map(normalized), fields), (rule, rows, count) => {
    const ascending = [...rows.subarray(0, count)]
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
    visited.push(...ascending.map((row) => `${rule}:${row}`))
  })
  expect(new Set(visited).size).toBe(visited.length)
  return visited.toSorted()
}

describe('CandidateIndex', () => {
  const events: EventObject[] = [{ a: 'Foo.exe', n: 1 }, { a: ['x', 'FOO.EXE'], n: '1.0' }, { b: { c: 'foo.exe' } }, { a: null }]
  test.for<[string, Predicate, string[]]>([
    ['text', text('a', '*foo.exe'), ['0:0', '0:1']],
    ['a number, also as text', testOf('n', { kind: 'number', value: 1 }), ['0:0', '0:1']],
    ['a keyword in any leaf', text(undefined, '*foo.exe*'), ['0:0', '0:1', '0:2']],
    ['what nothing is known of', testOf('a', { kind: 'null' }), ['0:0', '0:1', '0:2', '0:3']],
    ['what matches nothing', { kind: 'constant', value: false }, []],
    ['any of several', { kind: 'or', of: [text('a', 'x'), text('b.c', 'foo*')] }, ['0:1', '0:2']],
  ])('tries rules with %s where they may match', ([, predicate, want]) => {
    expect(candidates([predicate], events)).toEqual(want)
  })

  test('never leaves out a row that matches', () => {
    const leaf = fc
      .tuple(fc.constantFrom('a', 'b', undefined), fc.constantFrom('ab', '*ab*', 'ab*', '*b', 'a?b*', '*', '', '*abcd*ef'))
      .map(([field, pattern]) => text(field, pattern))
    const number = fc.constantFrom(1, 2).map((value) => testOf('a', { kind: 'number', value }))
    const tree: fc.Arbitrary<Predicate> = fc.letrec<{ node: Predicate }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        number,
        fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { maxLength: 3 }) }),
        fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
      ),
    })).node
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'B', 'cd', 'ef'), maxLength: 6 }),
      fc.constantFrom<unknown>(1, '2', null, ['ab', 1], { c: 'ab' }),
    )
    const batch = fc.array(fc.dictionary(fc.constantFrom('a', 'b'), value), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 5 }), batch, (predicates, given) => {
        const tried = candidates(predicates, given)
        const fields = new FieldTable()
        for (const [rule, predicate] of predicates.entries()) {
          const out = new Uint32Array(given.length)
          const rows = Uint32Array.from(given.keys())
          const count = compilePredicate(predicate, fields)(new Batch(given.map(normalized), fields), rows, rows.length, out)
          for (const row of out.subarray(0, count)) expect(tried).toContain(`${rule}:${row}`)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('gives the same answers when more values came than it remembers', () => {
    const fields = new FieldTable()
    const index = new CandidateIndex([0], () => requirementOf(text('a', '*needle*')), { fields, memory: new ValueMemory() })
    const filling = 'x'.repeat(limits.knownValueLengthMax - 20)
    const count = Math.ceil((1.2 * limits.knownValueBytesMax) / (2 * limits.knownValueLengthMax))
    const given = Array.from({ length: count }, (_, i) => ({ a: `${i % 2 === 0 ? 'needle' : 'hay'} ${i} ${filling}` }))
    const rows: number[] = []
    index.visit(new Batch([...given, ...given].map(normalized), fields), (_, found, foundCount) => rows.push(...found.subarray(0, foundCount)))
    expect(rows).toEqual([...given, ...given].flatMap(({ a }, row) => (a.startsWith('needle') ? [row] : [])))
  })
})
