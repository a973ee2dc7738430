import { expect, test } from 'vitest'
import { encodeBlock } from './encode-block.ts'
import { EncodingTurns, unitsPerTurn, encodingUnits } from './encoding-turns.ts'
import { Memtable } from './memtable.ts'

test('work that does not fit into a turn waits for the next, and a longer step has one of its own', async () => {
  const done: number[] = []
  const turns = new EncodingTurns(async (units) => done.push(units))
  await turns.begin()
  for (const units of [unitsPerTurn / 2, unitsPerTurn / 2, 1, 3 * unitsPerTurn, 1]) await turns.add(units)
  expect(done).toEqual([0, unitsPerTurn, 1, 3 * unitsPerTurn])
})

const rowCount = 4_000
test.for<[what: string, eventOf: (i: number) => object, stepUnitsMax: number]>([
  ['long values', (i) => ({ text: `${i} ${'quick brown fox '.repeat(60)}` }), 1.5 * unitsPerTurn],
  ['many short values', (i) => ({ a: i * 7, b: `x${i}`, c: `y${i % 1_000}` }), 1.5 * unitsPerTurn],
  ['many templates', (i) => ({ [`field${i % 500}`]: i, [`other${i % 300}`]: `v${i}` }), 1.5 * unitsPerTurn],
  ['events that are stored as a whole', (i) => ({ 'a"b': `${i}`.repeat(50) }), 3 * unitsPerTurn],
  ['one value that is longer than a turn', (i) => ({ text: i === 9 ? 'z'.repeat(200_000) : `${i}` }), 210_000],
])('a block of %s is encoded in turns of little work', async ([, eventOf, stepUnitsMax]) => {
  const memtable = new Memtable(rowCount)
  let characterCount = 0
  for (let sequence = 0; sequence < rowCount; sequence++) {
    const bytes = Buffer.from(JSON.stringify(eventOf(sequence)))
    characterCount += bytes.length
    memtable.add({ occurredAt: sequence, sequence, severity: 0, bytes, arrival: undefined })
  }
  const done: number[] = []
  await encodeBlock(memtable, { takeTurn: async (units) => done.push(units) })
  expect(Math.max(...done)).toBeLessThanOrEqual(stepUnitsMax)
  // All of it was counted: each character at least once, whether in a value or in the text of an event.
  const sum = done.reduce((total, units) => total + units, 0)
  expect(sum).toBeGreaterThan(Math.min(characterCount, rowCount * encodingUnits.value) / 2)
})
