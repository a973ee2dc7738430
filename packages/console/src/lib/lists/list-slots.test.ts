import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listSlots, scrollToRow } from './list-slots.ts'

const viewport = fc
  .record({
    rowHeight: fc.constantFrom(28, 34, 42),
    height: fc.integer({ min: 0, max: 2_000 }),
    rowCount: fc.integer({ min: 0, max: 10_000 }),
    scrollTop: fc.nat(400_000),
  })
  .map((one) => ({ ...one, scrollTop: Math.min(one.scrollTop, Math.max(0, one.rowCount * one.rowHeight - one.height)) }))

test('every visible row has one slot, and it is the same slot wherever the list stands', () => {
  fc.assert(
    fc.property(viewport, (one) => {
      const slots = listSlots(one)
      const rows = slots.map(({ row }) => row)
      expect(new Set(rows).size).toBe(rows.length)
      for (const { slot, row } of slots) expect(row % slots.length).toBe(slot)
      const firstVisible = Math.floor(one.scrollTop / one.rowHeight)
      const lastVisible = Math.min(one.rowCount - 1, Math.floor((one.scrollTop + one.height - 1) / one.rowHeight))
      for (let row = firstVisible; row <= lastVisible; row++) expect(rows).toContain(row)
    }),
  )
})

test('no more rows are rendered than the screen needs', () => {
  expect(listSlots({ scrollTop: 170_000, height: 1_000, rowHeight: 28, rowCount: 10_000 }).length).toBeLessThanOrEqual(80)
})

test.for<[row: number, scrollTop: number, moved: number]>([
  [4, 0, 0],
  [0, 100, 0],
  [20, 0, 514],
  [10, 200, 200],
])('row %i from %i px', ([row, scrollTop, moved]) => {
  expect(scrollToRow(row, { scrollTop, height: 200, rowHeight: 34, rowCount: 100 })).toBe(moved)
})
