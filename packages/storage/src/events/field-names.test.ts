import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { Memtable } from './block/memtable.ts'
import { FieldNames } from './field-names.ts'

function fill(memtable: Memtable, from: number, to: number, eventOf: (i: number) => object): void {
  for (let sequence = from; sequence < to; sequence++) {
    const bytes = Buffer.from(JSON.stringify(eventOf(sequence)))
    memtable.add({ occurredAt: sequence, sequence, severity: 0, bytes, arrival: undefined })
  }
}

test('more rows with the same fields make no new list, and read no value', async () => {
  const [names, memtable] = [new FieldNames(), new Memtable(100)]
  fill(memtable, 0, 10, (i) => ({ B: i, a: { c: i } }))
  const listed = await names.list([memtable])
  expect(listed).toEqual(['a.c', 'B'])
  fill(memtable, 10, 20, (i) => ({ B: i }))
  expect(await names.list([memtable])).toBe(listed)
  fill(memtable, 20, 21, () => ({ d: 1 }))
  expect(await names.list([memtable])).toEqual(['a.c', 'B', 'd'])
})

test.for<[count: number, isListed: boolean]>([
  [limits.events.catalogFieldsMax - 1, true], [limits.events.catalogFieldsMax, true], [limits.events.catalogFieldsMax + 1, false],
])('of %i fields all are listed: %s', async ([count, isListed]) => {
  const memtable = new Memtable(10_000)
  fill(memtable, 0, count, (i) => ({ [`f${i}`]: i }))
  expect((await new FieldNames().list([memtable]))?.length).toBe(isListed ? count : undefined)
})
