import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayHaveRun } from './character-run.ts'
import { characterRange, toMemberTable } from './character-set.ts'

const members = toMemberTable(characterRange(0x61, 0x66))

test('says what the language says', () => {
  const some = fc.string({ unit: fc.constantFrom('a', 'f', 'b', 'a', 'f', 'x', 'é', '\n'), maxLength: 40 })
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 9 }), fc.nat(6), (text, length, from) => {
      expect(mayHaveRun(text, { members, length }, from)).toBe(new RegExp(`[a-fé]{${length}}`).test(text.slice(from)))
    }),
    { numRuns: 2_000 },
  )
})
