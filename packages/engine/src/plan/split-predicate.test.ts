import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../test/formulas.ts'
import { someEvent, someFieldRef, somePredicate, someTest } from '../../test/generate/generate-predicates.ts'
import { expectProcessorTime, getThreadCpuMs } from '../../test/processor-time.ts'
import { all, any, fieldRef, group, isMatch, not, number, printPredicate, text } from '../../test/predicates.ts'
import type { EventObject } from '../event/event.ts'
import { collectLeafTexts } from '../event/leaves.ts'
import { ValueView } from '../event/value-view.ts'
import { lookUp } from '../event/value.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Predicate, Test } from '../predicate/predicate.ts'
import { AtomTable } from './atom-table.ts'
import type { Atom } from './atom-table.ts'
import { fails, holds, printFormula, unknown } from './formula.ts'
import { splitPredicate } from './split-predicate.ts'

const fields = ['a', 'b', 'c.d']
const leaves = fc.oneof({ weight: 5, arbitrary: someTest([...fields, undefined]) }, { weight: 1, arbitrary: someFieldRef(fields) })

function element(of: Predicate): Predicate {
  return { kind: 'elements', field: 'a', quantifier: 'any', of }
}

function printAtom(atom: Atom): string {
  return `${atom.field ?? '*'}: ${atom.kind === 'pair' ? `${atom.test.relation} ${atom.test.field}` : printPredicate(atom.predicate)}`
}

/** Whether an atom holds of an event, asked on its own. */
function holdsOf(atom: Atom, event: EventObject): boolean {
  if (atom.kind === 'pair') return isMatch(pairTest(atom), event)
  return compileCheck(atom.predicate)(new ValueView(atom.field === undefined ? collectLeafTexts(event) : lookUp(event, atom.field)))
}

function pairTest({ field, test: value }: Atom & { readonly kind: 'pair' }): Test {
  return { kind: 'test', field, value, written: { item: field, operator: 'fieldref' }, writtenValue: value.field }
}

describe('splitPredicate', () => {
  const [a, b, c] = [text('a', 'x'), text('a', 'y*'), text('b', 'z')]
  test.for<[formula: string, atoms: string, predicate: Predicate]>([
    ['#0', 'a: x', a],
    ['#0', 'a: (x & y*)', all(a, b)],
    ['#0', 'a: (x | y*)', any(a, b)],
    ['#0', 'a: (x & !y*)', all(a, not(b))],
    ['(#0 & #1)', 'a: x, b: z', all(a, c)],
    ['(#0 & #1)', 'a: (x & y*), b: z', all(a, c, b)],
    ['(#0 & #1)', 'a: (x & y*), b: z', all(a, group(all(c, b)))],
    ['(#0 | #1)', 'a: (x | y*), b: z', any(any(a, c), group(b))],
    ['(#1 & (#0 | #1))', 'b: z, a: y*', all(b, any(c, b))],
    ['!#0', 'a: x', not(a)],
    ['#0', 'a: !!x', not(not(a))],
    ['!(#0 & #1)', 'a: x, b: z', not(all(a, c))],
    ['(#0 & #1)', 'a: x, b: z', not(not(all(a, c)))],
    ['(!#0 & #1)', 'a: x, b: z', all(not(a), c)],
    ['(#0 & true)', 'a: x', all(a, { kind: 'constant', value: true })],
    ['()', '', all()],
    ['#0', '*: x', text(undefined, 'x')],
    ['(#0 & #1)', '*: x, a: x', all(text(undefined, 'x'), a)],
    ['#0', 'a: equals b', fieldRef('a', 'b')],
    ['(#1 & #0)', 'a: equals b, a: x', all(fieldRef('a', 'b'), a)],
    ['(#0 & ?)', 'a: x', all(a, element(text('.', 'x')))],
    ['?', '', { ...fieldRef('a', 'b'), field: undefined }],
    ['#0', 'a: 1', number('a', 1)],
  ])('makes %s of %s', ([formula, atoms, predicate]) => {
    const table = new AtomTable()
    const printed = printFormula(splitPredicate(predicate, table))
    expect([printed, table.atoms.map(printAtom).join(', ')]).toEqual([formula, atoms])
  })

  test('the formula over the truth of its atoms is the predicate', () => {
    fc.assert(
      fc.property(somePredicate(leaves), someEvent(fields), (predicate, event) => {
        const table = new AtomTable()
        const formula = splitPredicate(predicate, table)
        const outcome = evaluate(formula, (atom) => (holdsOf(table.atoms[atom]!, event) ? holds : fails))
        expect(outcome, printFormula(formula)).toBe(isMatch(predicate, event) ? holds : fails)
      }),
      { numRuns: 3000 },
    )
  })

  test('what is decided beside a condition on elements is decided rightly', () => {
    const somewhere = fc.oneof(someTest(fields), someTest(['.']).map(element))
    fc.assert(
      fc.property(somePredicate(somewhere), someEvent(fields), (predicate, event) => {
        const table = new AtomTable()
        const outcome = evaluate(splitPredicate(predicate, table), (atom) => (holdsOf(table.atoms[atom]!, event) ? holds : fails))
        fc.pre(outcome !== unknown)
        expect(outcome).toBe(isMatch(predicate, event) ? holds : fails)
      }),
      { numRuns: 500 },
    )
  })

  test('nothing absent passes an atom', () => {
    fc.assert(
      fc.property(somePredicate(leaves), (predicate) => {
        const table = new AtomTable()
        splitPredicate(predicate, table)
        for (const atom of table.atoms) {
          const isHeld = atom.kind === 'pair' ? isMatch(pairTest(atom), {}) : compileCheck(atom.predicate)(new ValueView(undefined))
          expect(isHeld, printAtom(atom)).toBe(false)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('equal atoms are one', () => {
    fc.assert(
      fc.property(fc.array(somePredicate(leaves), { minLength: 1, maxLength: 3 }), (predicates) => {
        const table = new AtomTable()
        const formulas = predicates.map((predicate) => splitPredicate(predicate, table))
        const count = table.atoms.length
        expect(predicates.map((predicate) => splitPredicate(group(predicate), table))).toEqual(formulas)
        expect(table.atoms.length).toBe(count)
      }),
      { numRuns: 500 },
    )
  })
})

test('values of one field are split in a time that grows as they do', () => {
  const values = Array.from({ length: 60_000 }, (_, i) => text('a', `value-${i}`))
  const startedMs = getThreadCpuMs()
  splitPredicate(any(...values), new AtomTable())
  expectProcessorTime(getThreadCpuMs() - startedMs, 1_000)
})
