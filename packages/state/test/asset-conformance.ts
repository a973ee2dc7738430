import type { Sighting } from '@tripline/model/assets/sighting'
import { describe, expect, test } from 'vitest'
import type { ObserveTerms } from '../src/ports/assets/asset-store.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { sightingWith, statedAsset } from './state-samples.ts'

const macA = '00:1b:44:11:3a:b7'
const macB = '00:1b:44:11:3a:b8'
const all = { limit: 500 } as const

/** How a scanner sees a machine. */
function scanOf(scannerId: string, sighting: Partial<Sighting>): Sighting {
  return sightingWith({
    source: 'scanner', isInventory: true, takesAddresses: true, identifiers: [{ kind: 'scanner', value: `s:${scannerId}` }], ...sighting,
  })
}

/** The behaviour of every asset store towards sightings; tenant 'b' has no assets at the start. */
export function describeSightings(store: () => StateStore): void {
  const observe = async (sightings: readonly Sighting[], terms: Partial<ObserveTerms> = {}) =>
    await store().assets.observe('b', sightings.map((sighting, i) => ({ ...sighting, id: `${sighting.id}-${i}` })), { at: 9_000, ...terms })
  const list = async () => (await store().assets.list('b', { ...all, order: [{ field: 'hostname', direction: 'asc' }] })).entries

  describe('sightings', () => {
    test('make an asset, and find it again', async () => {
      const seen = sightingWith({ facts: { hostname: 'web-1', ipAddresses: ['10.0.0.1'], lastLogAt: 1_000 } })
      expect(await observe([seen, seen])).toMatchObject({ createdCount: 1, mergedCount: 0 })
      expect(await observe([{ ...seen, id: 'again', at: 2_000 }])).toMatchObject({ createdCount: 0, assetIds: ['seen-0'] })
      expect(await list()).toMatchObject([
        { id: 'seen-0', hostname: 'web-1', ipAddresses: ['10.0.0.1'], firstSeenAt: 1_000, lastSeenAt: 2_000, sources: ['events'], version: 1 },
      ])
    })

    test('of a scan leave one asset of what events and imports saw apart', async () => {
      await store().assets.upsert('b', [statedAsset({ hostname: 'web-1', ipAddresses: [], owner: 'Ann' }, 'imported')], 500)
      await observe([
        sightingWith({ id: 'mac', facts: { macAddresses: [macA], ipAddresses: ['10.0.0.2'] } }),
        sightingWith({ id: 'ip', facts: { ipAddresses: ['10.0.0.1'] } }),
      ])
      const scan = scanOf('7', { id: 'scan', facts: { hostname: 'web-1.corp.example', macAddresses: [macA], ipAddresses: ['10.0.0.1'], os: 'Debian', riskScore: 12 } })
      expect(await observe([scan])).toMatchObject({ createdCount: 0, mergedCount: 2, assetIds: ['imported'] })
      expect(await observe([scan])).toMatchObject({ createdCount: 0, mergedCount: 0 })
      expect(await list()).toMatchObject([
        { id: 'imported', hostname: 'web-1.corp.example', owner: 'Ann', macAddresses: [macA], ipAddresses: ['10.0.0.1', '10.0.0.2'], riskScore: 12 },
      ])
      expect((await store().assets.findByHostname('b', 'web-1'))?.id).toBe('imported')
      expect((await store().assets.getBindings('b', 'imported')).map(({ kind, value }) => `${kind} ${value}`).sort()).toEqual([
        'ip 10.0.0.1', 'ip 10.0.0.2', `mac ${macA}`, 'name web-1.corp.example',
      ])
    })

    test('of one batch are joined as those of several are', async () => {
      await observe([
        sightingWith({ id: 'a', facts: { macAddresses: [macA] } }), sightingWith({ id: 'b', facts: { ipAddresses: ['10.0.0.1'] } }),
        scanOf('7', { id: 'c', facts: { hostname: 'web-1', macAddresses: [macA], ipAddresses: ['10.0.0.1'] } }),
      ])
      expect(await list()).toMatchObject([{ hostname: 'web-1', macAddresses: [macA], ipAddresses: ['10.0.0.1'] }])
    })

    test('of a lease move the address, and the history keeps both', async () => {
      await observe([sightingWith({ id: 'a', facts: { hostname: 'pc-1', ipAddresses: ['10.0.0.1'], macAddresses: [macA] } })])
      const lease: Partial<Sighting> = { source: 'dhcp', takesAddresses: true, at: 5_000 }
      await observe([sightingWith({ ...lease, id: 'b', facts: { hostname: 'pc-2', ipAddresses: ['10.0.0.1'], macAddresses: [macB] } })])
      expect((await list()).map(({ hostname, ipAddresses }) => [hostname, ipAddresses])).toEqual([['pc-1', []], ['pc-2', ['10.0.0.1']]])
      expect((await store().assets.findByAddress('b', '10.0.0.1'))?.hostname).toBe('pc-2')
      expect(await store().assets.getBindings('b', 'a-0')).toMatchObject([
        { kind: 'ip', value: '10.0.0.1', firstSeenAt: 1_000, lastSeenAt: 1_000 }, { kind: 'mac', value: macA }, { kind: 'name', value: 'pc-1' },
      ])
    })

    test('of made-up names evict themselves, and not the machines that were there', async () => {
      for (const at of [1_000, 900_000]) await observe([sightingWith({ at, facts: { hostname: 'real' } })])
      for (let batch = 0; batch < 4; batch++) {
        const flood = Array.from({ length: 50 }, (_, i) => sightingWith({ id: `f${batch}`, at: 1_000_000 + batch, facts: { hostname: `made-up-${batch}-${i}` } }))
        await observe(flood, { inferredMax: 20 })
      }
      const names = (await list()).map(({ hostname }) => hostname)
      expect(names.length).toBe(20)
      expect(names).toContain('real')
    })

    test('in parts evict where the last one does, also when that creates none', async () => {
      const parts = [0, 1].map((part) => Array.from({ length: 15 }, (_, i) => sightingWith({ id: `p${part}`, facts: { hostname: `made-up-${part}-${i}` } })))
      for (const part of parts) await observe(part, { inferredMax: 20, evicts: 'later' })
      expect((await list()).length).toBe(30)
      await observe([sightingWith({ id: 'last', facts: { hostname: 'made-up-1-0' } })], { inferredMax: 20, evicts: 'now' })
      expect((await list()).length).toBe(20)
    })

    test('never evict what was imported or scanned', async () => {
      await store().assets.upsert('b', [statedAsset({ hostname: 'imported' }, 'imported')], 1)
      await observe([scanOf('1', { facts: { hostname: 'scanned' } })])
      await observe(Array.from({ length: 30 }, (_, i) => sightingWith({ id: 'f', facts: { hostname: `made-up-${i}` } })), { inferredMax: 5 })
      expect((await list()).map(({ hostname }) => hostname)).toEqual(expect.arrayContaining(['imported', 'scanned']))
      expect((await list()).length).toBe(7)
    })

    test('of logons are counted by hour and user', async () => {
      const seen = (at: number) => sightingWith({ at, facts: { hostname: 'web-1' }, logons: new Map([['ann', 2]]) })
      await observe([seen(1_000), seen(2_000)])
      await observe([seen(3_700_000)])
      expect(await store().assets.getActivity('b', 'seen-0', { from: 0, to: 9e9 })).toMatchObject([
        { kind: 'logon', title: 'ann', at: 3_600_000, count: 2 }, { kind: 'logon', title: 'ann', at: 0, count: 4 },
      ])
    })

    test('then an import knows the asset by its name', async () => {
      await observe([sightingWith({ facts: { hostname: 'web-1.corp.example' } })])
      expect(await store().assets.upsert('b', [statedAsset({ hostname: 'web-1', owner: 'Ann' }, 'imported')], 9_000)).toEqual(['changed'])
      expect(await list()).toMatchObject([{ id: 'seen-0', owner: 'Ann' }])
    })
  })

  describe('assets', () => {
    test('are merged with their histories, and split again', async () => {
      await observe([
        sightingWith({ id: 'a', facts: { hostname: 'web-1', ipAddresses: ['10.0.0.1'] }, logons: new Map([['ann', 1]]) }),
        sightingWith({ id: 'b', facts: { hostname: 'db-1', ipAddresses: ['10.0.0.2'] }, logons: new Map([['bob', 1]]) }),
      ])
      const terms = { expectedVersion: undefined, at: 9_000 }
      expect(await store().assets.merge('b', 'a-0', ['none'], terms)).toBeUndefined()
      expect(await store().assets.merge('b', 'a-0', ['b-1'], terms)).toMatchObject({ hostname: 'web-1', ipAddresses: ['10.0.0.1', '10.0.0.2'], version: 2 })
      expect((await store().assets.getActivity('b', 'a-0', { from: 0, to: 9e9 })).map(({ title }) => title).sort()).toEqual(['ann', 'bob'])
      expect(await observe([sightingWith({ facts: { hostname: 'db-1' } })])).toMatchObject({ assetIds: ['a-0'], createdCount: 0 })
      const part = { id: 'c', hostname: 'db-1', ipAddresses: ['10.0.0.2'], macAddresses: [] }
      expect(await store().assets.split('b', 'a-0', part, terms)).toMatchObject({ outcome: 'split', value: { id: 'c', hostname: 'db-1' } })
      expect(await observe([sightingWith({ facts: { hostname: 'db-1' } })])).toMatchObject({ assetIds: ['c'], createdCount: 0 })
      const rest = { id: 'd', hostname: 'web-1', ipAddresses: ['10.0.0.1'], macAddresses: [] }
      expect(await store().assets.split('b', 'a-0', rest, terms)).toEqual({ outcome: 'keyless' })
    })

    test('are not split to a name that another has', async () => {
      await observe([
        sightingWith({ id: 'a', facts: { hostname: 'web-1', ipAddresses: ['10.0.0.1', '10.0.0.2'] } }),
        sightingWith({ id: 'b', facts: { hostname: 'db-1', ipAddresses: ['10.0.0.3'] } }),
      ])
      const before = await list()
      const part = { id: 'c', hostname: 'db-1', ipAddresses: ['10.0.0.2'], macAddresses: [] }
      expect(await store().assets.split('b', 'a-0', part, { expectedVersion: undefined, at: 9_000 })).toEqual({ outcome: 'taken' })
      expect(await list()).toEqual(before)
    })

    test('have what happened to them, the newest first', async () => {
      await observe([sightingWith({ facts: { hostname: 'web-1' } })])
      const entry = { assetId: 'seen-0', at: 5, kind: 'scan', title: 'Scanned', severity: '', ref: '', count: 1 } as const
      await store().assets.addActivity('b', [entry, { ...entry, at: 7 }, { ...entry, at: 7 }])
      expect(await store().assets.getActivity('b', 'seen-0', { from: 0, to: 8 })).toEqual([{ ...entry, at: 7, count: 2 }, entry])
      expect(await store().assets.getActivity('b', 'seen-0', { from: 0, to: 7 })).toEqual([entry])
    })

    test('have their risk over time, also of what they were merged from', async () => {
      const risks = async (id: string, from = 0, to = 9e9) =>
        (await store().assets.getRisks('b', id, { from, to })).map(({ at, score }) => `${at} ${score}`)
      const rate = async (id: string, riskScore: number, at: number) =>
        await store().assets.update('b', id, { riskScore }, { expectedVersion: undefined, at })
      await store().assets.upsert('b', [statedAsset({ hostname: 'web-1', riskScore: 40 }, 'web')], 10)
      await store().assets.upsert('b', [statedAsset({ hostname: 'db-1', riskScore: 0 }, 'db')], 10)
      await rate('web', 40, 20)
      await rate('web', 7_000, 30)
      await rate('db', 900, 25)
      expect([await risks('web'), await risks('db'), await risks('web', 15, 30), await risks('web', 30, 31)])
        .toEqual([['10 40', '30 7000'], ['25 900'], ['10 40'], ['30 7000']])
      await store().assets.merge('b', 'web', ['db'], { expectedVersion: undefined, at: 40 })
      expect(await risks('web')).toEqual(['10 40', '25 900', '30 7000'])
      await store().assets.removeOld('b', 90)
      expect(await risks('web')).toEqual(['30 7000'])
    })

    test('that only events told of end with their time, and so does what happened', async () => {
      await observe([sightingWith({ id: 'a', at: 10, facts: { hostname: 'old' } }), scanOf('1', { id: 's', at: 10, facts: { hostname: 'scanned' } })])
      expect(await store().assets.removeOld('b', 20)).toBe(1)
      expect((await list()).map(({ hostname }) => hostname)).toEqual(['scanned'])
    })
  })
}
