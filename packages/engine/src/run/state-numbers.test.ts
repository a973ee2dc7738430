import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StateNumbers } from './state-numbers.ts'

const seed = 20_261_122

test(`states of several owners are numbered as they come, seed ${seed}`, () => {
  const owners = ['first', 'second', 'third']
  fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom(...owners), fc.nat(9))), (asked) => {
    const states = new StateNumbers<string>()
    const expected: string[] = []
    for (const [owner, local] of asked) {
      const name = `${owner} ${local}`
      if (!expected.includes(name)) expected.push(name)
      const number = states.numberOf(owner, local)
      expect(number).toBe(expected.indexOf(name))
      expect(`${states.ownerOf(number)} ${states.localOf(number)}`).toBe(name)
    }
  }), { seed, numRuns: 300 })
})
