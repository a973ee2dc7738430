import { expect, test } from 'vitest'
import { finishSteps } from '../finish-steps.ts'
import { buildNeedleEntries } from './needle-entries.ts'
import type { TextNeedle } from './needle-entries.ts'

test.for<[anchor: TextNeedle['anchor'], length: number, count: number, filed: string]>([
  ['anywhere', 7, 8_192, 'grams by 4'],
  ['anywhere', 7, 8_193, 'grams by 1'],
  ['anywhere', 6, 64, 'pairs by 4'],
  ['anywhere', 6, 65, 'grams by 1'],
  ['anywhere', 4, 64, 'pairs by 4'],
  ['anywhere', 4, 65, 'grams by 1'],
  ['anywhere', 3, 65, 'pairs by 4'],
  ['anywhere', 1, 65, 'singles by 4'],
  ['start', 7, 65, 'grams by 4'],
  ['start', 6, 65, 'exact by 4'],
  ['end', 4, 65, 'exact by 4'],
  ['end', 7, 8_193, 'grams by 1'],
  ['end', 6, 8_193, 'grams by 1'],
  ['end', 3, 8_193, 'exact by 1'],
  ['whole', 6, 65, 'exact by 4'],
])('%s, %d bytes, %d needles: %s', ([anchor, length, count, filed]) => {
  const needles = Array.from({ length: count }, (_, number) => {
    return { anchor, text: number.toString(36).padStart(length, '#').slice(-length) }
  })
  const { stride, ...entries } = finishSteps(buildNeedleEntries(needles))
  const kinds = Object.entries(entries).filter(([, of]) => of.length > 0)
  expect(kinds.map(([kind]) => `${kind} by ${stride}`)).toEqual([filed])
  expect(kinds[0]![1]).toHaveLength(count * (kinds[0]![0] === 'grams' ? stride : 1))
})

test('files a needle under the four grams that are rarest together', () => {
  const { grams } = finishSteps(buildNeedleEntries([{ anchor: 'anywhere', text: 'c:\\windows\\system32\\qzxjqkv.exe' }]))
  expect(grams.map(({ place }) => place)).toEqual([20, 21, 22, 23])
})
