import type { AssetFinding, SeenFinding } from '@tripline/model/assets/finding'
import { describe, expect, test } from 'vitest'
import type { StateStore } from '../src/ports/state-store.ts'
import { findingWith, sightingWith, vulnerabilityWith } from './state-samples.ts'

const dayMs = 86_400_000

/** The behaviour of every store of findings; tenant 'b' has none at the start. */
export function describeFindings(store: () => StateStore): void {
  const show = (findings: readonly AssetFinding[]): string => findings.map(({ assetId, vulnerability, status }) => `${assetId} ${vulnerability.id} ${status}`).sort().join(', ')
  const list = async () => show((await store().findings.list('b', { limit: 500 })).entries)
  const scan = (id: string, assetId: string) => sightingWith({
    id: assetId, source: 'scanner', isInventory: true, identifiers: [{ kind: 'scanner', value: `c1:${id}` }], facts: { hostname: assetId },
  })
  const record = async (runAt: number, findings: readonly SeenFinding[], { isComplete = true, assetId = 'web-1' } = {}) =>
    await store().findings.record('b', [{ assetId, isComplete, findings }], { source: 'c1', at: runAt, runAt })
  const found = (id: string, finding: Parameters<typeof findingWith>[0] = {}) => findingWith({ ...finding, vulnerability: { id, ...finding.vulnerability } })
  const counts = async (id = 'web-1') => (await store().assets.get('b', id))?.vulnerabilities

  describe('findings', () => {
    test('are opened and closed by scans, and the same scan again changes nothing', async () => {
      await store().assets.observe('b', [scan('7', 'web-1')], { at: 1_000 })
      const first = await record(1_000, [found('v1'), found('v2', { vulnerability: { severity: 'critical', exploitCount: 1 } })])
      expect([show(first.opened), show(first.closed)]).toEqual(['web-1 v1 open, web-1 v2 open', ''])
      expect(await record(1_000, [found('v1'), found('v2', { vulnerability: { severity: 'critical', exploitCount: 1 } })])).toEqual({ opened: [], closed: [] })
      expect(await counts()).toEqual({ low: 0, medium: 0, high: 1, critical: 1, exploitable: 1 })
      const second = await record(2_000, [found('v1')])
      expect([show(second.opened), show(second.closed)]).toEqual(['', 'web-1 v2 closed'])
      expect(await counts()).toEqual({ low: 0, medium: 0, high: 1, critical: 0, exploitable: 0 })
      const third = await record(3_000, [found('v2', { firstFoundAt: 2_900 })], { isComplete: false })
      expect([show(third.opened), third.opened[0]?.firstFoundAt, third.opened[0]?.closedAt]).toEqual(['web-1 v2 open', 2_900, undefined])
      const activity = await store().assets.getActivity('b', 'web-1', { from: 0, to: 9_000 })
      expect(activity.map(({ kind, ref }) => `${kind} ${ref}`).sort()).toEqual(['finding_closed v2', 'finding_opened v1', 'finding_opened v2', 'finding_opened v2'])
    })

    test('that a scan calls remediated and that were never open are not kept', async () => {
      await store().assets.observe('b', [scan('7', 'web-1')], { at: 1_000 })
      await record(1_000, [found('v1', { isOpen: false })])
      expect(await list()).toBe('')
      await record(1_000, [found('v1')])
      expect(show((await record(2_000, [found('v1', { isOpen: false })], { isComplete: false })).closed)).toBe('web-1 v1 closed')
    })

    test.for<[severity: 'low' | 'medium' | 'high' | 'critical', dueDays: number | undefined]>([['low', undefined], ['medium', 30], ['high', 7], ['critical', 0]])(
      'of severity %s are due, whatever scans come later', async ([severity, dueDays]) => {
        await store().assets.observe('b', [scan('7', 'web-1')], { at: 1_000 })
        for (const runAt of [1_000, 2_000]) await record(runAt, [found('v1', { vulnerability: { severity }, firstFoundAt: runAt })])
        const [finding] = (await store().findings.list('b', { limit: 9 })).entries
        expect(finding?.dueAt).toBe(dueDays === undefined ? undefined : 1_000 + dueDays * dayMs)
      })

    test('that a full run did not confirm are swept, even where the clock was set back', async () => {
      await store().assets.observe('b', [scan('7', 'web-1'), scan('8', 'web-2')], { at: 1_000 })
      await record(5_000, [found('v1'), found('v2')], { isComplete: false })
      await record(3_000, [found('v1')], { isComplete: false })
      await record(3_000, [found('v1')], { isComplete: false, assetId: 'web-2' })
      await store().findings.record('b', [{ assetId: 'web-2', isComplete: false, findings: [found('v9')] }], { source: 'other', at: 1, runAt: 1 })
      const sweep = async () => show(await store().findings.sweep('b', { source: 'c1', at: 4_000, runAt: 3_000, limit: 10 }))
      expect(await sweep()).toBe('web-1 v2 closed')
      expect(await sweep()).toBe('')
      expect(await list()).toBe('web-1 v1 open, web-1 v2 closed, web-2 v1 open, web-2 v9 open')
      expect(await counts()).toMatchObject({ high: 1 })
    })

    test('follow what becomes known of their vulnerability', async () => {
      await store().assets.observe('b', [scan('7', 'web-1')], { at: 1_000 })
      const { findings } = store()
      await findings.putVulnerabilities('b', [vulnerabilityWith({ id: 'v1' }), vulnerabilityWith({ id: 'v2' }), vulnerabilityWith({ id: 'never found' })], 10)
      await record(1_000, [found('v1'), found('v2')])
      await findings.putVulnerabilities('b', [vulnerabilityWith({ id: 'v1' })], 20)
      expect(await findings.listWithoutExploit('b', 9)).toEqual(['v2', 'v1'])
      await findings.putVulnerabilities('b', [vulnerabilityWith({ id: 'v1', exploitCount: 2 })], 30)
      expect(await findings.listWithoutExploit('b', 9)).toEqual(['v2'])
      expect(await counts()).toMatchObject({ exploitable: 1 })
      expect((await findings.getVulnerabilities('b', ['v1', 'x'])).get('v1')).toEqual(vulnerabilityWith({ id: 'v1', exploitCount: 2 }))
    })

    test('move with the asset that becomes part of another, and go with it', async () => {
      await store().assets.observe('b', [scan('7', 'web-1'), scan('8', 'web-2')], { at: 1_000 })
      await record(1_000, [found('v1')])
      await record(1_000, [found('v1'), found('v2')], { assetId: 'web-2' })
      await store().assets.merge('b', 'web-1', ['web-2'], { expectedVersion: undefined, at: 2_000 })
      expect(await list()).toBe('web-1 v1 open, web-1 v2 open')
      expect(await counts()).toMatchObject({ high: 2 })
      expect(await store().assets.findScanned('b', 'c1', ['7', '8', '9'])).toEqual(new Map([['7', 'web-1'], ['8', 'web-1']]))
      await store().assets.remove('b', 'web-1')
      expect(await list()).toBe('')
    })
  })
}
