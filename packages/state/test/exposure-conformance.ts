import { describe, expect, test } from 'vitest'
import type { Exposure } from '../src/ports/assets/exposure-store.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { findingWith, sightingWith } from './state-samples.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const start = 100 * dayMs

/** The behaviour of every store of exposures; tenant 'b' has none at the start. */
export function describeExposures(store: () => StateStore): void {
  const show = (exposures: readonly Exposure[]): readonly string[] => exposures.map((exposure) => {
    return `${exposure.assetId} ${exposure.kind} ${exposure.kind === 'blind_spot' ? exposure.blindSpot : exposure.finding.vulnerability.id}`
  }).sort()
  const untold = async (at: number) => await store().exposures.listUntold('b', { at, overdueBefore: at - dayMs, limit: 50 })
  const tell = async (at: number): Promise<readonly string[]> => {
    const found = await untold(at)
    await store().exposures.markTold('b', found, at)
    return show(found)
  }
  const addAsset = async (id: string, facts: object, source: 'scanner' | 'events' = 'scanner') => {
    const sighting = sightingWith({ id, at: start, source, isInventory: source === 'scanner', identifiers: [], facts: { hostname: id, ...facts } })
    await store().assets.observe('b', [sighting], { at: start })
  }
  const record = async (at: number, id: string, change: Parameters<typeof findingWith>[0]) => {
    const finding = findingWith({ firstFoundAt: start, lastFoundAt: at, ...change, vulnerability: { id, exploitCount: 0, ...change?.vulnerability } })
    await store().findings.record('b', [{ assetId: 'web-1', isComplete: false, findings: [finding] }], { source: 'c1', at, runAt: at })
  }

  describe('exposures', () => {
    test('an overdue vulnerability is reported once while it is open', async () => {
      await addAsset('web-1', { lastScanAt: start, lastLogAt: start })
      await record(start, 'v1', { vulnerability: { severity: 'critical' } })
      await record(start, 'v2', { vulnerability: { severity: 'high' } })
      expect(await tell(start + 23 * hourMs)).toEqual([])
      expect(await tell(start + dayMs)).toEqual(['web-1 overdue_vulnerability v1'])
      // The next scan finds it still.
      await record(start + dayMs, 'v1', { vulnerability: { severity: 'critical' } })
      expect(await tell(start + dayMs)).toEqual([])
      await record(start + dayMs, 'v1', { isOpen: false, vulnerability: { severity: 'critical' } })
      await record(start + dayMs, 'v1', { firstFoundAt: start + hourMs, vulnerability: { severity: 'critical' } })
      expect(await tell(start + dayMs)).toEqual([])
      expect((await tell(start + 2 * dayMs)).filter((text) => text.includes('overdue'))).toEqual(['web-1 overdue_vulnerability v1'])
    })

    test.for<[how: string, learn: () => Promise<void>]>([
      ['the scanner tells of it', () => store().findings.putVulnerabilities('b', [findingWith({ vulnerability: { id: 'v1', exploitCount: 2 } }).vulnerability], start + 5)],
      ['a scan finds it so', () => record(start + 5, 'v1', { vulnerability: { exploitCount: 2 } })],
    ])('an exploit is news where the vulnerability was open without one: %s', async ([, learn]) => {
      await addAsset('web-1', { lastScanAt: start, lastLogAt: start })
      await record(start, 'v1', {})
      await record(start, 'v2', { vulnerability: { exploitCount: 1 } })
      expect(await tell(start + 4)).toEqual([])
      await learn()
      const [news] = await untold(start + 5)
      expect(news).toMatchObject({ kind: 'exploit_available', newsAt: start + 5 })
      expect(await tell(start + 5)).toEqual(['web-1 exploit_available v1'])
      await learn()
      expect(await tell(start + 6)).toEqual([])
    })

    test('blind spots are reported once, and again when they come back', async () => {
      await addAsset('quiet', { lastScanAt: start, lastLogAt: start })
      await addAsset('mute', { lastScanAt: start })
      await addAsset('passer-by', {}, 'events')
      expect(await tell(start + dayMs)).toEqual([])
      expect(await tell(start + 25 * hourMs)).toEqual(['mute blind_spot no_logs', 'quiet blind_spot no_logs'])
      expect(await tell(start + 26 * hourMs)).toEqual([])
      expect(await store().exposures.forgetEnded('b', start + 26 * hourMs)).toBe(0)
      await store().assets.observe('b', [sightingWith({
        id: 'x', at: start + 26 * hourMs, source: 'events', identifiers: [], facts: { hostname: 'quiet', lastLogAt: start + 26 * hourMs },
      })], { at: start + 26 * hourMs })
      expect(await store().exposures.forgetEnded('a', start + 26 * hourMs)).toBe(0)
      expect(await store().exposures.forgetEnded('b', start + 26 * hourMs)).toBe(1)
      expect(await tell(start + 26 * hourMs)).toEqual([])
      expect(await tell(start + 8 * dayMs)).toEqual(['mute blind_spot no_scan', 'quiet blind_spot no_logs', 'quiet blind_spot no_scan'])
    })

    test('a machine that logs and is not scanned is one only where others are', async () => {
      const logging = { lastLogAt: start + 8 * dayMs }
      await addAsset('mine', logging, 'events')
      expect(await tell(start + 8 * dayMs)).toEqual([])
      await addAsset('other', { ...logging, lastScanAt: start + 8 * dayMs })
      expect(await tell(start + 8 * dayMs)).toEqual(['mine blind_spot no_scan'])
    })
  })
}
