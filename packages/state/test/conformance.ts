import type { AuditEntry } from '@tripline/model/audit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ListQuery } from '../src/ports/list-query.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { describeAccess } from './access-conformance.ts'
import { describeAlerts } from './alert-conformance.ts'
import { describeCollectors } from './collector-conformance.ts'
import { describeConnectors } from './connector-conformance.ts'
import { describeDomainEvents } from './domain-event-conformance.ts'
import { describeMetrics } from './metric-conformance.ts'
import { describeSightings } from './asset-conformance.ts'
import { describeExposures } from './exposure-conformance.ts'
import { describeFindings } from './finding-conformance.ts'
import { describeKnown } from './enrichment-conformance.ts'
import { describeIncidents } from './incident-conformance.ts'
import { describeLists } from './lists/list-conformance.ts'
import { describeCompliance } from './compliance-conformance.ts'
import { describeChannels } from './channel-conformance.ts'
import { describeWebhooks } from './webhook-conformance.ts'
import { apiKeyWith, auditFactsWith, requestKey, ruleWith, sessionWith, tenantWith, userWith } from './state-samples.ts'
import { callsTestedElsewhere, everythingOf, tenantCalls } from './tenant-calls.ts'

/** A store under test: filled with the samples (`fill`), and `close` removes its files. */
export type TestedState = { readonly store: StateStore; readonly close: () => Promise<void> }

/** The behaviour of every state store. */
export function describeStateStore(title: string, open: () => Promise<TestedState>): void {
  describe(`${title}:`, () => {
    let tested: TestedState
    let store: StateStore
    beforeEach(async () => {
      tested = await open()
      store = tested.store
    })
    afterEach(() => tested.close())

    describe('another tenant', () => {
      test.for(tenantCalls)('%s', async ([, call, nothing]) => {
        const before = await everythingOf(store, 'a')
        expect(await call(store, 'b')).toEqual(nothing)
        expect(await everythingOf(store, 'a')).toEqual(before)
      })

      test.for(tenantCalls.filter(([name]) => !name.endsWith('.insert')))('%s finds what is its own', async ([, call, nothing]) => {
        expect(await call(store, 'a')).not.toEqual(nothing)
      })

      test('every call is one of the above or has a test of its own', () => {
        const calls = Object.entries(store).flatMap(([name, part]) =>
          typeof part === 'function' || name === 'tenants' || name === 'accounts' || name === 'jobs' ? [] : Object.keys(part).map((call) => `${name}.${call}`),
        )
        const tested = [...tenantCalls.map(([name]) => name), ...callsTestedElsewhere]
        expect(tested.sort()).toEqual(calls.sort())
      })

      test('nothing is kept for a tenant that is not there', async () => {
        await expect(store.users.insert('nobody', userWith({}))).rejects.toThrow('FOREIGN KEY')
      })

      test('a session of a user of another tenant is refused', async () => {
        await expect(store.sessions.insert('b', sessionWith({ id: 's9' }))).rejects.toThrow('FOREIGN KEY')
      })

      test('the use of a key is noted in its own tenant alone', async () => {
        await store.apiKeys.noteUse('b', 'k1', { at: 60, ip: '192.0.2.1' })
        expect(await store.apiKeys.get('a', 'k1')).toEqual(apiKeyWith({}))
        await store.apiKeys.noteUse('a', 'k1', { at: 60, ip: '192.0.2.2' })
        await store.apiKeys.noteUse('a', 'k1', { at: 40, ip: '192.0.2.3' })
        expect(await store.apiKeys.get('a', 'k1')).toEqual(apiKeyWith({ lastUsedAt: 60, lastUsedIp: '192.0.2.2' }))
      })
    })

    describe('tenants', () => {
      test('one that is there is not replaced', async () => {
        expect(await store.tenants.insert(tenantWith({ name: 'Other' }))).toBe('taken')
        expect(await store.tenants.list()).toEqual([tenantWith({}), tenantWith({ id: 'b', name: 'Bolt' })])
      })

      test('a change counts its version up', async () => {
        const changed = await store.tenants.update('a', { settings: { plan: 'mdr' } }, { expectedVersion: 1, at: 50 })
        expect(changed).toEqual({ outcome: 'changed', value: tenantWith({ settings: { plan: 'mdr' }, version: 2, updatedAt: 50 }) })
        expect(await store.tenants.update('a', { name: 'X' }, { expectedVersion: 1, at: 60 })).toEqual({ outcome: 'stale', version: 2 })
        expect(await store.tenants.update('z', { name: 'X' }, { expectedVersion: 1, at: 60 })).toEqual({ outcome: 'missing' })
      })
    })

    describeAccess(() => store)

    describe('rules', () => {
      test('put replaces, insert does not', async () => {
        const other = ruleWith({ title: 'Other', date: '2026-01-01', modified: undefined })
        expect(await store.rules.insert('a', [other, ruleWith({ id: 'rule2' })])).toBe(1)
        expect(await store.rules.list('a')).toEqual([ruleWith({}), ruleWith({ id: 'rule2' })])
        await store.rules.put('a', [other])
        await store.rules.put('b', [ruleWith({})])
        expect(await store.rules.list('a')).toEqual([other, ruleWith({ id: 'rule2' })])
        expect(await store.rules.list('b')).toEqual([ruleWith({})])
      })

      test('the authors of versions are those who saved them, of the tenant alone', async () => {
        await store.rules.put('a', [ruleWith({}), ruleWith({ id: 'rule2' }), ruleWith({ id: 'rule3' })], { by: 'ann', wasEnabled: true })
        await store.rules.put('a', [ruleWith({ version: 2 })], { by: 'bob', wasEnabled: true })
        await store.rules.put('a', [ruleWith({ id: 'rule3', version: 2 })])
        await store.rules.put('b', [ruleWith({ id: 'rule2' })], { by: 'eve', wasEnabled: true })
        const versions = [{ id: 'rule1', version: 2 }, { id: 'rule2', version: 1 }, { id: 'rule3', version: 2 }, { id: 'rule4', version: 1 }]
        expect(await store.ruleVersions.authors('a', versions)).toEqual(new Map([['rule1', 'bob'], ['rule2', 'ann']]))
        expect(await store.ruleVersions.authors('b', versions)).toEqual(new Map([['rule2', 'eve']]))
        expect(await store.ruleVersions.authors('a', [])).toEqual(new Map())
      })

      test('a change counts the version up, and a late one changes nothing', async () => {
        const change = { definition: 'title: New', title: 'New', origin: 'modified' } as const
        const changed = await store.rules.update('a', 'rule1', change, { expectedVersion: 1, at: 50 })
        expect(changed).toEqual({ outcome: 'changed', value: ruleWith({ ...change, version: 2, updatedAt: 50 }) })
        const late = await store.rules.update('a', 'rule1', { isEnabled: false }, { expectedVersion: 1, at: 51 })
        expect(late).toEqual({ outcome: 'stale', version: 2 })
        expect((await store.rules.get('a', 'rule1'))?.isEnabled).toBe(true)
      })
    })

    describe('alerts', () => {
      describeAlerts(() => store)
    })

    describe('metrics', () => {
      describeMetrics(() => store.metrics)
    })

    describe('what is known', () => {
      describeKnown(() => store)
      describeSightings(() => store)
      describeFindings(() => store)
      describeExposures(() => store)
    })

    describeIncidents(() => store)
    describe('collectors', () => {
      describeCollectors(() => store)
    })
    describeLists(() => store)

    describe('audit trails', () => {
      const ats = (entries: readonly AuditEntry[]) => entries.map(({ seq }) => seq)

      test('entries follow one another, however many are added at once', async () => {
        await Promise.all(Array.from({ length: 9 }, (_, i) => store.audit.append('a', auditFactsWith({ at: 2_000 + i }))))
        const entries = (await store.audit.list('a', { limit: 100 })).entries
        expect(ats(entries)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
        expect(entries.slice(0, -1).map(({ prevHash }) => prevHash)).toEqual(entries.slice(1).map(({ hash }) => hash))
        expect(await store.audit.verify('a')).toEqual({ entryCount: 10, firstSeq: 1, lastSeq: 10, brokenAt: undefined, problem: undefined })
      })

      test('an entry comes back as it was added', async () => {
        const facts = auditFactsWith({ diff: { name: ['a\u0000', 'é😀'], n: 1e21, list: [null] }, userAgent: '', ip: undefined })
        const added = await store.audit.append('b', facts)
        expect((await store.audit.list('b', { limit: 1 })).entries).toEqual([added])
        expect(added).toMatchObject(facts)
      })

      test.for<[query: Omit<ListQuery, 'limit'>, found: number[]]>([
        [{}, [4, 3, 2, 1]],
        [{ after: [3] }, [2, 1]],
        [{ skip: 3 }, [1]],
        [{ order: [{ field: 'at', direction: 'asc' }] }, [1, 2, 3, 4]],
        [{ order: [{ field: 'at', direction: 'asc' }], after: [2_000, 2] }, [3, 4]],
        [{ where: [{ field: 'action', operator: 'in', value: ['login', 'other'] }] }, [3, 2]],
        [{ where: [{ field: 'actor', operator: 'eq', value: 'u1' }, { field: 'outcome', operator: 'eq', value: 'refused' }] }, [3]],
        [{ where: [{ and: [{ field: 'target_type', operator: 'eq', value: 'user' }, { field: 'target_id', operator: 'eq', value: 'u9' }] }] }, [4]],
        [{ where: [{ field: 'at', operator: 'lt', value: 3_000 }] }, [2, 1]],
        [{ text: 'LOGI' }, [3, 2]],
        [{ where: [{ field: 'action', operator: 'in', value: [] }] }, []],
      ])('$0', async ([query, found]) => {
        await store.audit.append('a', auditFactsWith({ at: 2_000, action: 'login' }))
        await store.audit.append('a', auditFactsWith({ at: 3_000, action: 'login', outcome: 'refused' }))
        await store.audit.append('a', auditFactsWith({ at: 4_000, target: { type: 'user', id: 'u9' } }))
        const { entries, total } = await store.audit.list('a', { ...query, limit: 10 })
        expect(ats(entries)).toEqual(found)
        if (query.after === undefined && query.skip === undefined) expect(total).toEqual({ count: found.length, isExact: true })
      })

      test('a trail that grows and loses its beginning while it is checked holds', async () => {
        const growing = Array.from({ length: 20 }, (_, i) => store.audit.append('a', auditFactsWith({ at: 2_000 + i })))
        const checking = Array.from({ length: 6 }, () => store.audit.verify('a'))
        const shrinking = store.audit.removeOld('a', 2_003)
        const late = store.audit.append('a', auditFactsWith({ at: 3_000 }))
        expect((await Promise.all(checking)).map(({ problem }) => problem)).toEqual(Array(6).fill(undefined))
        await Promise.all([...growing, late, shrinking])
        expect(await store.audit.verify('a')).toMatchObject({ entryCount: 18, firstSeq: 5, lastSeq: 22, brokenAt: undefined })
      })

      test('what a transaction told goes with it', async () => {
        const failing = store.transaction(async ({ audit }) => {
          await audit.append('a', auditFactsWith({}))
          throw new Error('on purpose')
        })
        await expect(failing).rejects.toThrow('on purpose')
        expect(await store.audit.verify('a')).toMatchObject({ lastSeq: 1, brokenAt: undefined })
      })

      test('old entries go, and the rest still holds', async () => {
        for (const at of [2_000, 3_000, 2_500, 4_000]) await store.audit.append('a', auditFactsWith({ at }))
        expect(await store.audit.removeOld('a', 2_600)).toBe(2)
        expect(await store.audit.verify('a')).toMatchObject({ entryCount: 3, firstSeq: 3, lastSeq: 5, brokenAt: undefined })
        expect(await store.audit.removeOld('a', 9_000)).toBe(3)
        expect(await store.audit.verify('a')).toMatchObject({ entryCount: 0, lastSeq: 5, brokenAt: undefined })
        expect((await store.audit.append('a', auditFactsWith({ at: 5_000 }))).seq).toBe(6)
        expect(await store.audit.verify('a')).toMatchObject({ entryCount: 1, firstSeq: 6, lastSeq: 6, brokenAt: undefined })
      })
    })

    describe('requests', () => {
      const answer = { status: 201, headers: { location: '/v1/connectors/c1' }, body: '{"id":"c1"}' }
      const begin = (at: number, body = 'hash of a body') => store.idempotencyKeys.begin('a', requestKey, body, at)

      test('one is answered again as it was', async () => {
        expect(await begin(1_001)).toEqual({ outcome: 'running' })
        expect(await begin(1_001, 'another')).toEqual({ outcome: 'other_body' })
        expect(await store.idempotencyKeys.finish('a', requestKey, answer)).toBe(true)
        expect(await store.idempotencyKeys.finish('a', requestKey, { ...answer, status: 500 })).toBe(false)
        expect(await begin(1_002)).toEqual({ outcome: 'answered', answer })
        expect(await begin(1_002, 'another')).toEqual({ outcome: 'other_body' })
        expect(await store.idempotencyKeys.abandon('a', requestKey)).toBe(false)
      })

      test.for<[at: number, outcome: string]>([
        [86_400_999, 'answered'],
        [86_401_000, 'begun'],
      ])('at %i it is %s', async ([at, outcome]) => {
        await store.idempotencyKeys.finish('a', requestKey, answer)
        expect(await begin(at)).toMatchObject({ outcome })
      })

      test('the same key of another route is another request', async () => {
        const key = { ...requestKey, route: 'POST /v1/users' }
        expect(await store.idempotencyKeys.begin('a', key, 'hash of a body', 1_001)).toEqual({ outcome: 'begun' })
      })

      test('one that failed may be sent again', async () => {
        expect(await store.idempotencyKeys.abandon('a', requestKey)).toBe(true)
        expect(await begin(1_001)).toEqual({ outcome: 'begun' })
      })

      test('of many at once one begins', async () => {
        await store.idempotencyKeys.abandon('a', requestKey)
        const outcomes = (await Promise.all(Array.from({ length: 5 }, () => begin(1_001)))).map(({ outcome }) => outcome)
        expect(outcomes.sort()).toEqual(['begun', 'running', 'running', 'running', 'running'])
      })
    })

    describe('checkpoints', () => {
      const partsOf = (tenant: string, stage = 'detect') => store.checkpoints.parts(tenant, stage)

      test('parts are put, replaced and dropped together, each of its tenant and stage', async () => {
        const big = Buffer.alloc(300_000, 'x')
        await store.checkpoints.save('a', 'detect', { put: new Map([['engine', Buffer.from([0, 255])], ['ids 1', big]]) })
        await store.checkpoints.save('b', 'detect', { put: new Map([['head', Buffer.from('of b')]]), drop: ['engine'] })
        await store.checkpoints.save('a', 'deduplicate', { put: new Map([['engine', Buffer.from('other')]]) })
        expect(await store.checkpoints.load('a', 'detect', 'engine')).toEqual(Uint8Array.from([0, 255]))
        await store.checkpoints.save('a', 'detect', { put: new Map([['head', Buffer.alloc(0)]]), drop: ['engine', 'unknown'] })
        expect(await store.checkpoints.load('a', 'detect', 'engine')).toBeUndefined()
        expect(await store.checkpoints.load('a', 'detect', 'ids 1')).toEqual(Uint8Array.from(big))
        expect([await partsOf('a'), await partsOf('a', 'deduplicate'), await partsOf('b')]).toEqual([['head', 'ids 1'], ['engine'], ['head']])
      })

      test('are kept with what else a transaction does, or not at all', async () => {
        const failing = store.transaction(async ({ checkpoints }) => {
          await checkpoints.save('a', 'detect', { put: new Map([['engine', Buffer.from('new')]]) })
          throw new Error('on purpose')
        })
        await expect(failing).rejects.toThrow('on purpose')
        expect(await store.checkpoints.load('a', 'detect', 'engine')).toEqual(Uint8Array.from(Buffer.from('state')))
      })
    })

    describe('connectors', () => {
      describeConnectors(() => store)
    })

    describe('domain events', () => {
      describeDomainEvents(() => store)
    })

    describe('channels', () => {
      describeChannels(() => store)
    })
    describe('webhooks', () => {
      describeWebhooks(() => store)
    })

    describe('compliance', () => {
      describeCompliance(() => store)
    })

    describe('transactions', () => {
      test('what throws leaves nothing', async () => {
        const failing = store.transaction(async ({ users, apiKeys }) => {
          await users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
          await apiKeys.revoke('a', 'k1', 50)
          throw new Error('on purpose')
        })
        await expect(failing).rejects.toThrow('on purpose')
        expect(await store.users.list('a')).toEqual([userWith({})])
        expect((await store.apiKeys.get('a', 'k1'))?.revokedAt).toBeUndefined()
      })

      test('what goes on beside one is in none of it', async () => {
        let begun: () => void = () => {}
        const inside = new Promise<void>((resolve) => (begun = resolve))
        const failing = store.transaction(async ({ users }) => {
          await users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
          begun()
          await new Promise((resolve) => setImmediate(resolve))
          throw new Error('on purpose')
        })
        const beside = inside.then(() => store.users.insert('a', userWith({ id: 'u3', email: 'cat@example.org' })))
        await expect(failing).rejects.toThrow('on purpose')
        expect(await beside).toBe('inserted')
        expect((await store.users.list('a')).map(({ id }) => id)).toEqual(['u1', 'u3'])
      })
    })
  })
}
