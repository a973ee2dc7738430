import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LruList } from './lru-list.ts'
import { noSlot } from './key-table.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_130)
const steps = fc.array(fc.tuple(fc.constantFrom('put', 'put', 'remove'), fc.nat(40)), { maxLength: 100 })

test(`an order of groups is that of a list, seed ${seed}`, () => {
  fc.assert(fc.property(steps, (all) => {
    const list = new LruList()
    list.grow(41)
    let expected: number[] = []
    for (const [verb, group] of all) {
      const isThere = expected.includes(group)
      if (verb === 'put') {
        if (isThere) list.moveToEnd(group)
        else list.append(group)
        expected = [...expected.filter((other) => other !== group), group]
      } else if (isThere) {
        list.remove(group)
        expected = expected.filter((other) => other !== group)
      }
      const found: number[] = []
      for (let one = list.head; one !== noSlot; one = list.after(one)) found.push(one)
      expect(found).toEqual(expected)
    }
  }), { seed })
})
