import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finishSteps } from '../finish-steps.ts'
import { buildNeedleEntries } from './needle-entries.ts'
import { buildPairFilter } from './pair-filter.ts'

/** Whether a filter lets three bytes pass. */
function passes(filter: Uint8Array, bytes: string): boolean {
  let groups = 0xff
  for (let i = 0; i < 3; i++) {
    const byte = bytes.charCodeAt(i)
    groups &= filter[32 * i + (byte & 0xf)]! & filter[32 * i + 16 + (byte >>> 4)]!
  }
  return groups !== 0
}

test.for<[texts: readonly string[], bytes: string, isPassed: boolean]>([
  [['iex'], 'iex', true],
  [['iex'], 'iey', false],
  [['iex'], 'jex', false],
  [['ab'], 'ab\0', true],
  [['ab'], 'abz', true],
  [['ab'], 'acz', false],
  [['iex', 'gwm'], 'gwm', true],
  [['iex', 'gwm'], 'gex', false],
])('of %j, lets %j pass: %j', ([texts, bytes, isPassed]) => {
  const { pairs } = finishSteps(buildNeedleEntries(texts.map((text) => ({ anchor: 'anywhere', text }))))
  expect(passes(buildPairFilter(pairs), bytes)).toBe(isPassed)
})

test('lets every needle pass, whatever stands behind it', () => {
  const letter = fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code))
  const text = fc.string({ unit: letter, minLength: 2, maxLength: 6 })
  fc.assert(fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), letter, (texts, behind) => {
    const { pairs } = finishSteps(buildNeedleEntries(texts.map((one) => ({ anchor: 'anywhere', text: one }))))
    const filter = buildPairFilter(pairs)
    expect(pairs).toHaveLength(texts.length)
    for (const { needle, place } of pairs) {
      expect(passes(filter, `${needle.text}${behind}`.slice(place, place + 3))).toBe(true)
    }
  }), { seed: 20_264 })
})
