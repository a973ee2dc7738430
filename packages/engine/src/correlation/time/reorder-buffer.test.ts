import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Contribution } from '../contribution.ts'
import { ReorderBuffer } from './reorder-buffer.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_126)
const contributions = fc.record({
  at: fc.nat(9), sequence: fc.nat(5), member: fc.nat(2), key: fc.constant('k'),
  match: fc.constant(0), value: fc.constant(undefined), carried: fc.constant(undefined),
})

describe(`contributions that wait, seed ${seed}`, () => {
  test('come out oldest first, then in the order of the stream, then of the rules', () => {
    fc.assert(fc.property(fc.array(contributions, { maxLength: 40 }), (all) => {
      const buffer = new ReorderBuffer()
      for (const one of all) buffer.add(one)
      expect(buffer.size).toBe(all.length)
      expect([...buffer].toSorted(inOrder)).toEqual(all.toSorted(inOrder))
      expect(takeAll(buffer, Infinity, true)).toEqual(all.toSorted(inOrder))
      expect(buffer.size).toBe(0)
    }), { seed })
  })

  test('stay as long as they are younger than the time that is asked for', () => {
    fc.assert(fc.property(fc.array(contributions, { maxLength: 40 }), fc.nat(10), fc.boolean(), (all, until, isInclusive) => {
      const buffer = new ReorderBuffer()
      for (const one of all) buffer.add(one)
      const isDue = (at: number): boolean => (isInclusive ? at <= until : at < until)
      expect(takeAll(buffer, until, isInclusive).every(({ at }) => isDue(at))).toBe(true)
      expect(buffer.size).toBe(all.filter(({ at }) => !isDue(at)).length)
    }), { seed })
  })
})

function takeAll(buffer: ReorderBuffer, until: number, isInclusive: boolean): Contribution[] {
  const taken: Contribution[] = []
  for (let one = buffer.takeDue(until, isInclusive); one !== undefined; one = buffer.takeDue(until, isInclusive)) taken.push(one)
  return taken
}

function inOrder(a: Contribution, b: Contribution): number {
  return a.at - b.at || a.sequence - b.sequence || a.member - b.member
}
