import { expect, test } from 'vitest'
import { getAssetKey, isScanStale, mergeAsset, normalizeMacAddress, getRiskLevel, unknownAsset } from './asset.ts'
import type { AssetFacts, RiskLevel } from './asset.ts'

test.for<[score: number, level: RiskLevel]>([
  [0, 'low'],
  [999, 'low'],
  [1_000, 'medium'],
  [4_999, 'medium'],
  [5_000, 'high'],
  [9_999, 'high'],
  [10_000, 'critical'],
])('a score of %i is %s', ([score, level]) => {
  expect(getRiskLevel(score)).toBe(level)
})

test.for<[text: string, address: string | undefined]>([
  ['00-1B-44-11-3A-B7', '00:1b:44:11:3a:b7'],
  ['00:1b:44:11:3a:b7', '00:1b:44:11:3a:b7'],
  ['001b.4411.3ab7', '00:1b:44:11:3a:b7'],
  ['001B44113AB7', '00:1b:44:11:3a:b7'],
  ['00:1b:44:11:3a', undefined],
  ['00:1b:44:11:3a:zz', undefined],
  ['', undefined],
])('%s is the interface %s', ([text, address]) => {
  expect(normalizeMacAddress(text)).toBe(address)
})

test.for<[facts: Partial<AssetFacts>, key: string | undefined]>([
  [{ hostname: 'web-1', ipAddresses: ['10.0.0.1'] }, 'web-1'],
  [{ ipAddresses: ['10.0.0.1', '10.0.0.2'] }, '10.0.0.1'],
  [{}, undefined],
])('%j is known as %s', ([facts, key]) => {
  expect(getAssetKey({ ...unknownAsset, ...facts })).toBe(key)
})

test.for<[lastScanAt: number | undefined, isStale: boolean]>([
  [undefined, false],
  [1_000, true],
  [1_001, false],
])('a scan at %s is old: %s', ([lastScanAt, isStale]) => {
  expect(isScanStale({ lastScanAt }, 1_001 + 7 * 86_400_000)).toBe(isStale)
})

test('new facts replace old ones, later times are kept, sources add up', () => {
  const known = { ...unknownAsset, owner: 'ann', os: 'Linux', lastSeenAt: 50, sources: ['scan'] }
  expect(mergeAsset(known, { owner: 'bob', lastSeenAt: 40, lastScanAt: 9, sources: ['import', 'scan'] })).toEqual({
    ...unknownAsset, owner: 'bob', os: 'Linux', lastSeenAt: 50, lastScanAt: 9, sources: ['scan', 'import'],
  })
})
