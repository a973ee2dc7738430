import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { someFixedTest, somePredicate, someText, someValue } from '../../test/generate/generate-predicates.ts'
import { all, any, not, number, printPredicate, regex, createTest, text } from '../../test/predicates.ts'
import { isNeedleIn } from '../../test/reference/reference-needle.ts'
import { QGramIndex } from '../candidates/q-gram-index.ts'
import { parseNumber } from '../event/parse-number.ts'
import { ValueView } from '../event/value-view.ts'
import type { FieldValue } from '../event/value.ts'
import { finishSteps } from '../finish-steps.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { FieldAtoms } from './field-atoms.ts'
import type { FieldAtom } from './field-atoms.ts'
import { SamplingTimer } from './sampling-timer.ts'

const somePredicates = fc.array(somePredicate(someFixedTest.map((value) => createTest('a', value))), { minLength: 1, maxLength: 4 })

/** Atoms with the numbers 10, 12, 14, ...: a field has some of all there are. */
function numbered(predicates: readonly Predicate[]): readonly FieldAtom[] {
  return predicates.map((predicate, place) => ({ atom: 10 + 2 * place, predicate }))
}

/** The atoms that hold, asked one by one. */
function reference(atoms: readonly FieldAtom[], value: FieldValue): number[] {
  const reading = new ValueView(value)
  return atoms.flatMap(({ atom, predicate }) => (compileCheck(predicate)(reading) ? [atom] : []))
}

type Held = { readonly atoms: readonly number[]; readonly asked: readonly { readonly test: number; readonly isHeld: boolean }[] }

function buildAtoms(atoms: readonly FieldAtom[]): FieldAtoms {
  return finishSteps(FieldAtoms.build(atoms))
}

/** The atoms that hold of the value that is looked at, with the answers to what had to be asked. */
function heldOf(atoms: FieldAtoms): Held {
  const held = atoms.evaluateAtoms()
  return { atoms: held.atoms, asked: held.evaluatedTests.map((one) => ({ test: one, isHeld: atoms.evaluateTest(one) })) }
}

function heldAfterLook(atoms: FieldAtoms, value: FieldValue): Held {
  atoms.scanValue(value)
  return heldOf(atoms)
}

/** Looks at a string as the kernel does: the texts in it, and the number that it states, are found outside. */
function lookFound(atoms: FieldAtoms, finder: QGramIndex, value: string, readValue = () => value): readonly number[] {
  const found: number[] = []
  finder.find(value, found)
  for (const [place, { anchor, text: wanted }] of atoms.needles.entries()) {
    if (anchor === 'number' && Number(wanted) === parseNumber(value)) found.push(place)
  }
  atoms.acceptHits({ numbers: found, count: found.length }, readValue, { isComplete: true, lengthMax: value.length })
  return found
}

/** Finds what of the texts of atoms can be looked for in place: numbers, which are the last, cannot. */
function finderOf({ needles }: FieldAtoms): QGramIndex {
  return new QGramIndex(needles.flatMap((needle) => (needle.anchor === 'number' ? [] : [needle])))
}

/** What was found in the value that is looked at, in ascending order. */
function foundOf(atoms: FieldAtoms): number[] {
  return sorted(Array.from({ length: atoms.foundCount }, (_, place) => atoms.getFoundTest(place)))
}

/** Of two values in which the same was found, where they part: at two answers to one question, or nowhere. */
function partingOf(one: Held, other: Held): string {
  const at = one.asked.findIndex(({ test: asked, isHeld }, place) => {
    const answer = other.asked[place]
    return answer?.test !== asked || answer.isHeld !== isHeld
  })
  if (at !== -1) return one.asked[at]?.test === other.asked[at]?.test ? 'consistent' : 'other questions'
  if (one.asked.length !== other.asked.length) return 'more questions'
  return String(one.atoms) === String(other.atoms) ? 'consistent' : 'other atoms'
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b)
}

describe('FieldAtoms', () => {
  const [x, y] = [text('a', 'x'), text('a', '*y*')]
  const isNull = createTest('a', { kind: 'null' })
  const isAbove = createTest('a', { kind: 'compare', operator: 'gt', value: 5 })

  test.for<[title: string, value: FieldValue, held: number[], predicates: readonly Predicate[]]>([
    ['a text', 'X', [10], [x, y]],
    ['two of a list', ['x', 'xyz'], [10, 12], [x, y]],
    ['a number as text', '12.0', [12], [text('a', '12'), number('a', 12)]],
    ['a number', 12, [10, 12], [text('a', '12'), number('a', 12)]],
    ['null', null, [10], [isNull, x]],
    ['a null in a list', ['x', null], [10, 12], [isNull, x]],
    ['an empty list', [], [12], [x, not(x)]],
    ['no text at all', [null], [10, 14], [not(text('a', '*')), text('a', '*'), isNull]],
    ['any text', '', [12], [not(text('a', '*')), text('a', '*'), isNull]],
    ['what usually holds', 'z', [10, 12], [not(x), not(y), x]],
    ['what usually holds and does not', 'x', [12, 14], [not(x), not(y), x]],
    ['an order of numbers', '7', [12], [all(x, isAbove), isAbove]],
    ['a regular expression', 'xab', [10], [regex('a', 'ab$'), regex('a', 'abc')]],
    ['a regular expression of some length', '-'.repeat(70), [10], [regex('a', '-{70}'), regex('a', '-{71}'), regex('a', '.{69}x')]],
    ['a regular expression and a list', ['x', '-'.repeat(70)], [10, 12], [regex('a', '-{70}'), not(regex('a', '-{71}'))]],
    ['several of one comparison', 'xy', [10, 14], [all(y, not(x)), all(x, y), any(x, y)]],
    ['letters with other cases', 'É', [10], [text('a', 'é'), text('a', 'é', true)]],
  ])('holds of %s %j are %j', ([, value, held, predicates]) => {
    const atoms = buildAtoms(numbered(predicates))
    expect(heldAfterLook(atoms, value).atoms).toEqual(held)
    expect(reference(numbered(predicates), value)).toEqual(held)
  })

  test('agrees with checks one by one, value after value', () => {
    fc.assert(
      fc.property(somePredicates, fc.array(someValue, { maxLength: 6 }), (predicates, values) => {
        const atoms = buildAtoms(numbered(predicates))
        for (const value of values) {
          const title = predicates.map(printPredicate).join(', ')
          expect(heldAfterLook(atoms, value).atoms, title).toEqual(reference(numbered(predicates), value))
        }
      }),
      { numRuns: 1500 },
    )
  })

  test('gives the same where all texts were looked for before, or only those that can turn an atom', () => {
    fc.assert(
      fc.property(somePredicates, fc.array(someText, { maxLength: 6 }), (predicates, values) => {
        const atoms = () => buildAtoms(numbered(predicates))
        const [looking, complete, partial] = [atoms(), atoms(), atoms()]
        const finder = finderOf(complete)
        for (const value of values) {
          looking.scanValue(value)
          lookFound(complete, finder, value)
          const found: number[] = []
          partial.findNeedles(value, found)
          partial.acceptHits({ numbers: found, count: found.length }, () => value, { isComplete: false, lengthMax: value.length })
          const held = heldOf(looking)
          for (const other of [complete, partial]) {
            expect(foundOf(other)).toEqual(foundOf(looking))
            expect(other.foundHash).toBe(looking.foundHash)
            expect(heldOf(other)).toEqual(held)
          }
        }
      }),
      { numRuns: 700 },
    )
  })

  test('where texts are needed, no atom holds of texts in which none was found', () => {
    fc.assert(
      fc.property(somePredicates, fc.array(someText, { maxLength: 3 }), (predicates, texts) => {
        const atoms = buildAtoms(numbered(predicates))
        const found: number[] = []
        for (const one of texts) atoms.findNeedles(one, found)
        fc.pre(atoms.requiresNeedle && found.length === 0)
        expect(reference(numbered(predicates), texts)).toEqual([])
      }),
      { numRuns: 700 },
    )
  })

  test.for<[title: string, needsTexts: boolean, predicate: Predicate]>([
    ['x', true, x],
    ['x & !y', true, all(x, not(text('a', 'y')))],
    ['x & gt 5', true, all(x, isAbove)],
    ['!x', false, not(x)],
    ['1', false, number('a', 1)],
    ['!* & x', false, all(not(text('a', '*')), x)],
    ['!* & !null', false, all(not(text('a', '*')), not(isNull))],
    ['x | gt 5', false, any(x, isAbove)],
  ])('%s needs texts: %s', ([, needsTexts, predicate]) => {
    expect(buildAtoms(numbered([predicate])).requiresNeedle).toBe(needsTexts)
  })

  test('what is asked and what holds follow from what was found and answered', () => {
    fc.assert(
      fc.property(somePredicates, fc.array(someValue, { minLength: 2, maxLength: 12 }), (predicates, values) => {
        const atoms = buildAtoms(numbered(predicates))
        const looks = values.map((value) => {
          atoms.scanValue(value)
          return { found: String(foundOf(atoms)), held: heldOf(atoms) }
        })
        const partings = looks.flatMap((one, place) => looks.slice(place + 1).flatMap((other) => (
          one.found === other.found ? [partingOf(one.held, other.held)] : []
        )))
        expect(partings.filter((parting) => parting !== 'consistent')).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  test('an atom that holds has one of the needles there', () => {
    fc.assert(
      fc.property(somePredicates, fc.array(someValue, { minLength: 3, maxLength: 3 }), (predicates, values) => {
        const { requirement } = buildAtoms(numbered(predicates))
        fc.pre(requirement !== undefined)
        for (const value of values) {
          if (reference(numbered(predicates), value).length === 0) continue
          expect(requirement.some((needle) => isNeedleIn(needle, value)), predicates.map(printPredicate).join(', ')).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('what was found is forgotten when another value is looked at', () => {
    const atoms = buildAtoms(numbered([x, y, text('a', 'z')]))
    const found = (value: FieldValue) => {
      atoms.scanValue(value)
      return [atoms.foundCount, [0, 1, 2].filter((one) => atoms.hasFound(one))]
    }
    expect([found(['x', 'yy']), found('z'), found('w')]).toEqual([[2, [0, 1]], [1, [2]], [0, []]])
  })

  test('a string is read only where a comparison has to be asked', () => {
    const atoms = buildAtoms(numbered([y, regex('a', 'abc$')]))
    const finder = finderOf(atoms)
    const reads = (value: string): number => {
      let count = 0
      lookFound(atoms, finder, value, () => {
        count++
        return value
      })
      atoms.evaluateAtoms()
      return count
    }
    expect([reads('ab'), reads('xyz'), reads('abc'), reads('abcd')]).toEqual([0, 0, 1, 1])
  })

  test.for<[value: string, follows: boolean, predicates: readonly Predicate[]]>([
    ['x', true, [x, y, number('a', 1)]],
    ['abc', true, [regex('a', 'abd$'), x]],
    ['abc', false, [regex('a', 'abc$'), x]],
    ['7', false, [isAbove, x]],
    ['x', false, [x, regex('a', '(?:[a-f][0-9]){40}')]],
  ])('what holds of %j follows from what was found: %s', ([value, follows, predicates]) => {
    const atoms = buildAtoms(numbered(predicates))
    lookFound(atoms, finderOf(atoms), value)
    atoms.evaluateAtoms()
    expect(atoms.isDecidedByHits).toBe(follows)
    atoms.scanValue(value)
    atoms.evaluateAtoms()
    expect(atoms.isDecidedByHits).toBe(false)
  })

  test('where what holds follows from what was found, it holds of all in which that is found', () => {
    let again = 0
    fc.assert(
      fc.property(somePredicates, fc.array(someText, { minLength: 2, maxLength: 12 }), (predicates, values) => {
        const atoms = buildAtoms(numbered(predicates))
        const known = new Map<string, readonly number[]>()
        for (const value of values) {
          const found = String(lookFound(atoms, finderOf(atoms), value))
          const held = atoms.evaluateAtoms().atoms
          if (known.has(found)) again++
          expect(known.get(found) ?? held).toEqual(held)
          if (atoms.isDecidedByHits) known.set(found, held)
        }
      }),
      { seed: 20_265, numRuns: 1000 },
    )
    expect(again).toBeGreaterThan(500)
  })

  test('a comparison is made once for a value, however many atoms need it, and only where it counts', () => {
    const isBelow = createTest('a', { kind: 'compare', operator: 'lt', value: 9 })
    const atoms = buildAtoms(numbered([all(isAbove, isBelow), isAbove]))
    const [above, below] = [0, 1]
    expect(heldAfterLook(atoms, 7)).toEqual({
      atoms: [10, 12], asked: [{ test: above, isHeld: true }, { test: below, isHeld: true }],
    })
    expect(heldAfterLook(atoms, 3)).toEqual({ atoms: [], asked: [{ test: above, isHeld: false }] })
    expect([atoms.evaluateTest(above), atoms.evaluateTest(below)]).toEqual([false, true])
  })
})

describe('AtomWatch', () => {
  test('what is off is taken for what it usually is', () => {
    const atoms = buildAtoms(numbered([text('a', 'x'), not(text('a', 'x')), text('a', '*x*')]))
    const isOff = new Uint8Array(20)
    isOff[10] = 1
    isOff[12] = 1
    atoms.scanValue('x', { isDisabled: isOff, timer: undefined })
    expect(atoms.evaluateAtoms().atoms).toEqual([12, 14])
  })

  test('dear comparisons are timed for the first atom that has them', () => {
    let at = 0
    const times = new SamplingTimer(20, () => (at += 5))
    const dear = regex('a', 'abc$')
    const atoms = buildAtoms(numbered([text('a', 'abc'), all(dear, text('a', '*a*')), dear]))
    atoms.scanValue('abc', { isDisabled: new Uint8Array(20), timer: times })
    expect(atoms.evaluateAtoms().atoms).toEqual([10, 12, 14])
    const drained: [number, number][] = []
    times.drain((number_, ns) => drained.push([number_, ns]))
    expect(drained).toEqual([[12, 5]])
  })
})
