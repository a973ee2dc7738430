import { parseAddress } from '@tripline/common/address'
import { listEnclosingNetworks, normalizeNetwork } from '@tripline/common/network'
import { getAssetKey, mergeAsset, unknownAsset } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Comparison, Filter } from '@tripline/model/lists/filter'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewAsset } from '../src/ports/assets/asset-store.ts'
import type { NewIndicator } from '../src/ports/enrichment/indicator-store.ts'
import type { NewDirectoryUser } from '../src/ports/enrichment/directory-user-store.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { dataSubjectRequestWith, newAlertWith, statedAsset, statedIndicator, statedPerson, statedSubdomain } from './state-samples.ts'

const whenever = { expectedVersion: undefined, at: 2_000 }
const all = { limit: 100 } as const

/** The behaviour of every store of assets, directory users and indicators; tenant 'b' has none at the start. */
export function describeKnown(store: () => StateStore): void {
  describe('assets', () => {
    const ids = async (where: readonly Filter[], text = '') => {
      const { entries } = await store().assets.list('b', { ...all, where, text, order: [{ field: 'hostname', direction: 'asc' }] })
      return entries.map(({ id }) => id).join(' ')
    }
    const fill = () =>
      store().assets.upsert('b', [
        statedAsset({ hostname: 'db-1', type: 'server', os: 'Debian 13', osFamily: 'linux', riskScore: 999, tags: ['pci'] }, 'db'),
        statedAsset({ hostname: 'mail', ipAddresses: ['10.0.0.9', '2001:db8::9'], criticality: 'low', riskScore: 1_000, owner: 'Ann' }, 'mail'),
        statedAsset({ hostname: 'pc_1', ipAddresses: [], type: 'workstation', riskScore: 10_000, tags: ['pc', 'pci'], lastSeenAt: 500 }, 'pc'),
        statedAsset({ hostname: '', ipAddresses: ['10.0.0.77'], criticality: 'unknown', lastScanAt: 700 }, 'printer'),
      ], 1_000)

    test('are the same by name, else by first address', async () => {
      expect(await fill()).toEqual(['created', 'created', 'created', 'created'])
      expect(await fill()).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged'])
      const again = [statedAsset({ hostname: '', ipAddresses: ['10.0.0.77'], owner: 'Bob' }, 'other'), statedAsset({ hostname: 'new' }, 'new')]
      expect(await store().assets.upsert('b', again, 2_000)).toEqual(['changed', 'created'])
      expect(await store().assets.get('b', 'printer')).toMatchObject({ owner: 'Bob', lastScanAt: 700, version: 2, createdAt: 1_000, updatedAt: 2_000 })
    })

    test('stated twice in one import are made once and then changed', async () => {
      const stated = [statedAsset({ owner: 'Ann' }, 'x'), statedAsset({ owner: 'Bob' }, 'y'), statedAsset({ owner: 'Bob' }, 'z')]
      expect(await store().assets.upsert('b', stated, 1_000)).toEqual(['created', 'changed', 'unchanged'])
      expect((await store().assets.list('b', all)).entries).toMatchObject([{ id: 'x', owner: 'Bob', version: 1 }])
    })

    test.for<[where: readonly Filter[], text: string, found: string]>([
      [[], '', 'printer db mail pc'],
      [[isAny('type', ['server', 'workstation'])], '', 'db pc'],
      [[isAny('os_family_folded', ['linux'])], '', 'db'],
      [[isAny('os_folded', ['debian 13'])], '', 'db'],
      [[isAny('criticality', ['high'])], '', 'db pc'],
      [[isAny('tag', ['pc'])], '', 'pc'],
      [[isAny('risk_level', ['low'])], '', 'printer db'],
      [[isAny('risk_level', ['medium', 'critical'])], '', 'mail pc'],
      [[isAny('ip', ['2001:db8::9'])], '', 'mail'],
      [[{ field: 'last_seen', operator: 'gte', value: 500 }], '', 'pc'],
      [[{ field: 'last_seen', operator: 'between', value: [1, 499] }], '', ''],
      [[{ field: 'last_scan_at', operator: 'between', value: [1, 700] }], '', 'printer'],
      [[{ field: 'exploitable', operator: 'eq', value: 1 }], '', ''],
      [[], 'ann', 'mail'],
      [[], '_1', 'pc'],
      [[], '10.0.0.', 'printer db mail'],
    ])('%j %s', async ([where, text, found]) => {
      await fill()
      expect(await ids(where, text)).toBe(found)
    })

    test('are found by name and address, of several the one seen last', async () => {
      await fill()
      await store().assets.upsert('b', [statedAsset({ hostname: 'new', ipAddresses: ['10.0.0.77'], lastSeenAt: 900 }, 'new')], 2_000)
      expect((await store().assets.findByAddress('b', '10.0.0.77'))?.id).toBe('new')
      expect((await store().assets.findByAddress('b', '2001:db8::9'))?.id).toBe('mail')
      expect((await store().assets.findByHostname('b', 'pc_1'))?.id).toBe('pc')
      expect(await store().assets.findByHostname('b', '')).toBeUndefined()
    })

    test('an address that is given up is not found any more', async () => {
      await fill()
      await store().assets.update('b', 'mail', { ipAddresses: ['10.0.0.10'] }, whenever)
      expect(await store().assets.findByAddress('b', '10.0.0.9')).toBeUndefined()
      expect((await store().assets.findByAddress('b', '10.0.0.10'))?.id).toBe('mail')
      await store().assets.remove('b', 'mail')
      expect(await store().assets.findByAddress('b', '10.0.0.10')).toBeUndefined()
    })

    test.for<[change: Partial<Asset>, expectedVersion: number | undefined, outcome: string]>([
      [{ owner: 'Bob' }, 1, 'changed'],
      [{ owner: 'Bob' }, 2, 'stale'],
      [{ hostname: 'mail' }, undefined, 'taken'],
      [{ hostname: '', ipAddresses: [] }, undefined, 'keyless'],
      [{ hostname: 'db-2' }, undefined, 'changed'],
    ])('%j under %s is %s', async ([change, expectedVersion, outcome]) => {
      await fill()
      expect(await store().assets.update('b', 'db', change, { expectedVersion, at: 2_000 })).toMatchObject({ outcome })
    })

    test('open alerts of their host are counted, whatever its case', async () => {
      await fill()
      const event = { processName: '', commandLine: '', user: '', host: 'DB-1', statedTime: '' }
      const matches = ['m1', 'm2', 'm3'].map((id) => newAlertWith({ id, dedupKey: id, event }))
      await store().alerts.insert('b', matches)
      await store().alerts.update('b', 'm3', { status: 'resolved' }, whenever)
      expect((await store().assets.get('b', 'db'))?.openAlertCount).toBe(2)
      const { entries } = await store().assets.list('b', { ...all, order: [{ field: 'open_alerts', direction: 'desc' }] })
      expect(entries.map(({ id, openAlertCount }) => [id, openAlertCount])[0]).toEqual(['db', 2])
    })

    test('random imports agree with a slow one, seed 7', async () => {
      const asset = fc.record({
        hostname: fc.constantFrom('', 'a', 'b', 'c', 'd'), ipAddresses: fc.constantFrom(['10.0.0.1'], ['10.0.0.2', '10.0.0.1']),
        riskScore: fc.nat(3), lastSeenAt: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      })
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(asset, { maxLength: 12 }), async (stated) => {
          const tenant = `run ${run++}`
          await store().tenants.insert({ id: tenant, name: tenant, isActive: true, settings: {}, version: 1, createdAt: 1, updatedAt: 1 })
          const known = new Map<string, Asset>()
          const outcomes = stated.map((facts, i) => stateSlowly(known, `${i}`, facts))
          expect(await store().assets.upsert(tenant, stated.map((facts, i) => ({ id: `${i}`, facts })), 9)).toEqual(outcomes)
          const { entries } = await store().assets.list(tenant, { limit: 100 })
          expect(entries.length).toBe(known.size)
          for (const { id, hostname, riskScore, lastSeenAt } of known.values()) {
            expect(entries.find((entry) => entry.id === id)).toMatchObject({ hostname, riskScore, lastSeenAt })
          }
        }),
        { seed: 7, numRuns: 40 },
      )
    })
  })

  describe('persons', () => {
    test.for<[name: string, id: string | undefined]>([
      ['alice', 'p1'],
      ['alice@example.org', 'p1'],
      ['corp\\alice', 'p1'],
      ['bob', 'p2'],
      ['shared', 'p1'],
      ['carol', undefined],
    ])('%s is %s', async ([name, id]) => {
      const bob: Partial<NewDirectoryUser> = { name: 'bob', email: 'bob@example.org', aliases: ['alice', 'second', 'shared'] }
      await store().directoryUsers.upsert('b', [statedPerson({ aliases: ['corp\\alice', 'shared'] }), statedPerson(bob, 'p2')], 1_000)
      expect((await store().directoryUsers.findByName('b', name))?.id).toBe(id)
    })

    test('what is stated later replaces, and names that are given up name no user', async () => {
      await store().directoryUsers.upsert('b', [statedPerson({ lastSeenAt: 90 })], 1_000)
      expect(await store().directoryUsers.upsert('b', [statedPerson({ aliases: ['s-1'], lastSeenAt: 80 })], 2_000)).toEqual(['changed'])
      expect(await store().directoryUsers.findByName('b', 'corp\\alice')).toBeUndefined()
      expect(await store().directoryUsers.findByName('b', 's-1')).toMatchObject({ id: 'p1', lastSeenAt: 90, version: 2 })
      expect(await store().directoryUsers.remove('b', 'p1')).toBe(true)
      expect(await store().directoryUsers.findByName('b', 's-1')).toBeUndefined()
    })

    test('are listed by department and privilege', async () => {
      const privileged: Partial<NewDirectoryUser> = { name: 'root', department: 'IT', isPrivileged: true, aliases: [], email: '' }
      await store().directoryUsers.upsert('b', [statedPerson({}), statedPerson(privileged, 'p2')], 1_000)
      const list = async (...where: readonly Filter[]) => (await store().directoryUsers.list('b', { ...all, where })).entries.map(({ name }) => name)
      expect(await list(isAny('department', ['finance']))).toEqual(['alice'])
      expect(await list({ field: 'is_privileged', operator: 'eq', value: 1 })).toEqual(['root'])
      expect(await list()).toEqual(['root', 'alice'])
    })
  })

  describe('users and host names of events', () => {
    const users = async () => (await store().directoryUsers.list('b', { ...all, order: [{ field: 'name', direction: 'asc' }] })).entries
    const user = (name: string, at: number) => ({ id: `id of ${name}`, name, email: '', at })
    const host = (name: string, at: number, facts: object = {}) =>
      ({ id: `id of ${name}`, name, domain: 'acme.example', ip: '', source: 'dns', at, ...facts }) as const

    test('a user is seen under any name, and a new one is added once', async () => {
      await store().directoryUsers.upsert('b', [statedPerson({ lastSeenAt: 90 })], 1_000)
      await store().directoryUsers.observe('b', [user('corp\\alice', 95), user('corp\\bob', 10), user('corp\\bob', 20)], { at: 2_000 })
      await store().directoryUsers.observe('b', [user('corp\\bob', 15), user('alice', 50)], { at: 3_000 })
      expect((await users()).map(({ name, lastSeenAt, sources, version }) => [name, lastSeenAt, sources, version])).toEqual([
        ['alice', 95, [], 1], ['corp\\bob', 20, ['events'], 1],
      ])
    })

    test('a flood of users evicts itself, and no user of a directory', async () => {
      await store().directoryUsers.upsert('b', [statedPerson({ name: 'known', lastSeenAt: 1 })], 1)
      for (let i = 0; i < 5; i++) await store().directoryUsers.observe('b', [user(`made-up-${i}`, i)], { at: i, observedMax: 2 })
      expect((await users()).map(({ name }) => name)).toEqual(['known', 'made-up-3', 'made-up-4'])
    })

    test('a host name keeps its first and last time, all its sources, and its newest address', async () => {
      await store().subdomains.observe('b', [host('a.acme.example', 20, { ip: '192.0.2.2' }), host('a.acme.example', 10, { ip: '192.0.2.1', source: 'tls' })], { at: 50 })
      await store().subdomains.observe('b', [host('a.acme.example', 30)], { at: 60 })
      expect((await store().subdomains.list('b', all)).entries).toEqual([{
        id: 'id of a.acme.example', name: 'a.acme.example', domain: 'acme.example', ip: '192.0.2.2', sources: ['dns', 'tls'], firstSeenAt: 10,
        lastSeenAt: 30, version: 1, createdAt: 50, updatedAt: 50,
      }])
    })

    test('a flood of host names evicts itself, and none that was imported', async () => {
      await store().subdomains.upsert('b', [statedSubdomain({ name: 'known.acme.example', sources: ['import'], lastSeenAt: 0 })], 1)
      for (let i = 0; i < 5; i++) await store().subdomains.observe('b', [host(`made-up-${i}.acme.example`, i)], { at: i, observedMax: 2 })
      const { entries } = await store().subdomains.list('b', { ...all, order: [{ field: 'name', direction: 'asc' }] })
      expect(entries.map(({ name }) => name)).toEqual(['known.acme.example', 'made-up-3.acme.example', 'made-up-4.acme.example'])
    })

    test('a request is closed with its status, keeps its time, and is opened again', async () => {
      const requests = store().dataSubjectRequests
      await requests.insert('b', dataSubjectRequestWith({ id: 'r7' }))
      const change = async (status: 'open' | 'completed' | 'rejected', at: number) => {
        await requests.update('b', 'r7', { status }, { expectedVersion: undefined, at })
        return (await requests.get('b', 'r7'))?.closedAt
      }
      expect([await change('completed', 70), await change('rejected', 80), await change('open', 90)]).toEqual([70, 70, undefined])
    })
  })

  describe('indicators', () => {
    test('are the same by type, value and source; what is not said is the usual', async () => {
      const facts = [statedIndicator({}), statedIndicator({ source: 'other', confidence: 80 }, 'i2'), statedIndicator({ confidence: 9 }, 'i3')]
      expect(await store().indicators.upsert('b', facts, 1_000)).toEqual(['created', 'created', 'changed'])
      expect(await store().indicators.upsert('b', facts.slice(1), 2_000)).toEqual(['unchanged', 'unchanged'])
      const found = await store().indicators.find('b', [{ type: 'ip', value: '192.0.2.7' }])
      const shown = found.map(({ id, confidence, reputationScore, validFrom }) => [id, confidence, reputationScore, validFrom].join(' '))
      expect(shown.sort()).toEqual(['i1 9 50 1000', 'i2 80 80 1000'])
    })

    test('hits are counted in their own tenant, and are no change', async () => {
      await store().indicators.upsert('b', [statedIndicator({})], 1_000)
      await store().indicators.noteHits('b', new Map([['i1', 3], ['nothing', 1]]), 50)
      await store().indicators.noteHits('b', new Map([['i1', 1]]), 40)
      expect(await store().indicators.get('b', 'i1')).toMatchObject({ hitCount: 4, lastHitAt: 50, version: 1 })
      expect(await store().indicators.get('a', 'i1')).toMatchObject({ hitCount: 0 })
      await store().indicators.update('b', 'i1', { confidence: 1 }, whenever)
      expect(await store().indicators.get('b', 'i1')).toMatchObject({ hitCount: 4, confidence: 1, version: 2 })
    })

    test('are listed by type, source, value and moment', async () => {
      const facts: Partial<NewIndicator> = { type: 'domain', value: 'evil.example', source: 'mail', validFrom: 100, validUntil: 200 }
      await store().indicators.upsert('b', [statedIndicator({}), statedIndicator(facts, 'i2')], 1_000)
      const list = async (where: readonly Filter[], text = '') => (await store().indicators.list('b', { ...all, where, text })).entries.map(({ id }) => id)
      const isValidAt = (at: number): Filter => ({
        and: [{ field: 'valid_from', operator: 'lte', value: at }, { field: 'valid_until', operator: 'gt', value: at }],
      })
      expect(await list([isAny('type', ['domain'])])).toEqual(['i2'])
      expect(await list([isAny('source', ['feed', 'mail'])])).toEqual(['i2', 'i1'])
      expect(await list([isAny('value', ['192.0.2.7'])])).toEqual(['i1'])
      expect(await list([isValidAt(199)])).toEqual(['i2'])
      expect(await list([isValidAt(200)])).toEqual([])
      expect(await list([{ not: isValidAt(200) }])).toEqual(['i2', 'i1'])
      expect(await list([], 'EVIL')).toEqual(['i2'])
    })

    test('that ended before a time are removed, some at once, and others stay', async () => {
      const ends = [199, 200, 201, undefined, 150]
      const facts = ends.map((validUntil, i) => statedIndicator({ value: `192.0.2.${i}`, validFrom: 100, validUntil }, `i${i}`))
      await store().indicators.upsert('b', facts, 1_000)
      const removed = [await store().indicators.removeEnded('b', { before: 200, limit: 1 }), await store().indicators.removeEnded('b', { before: 200, limit: 9 })]
      expect([...removed, await store().indicators.removeEnded('b', { before: 200, limit: 9 })]).toEqual([1, 1, 0])
      const { entries } = await store().indicators.list('b', all)
      expect(entries.map(({ id }) => id).sort()).toEqual(['i1', 'i2', 'i3'])
      expect(await store().indicators.find('b', [{ type: 'ip', value: '192.0.2.0' }])).toEqual([])
    })

    test('networks are found by the addresses in them, as a comparison of all finds them, seed 3', async () => {
      const address = fc.oneof(fc.ipV4().map((text) => text.replace(/^\d+\.\d+/, '10.0')), fc.ipV6())
      const network = fc.tuple(address, fc.nat(128)).map(([base, length]) => normalizeNetwork(`${base}/${length}`))
      const networks = [...new Set(fc.sample(network, { seed: 3, numRuns: 300 }))].filter((text) => text !== undefined)
      await store().indicators.upsert('b', networks.map((value, i) => statedIndicator({ type: 'cidr', value }, `n${i}`)), 1_000)
      for (const text of fc.sample(address, { seed: 4, numRuns: 100 })) {
        const parsed = parseAddress(text)
        if (parsed === undefined) throw new Error(`${text} is no address`)
        const found = await store().indicators.find('b', listEnclosingNetworks(parsed).map((value) => ({ type: 'cidr', value })))
        expect(found.map(({ value }) => value).sort(), text).toEqual(networks.filter((value) => holdsSlowly(value, text)).sort())
      }
    })
  })
}

function isAny(field: string, value: readonly string[]): Comparison {
  return { field, operator: 'in', value }
}

function stateSlowly(known: Map<string, Asset>, id: string, facts: NewAsset): string {
  const key = getAssetKey(facts) ?? ''
  const before = known.get(key)
  const made = { id, ...unknownAsset, ...facts, version: 1, editedVersion: 1, createdAt: 9, updatedAt: 9 }
  const after = before === undefined ? made : mergeAsset(before, facts)
  known.set(key, after)
  return before === undefined ? 'created' : JSON.stringify(before) === JSON.stringify(after) ? 'unchanged' : 'changed'
}

function holdsSlowly(network: string, address: string): boolean {
  const [base = '', length = ''] = network.split('/')
  const [a, b] = [bitsOf(base), bitsOf(address)]
  return a.length === b.length && a.slice(0, Number(length)) === b.slice(0, Number(length))
}

function bitsOf(text: string): string {
  return [...(parseAddress(text) ?? [])].map((byte) => byte.toString(2).padStart(8, '0')).join('')
}
