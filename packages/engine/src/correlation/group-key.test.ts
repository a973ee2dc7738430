import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { joinGroupKey, splitGroupKey } from './group-key.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_127)
const values = fc.array(fc.oneof(fc.string(), fc.constantFrom('', ':', '1:a', '0:', '2:ab1:c')), { minLength: 1, maxLength: 4 })

describe(`keys of groups, seed ${seed}`, () => {
  test('give their values back', () => {
    fc.assert(fc.property(values, (some) => {
      expect(splitGroupKey(joinGroupKey(some), some.length)).toEqual(some)
    }), { seed })
  })

  test('are the same for the same values only', () => {
    fc.assert(fc.property(values, values, (some, others) => {
      fc.pre(some.length === others.length)
      expect(joinGroupKey(some) === joinGroupKey(others)).toBe(JSON.stringify(some) === JSON.stringify(others))
    }), { seed })
  })

  const longest = 'x'.repeat(limits.groupValueLengthMax)

  test.for<[title: string, one: string, other: string, same: boolean]>([
    ['a value as long as is kept is kept', longest, longest.toUpperCase(), true],
    ['a longer one is told from others by its end', `${longest}1`, `${longest}2`, false],
    ['a longer one has no case either', `${longest}end`, `${longest}END`.toUpperCase(), true],
  ])('%s', ([, one, other, same]) => {
    for (const value of [one, other]) expect(joinGroupKey([value]).length).toBeLessThanOrEqual(limits.groupValueLengthMax)
    expect(joinGroupKey([one]).toLowerCase() === joinGroupKey([other]).toLowerCase()).toBe(same)
  })
})
