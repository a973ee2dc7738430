import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClassTable } from './class-table.ts'

/** The atoms of a class as the table lists them. */
function atomsOf(table: ClassTable, valueClass: number): number[] {
  const atoms: number[] = []
  for (let at = table.startOf(valueClass); at < table.endOf(valueClass); at++) atoms.push(table.at(at))
  return atoms
}

test('equal sets of atoms have one number, and each number is a set', () => {
  const set = fc.uniqueArray(fc.nat(6), { maxLength: 6 }).map((atoms) => atoms.toSorted((a, b) => a - b))
  fc.assert(fc.property(fc.array(set, { maxLength: 60 }), (sets) => {
    const table = new ClassTable()
    const numbers = new Map([['', 0]])
    for (const atoms of sets) {
      const known = numbers.get(atoms.join())
      const number = table.numberOf(atoms)
      expect(number).toBe(known ?? numbers.size)
      numbers.set(atoms.join(), number)
    }
    expect(table.count).toBe(numbers.size)
    for (const [atoms, number] of numbers) expect(atomsOf(table, number).join()).toBe(atoms)
  }))
})

test('sets of one hash are told apart', () => {
  const table = new ClassTable()
  const count = 40_000
  const numbers = Array.from({ length: count }, (_, i) => table.numberOf([i % 211, 211 + i]))
  expect(new Set(numbers).size).toBe(count)
  expect(Array.from({ length: count }, (_, i) => table.numberOf([i % 211, 211 + i]))).toEqual(numbers)
})
