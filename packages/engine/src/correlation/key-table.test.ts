import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KeyTable, noSlot } from './key-table.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_125)

/** Few keys, so that they come again: in other cases, wide ones, one that is the beginning of another. */
const keys = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'AB', 'aB', 'Ärger', 'ärger', 'ЖУК', 'жук', 'Σ', 'σ', 'ς', 'İ', 'i', '\u212a', 'k', 'K', '🙂', '\ud83d'),
  fc.string({ maxLength: 3, unit: 'binary' }),
  fc.nat(40).map((number) => `host-${number}`),
)
const steps = fc.array(fc.tuple(fc.constantFrom('add', 'add', 'remove', 'find'), keys), { maxLength: 300, size: 'max' })

describe(`a table of keys, seed ${seed}`, () => {
  test('is a map of keys without case to slots', () => {
    fc.assert(fc.property(steps, fc.integer(), (all, hashSeed) => {
      const table = new KeyTable(hashSeed)
      const slots = new Map<string, { readonly slot: number; readonly spelling: string }>()
      for (const [verb, key] of all) {
        const known = slots.get(folded(key))
        expect(table.find(key)).toBe(known?.slot ?? noSlot)
        if (verb === 'add') {
          const slot = table.add(key)
          if (known === undefined) slots.set(folded(key), { slot, spelling: key })
          else expect(slot).toBe(known.slot)
        } else if (verb === 'remove' && known !== undefined) {
          table.remove(known.slot)
          slots.delete(folded(key))
        }
        expect(table.size).toBe(slots.size)
      }
      for (const { slot, spelling } of slots.values()) expect(table.keyOf(slot)).toBe(spelling)
      expect(new Set([...slots.values()].map(({ slot }) => slot)).size).toBe(slots.size)
    }), { seed, numRuns: 300 })
  })

  test('keeps apart what hashes alike', () => {
    // Of so many keys some five pairs have the same hash of 32 bits.
    const count = 200_000
    const table = new KeyTable(0)
    for (let number = 0; number < count; number++) table.add(`key ${number}`)
    expect(table.size).toBe(count)
    for (let number = 0; number < count; number += 2) table.remove(table.find(`key ${number}`))
    const wrong = Array.from({ length: count }, (_, number) => number).filter((number) => {
      const slot = table.find(`key ${number}`)
      return number % 2 === 0 ? slot !== noSlot : slot === noSlot || table.keyOf(slot) !== `key ${number}`
    })
    expect(wrong).toEqual([])
  })

  test('gives slots and room of removed keys to later ones', () => {
    const table = new KeyTable(1)
    const live = 100
    for (let number = 0; number < live; number++) table.add(`key ${number}`)
    const { byteLength, slotCount } = table
    for (let number = live; number < 100 * live; number++) {
      table.remove(table.find(`key ${number - live}`))
      table.add(`key ${number}`)
    }
    expect(table.size).toBe(live)
    expect(table.slotCount).toBe(slotCount)
    expect(table.byteLength).toBeLessThan(byteLength + 16_384)
  })
})

/** As Sigma compares: each character in its simple lower case, none of which has another length. */
function folded(text: string): string {
  return Array.from(text, (character) => {
    if (character === 'Σ') return 'σ'
    const lower = character.toLowerCase()
    return lower.length === character.length ? lower : character
  }).join('')
}
