import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OpenAddressingMap } from './open-addressing-map.ts'

const seed = 20_261_122
/** Near 0, where pairs meet again, and at the largest number there is. */
const someNumber = fc.oneof(fc.nat(40), fc.nat(3_000), fc.constantFrom(0, 1_024, 2_147_483_647))
const commands = fc.array(fc.oneof(
  { weight: 40, arbitrary: fc.tuple(someNumber, someNumber, someNumber) },
  { weight: 1, arbitrary: fc.constant('clear' as const) },
), { maxLength: 300, size: 'max' })

test(`a table of pairs is a map, seed ${seed}`, () => {
  fc.assert(fc.property(commands, (list) => {
    const table = new OpenAddressingMap()
    const expected = new Map<string, number>()
    for (const command of list) {
      if (command === 'clear') {
        table.clear()
        expected.clear()
        continue
      }
      const [first, second, value] = command
      expect(table.get(second, first)).toBe(expected.get(`${second} ${first}`) ?? -1)
      table.set(first, second, value)
      expected.set(`${first} ${second}`, value)
      expect(table.get(first, second)).toBe(value)
      expect(table.size).toBe(expected.size)
    }
    for (const [pair, value] of expected) {
      const [first = '', second = ''] = pair.split(' ')
      expect(table.get(Number(first), Number(second))).toBe(value)
    }
  }), { seed, numRuns: 200 })
})

test('a table grows, and forgets all of it', () => {
  const table = new OpenAddressingMap()
  const side = 200
  for (let i = 0; i < side * side; i++) table.set(i % side, Math.floor(i / side), i)
  expect(table.size).toBe(side * side)
  for (let i = 0; i < side * side; i++) expect(table.get(i % side, Math.floor(i / side))).toBe(i)
  expect(table.get(side, 0)).toBe(-1)
  table.clear()
  expect([table.size, table.get(0, 0), table.get(7, 7)]).toEqual([0, -1, -1])
})
