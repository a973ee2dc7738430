import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InternTable } from './intern-table.ts'

/** A list as the table has it. */
function listOf(table: InternTable, list: number): number[] {
  const numbers: number[] = []
  for (let at = table.getStart(list); at < table.getEnd(list); at++) numbers.push(table.at(at))
  return numbers
}

test('equal lists have one number, and each number is a list', () => {
  fc.assert(fc.property(fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { maxLength: 60 }), (lists) => {
    const table = new InternTable()
    const numbers = new Map([['', 0]])
    for (const list of lists) {
      const known = numbers.get(list.join())
      const number = table.intern([...list, 99], list.length)
      expect(number).toBe(known ?? numbers.size)
      numbers.set(list.join(), number)
    }
    expect(table.count).toBe(numbers.size)
    for (const [list, number] of numbers) expect(listOf(table, number).join()).toBe(list)
  }))
})

test('different lists of one hash have different ids', () => {
  const table = new InternTable()
  const count = 40_000
  const numbers = Array.from({ length: count }, (_, i) => table.intern([i % 211, 211 + i]))
  expect(new Set(numbers).size).toBe(count)
  expect(Array.from({ length: count }, (_, i) => table.intern([i % 211, 211 + i]))).toEqual(numbers)
})
