import { expect, test } from 'vitest'
import { catalogMemtable } from './catalog-memtable.ts'
import { Memtable } from './memtable.ts'

function fill(memtable: Memtable, from: number, to: number, eventOf: (i: number) => object): void {
  for (let sequence = from; sequence < to; sequence++) {
    const bytes = Buffer.from(JSON.stringify(eventOf(sequence)))
    memtable.add({ occurredAt: sequence, sequence, severity: 0, bytes, arrival: undefined })
  }
}

const manyFields = (i: number): object => Object.fromEntries(Array.from({ length: 50 }, (_, field) => [`f${field}`, i % (field + 2)]))

/** How often others had their turn before a promise resolved. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false]
  const count = (): void => {
    if (isOver) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  await work
  isOver = true
  return turns
}

test('others have their turn while the values of a large memtable are counted, which is done once', async () => {
  const memtable = new Memtable(8_000)
  fill(memtable, 0, 4_000, manyFields)
  // 50 fields of 4,000 rows are 200,000 values, of which at most 20,000 are counted at once.
  expect(await countTurns(catalogMemtable(memtable))).toBeGreaterThanOrEqual(9)
  const fields = await catalogMemtable(memtable)
  expect(fields.map(({ name, eventCount }) => [name, eventCount])).toEqual(Array.from({ length: 50 }, (_, field) => [`f${field}`, 4_000]))
  fill(memtable, 4_000, 4_100, manyFields)
  expect(await catalogMemtable(memtable)).toBe(fields)
})

test.for<[what: string, to: number, eventOf: (i: number) => object, last: string, count: number]>([
  ['a new field', 4_001, () => ({ other: 1 }), 'other', 1],
  ['a sixteenth more rows', 4_300, manyFields, 'f49', 4_300],
])('they are counted again after %s', async ([, to, eventOf, last, count]) => {
  const memtable = new Memtable(8_000)
  fill(memtable, 0, 4_000, manyFields)
  await catalogMemtable(memtable)
  fill(memtable, 4_000, to, eventOf)
  expect((await catalogMemtable(memtable)).find(({ name }) => name === last)?.eventCount).toBe(count)
})

test('those of a small memtable are counted each time', async () => {
  const memtable = new Memtable(8_000)
  fill(memtable, 0, 1_000, manyFields)
  await catalogMemtable(memtable)
  fill(memtable, 1_000, 1_001, manyFields)
  expect((await catalogMemtable(memtable))[0]?.eventCount).toBe(1_001)
})
