import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Pending } from './pending.ts'
import type { Contribution } from './window.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_126)
const contributions = fc.record({ at: fc.nat(9), sequence: fc.nat(5), member: fc.nat(2), key: fc.constant('k'), value: fc.constant(undefined) })

describe(`contributions that wait, seed ${seed}`, () => {
  test('come out oldest first, then in the order of the stream, then of the rules', () => {
    fc.assert(fc.property(fc.array(contributions, { maxLength: 40 }), (all) => {
      const pending = new Pending()
      for (const one of all) pending.add(one)
      expect(pending.size).toBe(all.length)
      expect([...pending].toSorted(inOrder)).toEqual(all.toSorted(inOrder))
      expect(takeAll(pending, Infinity)).toEqual(all.toSorted(inOrder))
      expect(pending.size).toBe(0)
    }), { seed })
  })

  test('stay as long as they are younger than the time that is asked for', () => {
    fc.assert(fc.property(fc.array(contributions, { maxLength: 40 }), fc.nat(10), (all, until) => {
      const pending = new Pending()
      for (const one of all) pending.add(one)
      expect(takeAll(pending, until).every(({ at }) => at <= until)).toBe(true)
      expect(pending.size).toBe(all.filter(({ at }) => at > until).length)
    }), { seed })
  })
})

function takeAll(pending: Pending, until: number): Contribution[] {
  const taken: Contribution[] = []
  for (let one = pending.takeUntil(until); one !== undefined; one = pending.takeUntil(until)) taken.push(one)
  return taken
}

function inOrder(a: Contribution, b: Contribution): number {
  return a.at - b.at || a.sequence - b.sequence || a.member - b.member
}
