import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finishSteps } from '../finish-steps.ts'
import { parsePattern } from '../predicate/pattern.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { FieldAtoms } from '../plan/field-atoms.ts'
import '../parts/provide-kernel.ts'
import { TextSearcher } from './text-searcher.ts'

const written = { item: 'a', operator: 'eq' }

/** Patterns that no text holds: a searcher leaves fields with few texts alone. */
const fillers = Array.from({ length: 64 }, (_, i) => `*filler ${i} ~~*`)

/** Atoms of one field that look for patterns. */
function atomsOf(patterns: readonly string[]): FieldAtoms {
  return finishSteps(FieldAtoms.build([...patterns, ...fillers].map((pattern, atom) => {
    const value = { kind: 'text', pattern: parsePattern(pattern), isCased: false } as const
    const predicate: Predicate = { kind: 'test', field: 'a', value, written, writtenValue: pattern }
    return { atom, predicate }
  })))
}

/** The atoms that hold of a text by what the searcher finds; undefined where it does not look. */
function heldByFound(searcher: TextSearcher, atoms: FieldAtoms, text: string): readonly number[] | undefined {
  const found = searcher.find(atoms, text)
  if (found === undefined) return undefined
  atoms.acceptHits(found, () => text, { isComplete: true, lengthMax: text.length })
  return atoms.evaluateAtoms().atoms
}

test.for<[what: string, text: string, held: readonly number[] | undefined]>([
  ['a short text', 'powershell -enc', undefined],
  ['a text that is not ASCII', `é${'x'.repeat(40)}`, undefined],
  ['a text that is too long', 'x'.repeat(32_769), undefined],
  ['a text with nothing', 'x'.repeat(40), []],
  ['a needle behind quotes and backslashes', `"C:\\Windows\\POWERSHELL.exe" -Enc\u0000\n"x"`, [0, 1]],
  ['a needle at the end', `${'x'.repeat(32_764)}.exe`, [2]],
])('%s', ([, text, held]) => {
  expect(heldByFound(new TextSearcher(1), atomsOf(['*\\powershell.exe*', '*-enc*', '*.exe']), text)).toEqual(held)
})

test('leaves a field with few texts to those who search in place', () => {
  expect(new TextSearcher(1).find(finishSteps(FieldAtoms.build([])), 'x'.repeat(40))).toBe(undefined)
})

test('finds what the atoms themselves find, of several fields in turn', () => {
  const unit = fc.constantFrom('a', 'b', 'A', '\\', '"', '\n', '/', 'u0061', '\u001f')
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '\\', '"', '/', '*'), minLength: 1, maxLength: 9 })
  const patterns = fc.array(pattern, { minLength: 1, maxLength: 12 })
  const texts = fc.array(fc.string({ unit, minLength: 24, maxLength: 80 }), { maxLength: 6 })
  fc.assert(fc.property(patterns, patterns, texts, (some, others, given) => {
    const searcher = new TextSearcher(2)
    const fields = [atomsOf(some), atomsOf(others)]
    for (const text of given) {
      for (const atoms of fields) {
        const held = heldByFound(searcher, atoms, text)
        atoms.scanValue(text)
        expect(held).toEqual(atoms.evaluateAtoms().atoms)
      }
    }
  }), { numRuns: 100 })
})
