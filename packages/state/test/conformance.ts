import type { AuditEntry } from '@tripline/model/audit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ListQuery } from '../src/ports/list-query.ts'
import type { StateStore, UserChange } from '../src/ports/state-store.ts'
import { describeAlerts } from './alert-conformance.ts'
import { describeConnectors } from './connector-conformance.ts'
import { describeDomainEvents } from './domain-event-conformance.ts'
import { describeMetrics } from './metric-conformance.ts'
import { describeKnown } from './enrichment-conformance.ts'
import { describeLists } from './list-conformance.ts'
import { describeWebhooks } from './webhook-conformance.ts'
import { apiKeyWith, auditFactsWith, fill, requestKey, ruleWith, sessionWith, tenantWith, userWith } from './state-samples.ts'
import { callsTestedElsewhere, everythingOf, tenantCalls } from './tenant-calls.ts'

/** A store under test: empty, and `close` removes its files. */
export type TestedState = { readonly store: StateStore; readonly close: () => Promise<void> }

/** The behaviour of every state store. */
export function describeStateStore(title: string, open: () => Promise<TestedState>): void {
  describe(`${title}:`, () => {
    let tested: TestedState
    let store: StateStore
    beforeEach(async () => {
      tested = await open()
      store = tested.store
      await fill(store)
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

    describe('accounts', () => {
      const email = 'ANN@example.org '
      const account = { email: 'ann@example.org', passwordHash: 'hash of a password', hasOneTimePassword: false, totpSecret: undefined, totpStepUsed: 0 }
      const memberships = async () => (await store.accounts.find(email))?.memberships

      test('one is found however its email is written, and is not replaced', async () => {
        expect(await store.accounts.insert({ email, passwordHash: 'another', totpSecret: undefined })).toBe('taken')
        expect(await store.accounts.find(email)).toEqual({ ...account, memberships: [{ tenant: 'a', userId: 'u1' }] })
        expect(await store.accounts.find('bob@example.org')).toBeUndefined()
      })

      test('its memberships are the active users of its email', async () => {
        await store.users.insert('b', userWith({ id: 'u7', email: 'aNN@example.org' }))
        expect(await memberships()).toEqual([{ tenant: 'a', userId: 'u1' }, { tenant: 'b', userId: 'u7' }])
        await store.users.update('a', 'u1', { isActive: false }, { expectedVersion: undefined, at: 50 })
        expect(await memberships()).toEqual([{ tenant: 'b', userId: 'u7' }])
        await store.users.update('b', 'u7', { email: 'bob@example.org' }, { expectedVersion: undefined, at: 50 })
        expect(await memberships()).toEqual([])
      })

      test('in a tenant that is not active nobody is a member, but whose account it is stays known', async () => {
        await store.users.insert('b', userWith({ id: 'u7', isActive: false }))
        await store.tenants.update('a', { isActive: false }, { expectedVersion: undefined, at: 50 })
        expect(await memberships()).toEqual([])
        expect(await store.accounts.tenantsOf(email)).toEqual(['a', 'b'])
        expect(await store.accounts.tenantsOf('bob@example.org')).toEqual([])
      })

      test('a one-time password is one until another takes its place', async () => {
        const isOneTime = async () => (await store.accounts.find(email))?.hasOneTimePassword
        await store.accounts.setPasswordHash(email, 'given', 'one_time')
        expect(await isOneTime()).toBe(true)
        expect(await store.accounts.replacePasswordHash(email, { from: 'given', to: 'own' })).toBe(true)
        expect(await isOneTime()).toBe(false)
        await store.accounts.setPasswordHash(email, 'given', 'one_time')
        await store.accounts.setPasswordHash(email, 'another')
        expect(await isOneTime()).toBe(false)
        await store.accounts.insert({ email: 'bob@example.org', passwordHash: 'given', hasOneTimePassword: true, totpSecret: undefined })
        expect(await store.accounts.find('bob@example.org')).toMatchObject({ hasOneTimePassword: true })
      })

      test('one goes only when no tenant has a user of it', async () => {
        await store.users.insert('b', userWith({ id: 'u7' }))
        for (const [tenant, id] of [['a', 'u1'], ['b', 'u7']] as const) {
          expect(await store.accounts.remove(email)).toBe(false)
          await store.users.remove(tenant, id)
        }
        expect(await store.accounts.remove(email)).toBe(true)
        expect(await store.accounts.remove(email)).toBe(false)
        expect(await store.accounts.find(email)).toBeUndefined()
      })

      test('of many who replace one hash at once, one does', async () => {
        const replacing = Array.from({ length: 6 }, (_, i) =>
          store.accounts.replacePasswordHash(email, { from: 'hash of a password', to: `hash ${i}` }),
        )
        expect((await Promise.all(replacing)).filter((isReplaced) => isReplaced)).toHaveLength(1)
      })

      test('a password is set whatever it was, and taken away', async () => {
        expect(await store.accounts.setPasswordHash(email, 'another')).toBe(true)
        expect((await store.accounts.find(email))?.passwordHash).toBe('another')
        expect(await store.accounts.setPasswordHash(email, undefined)).toBe(true)
        expect((await store.accounts.find(email))?.passwordHash).toBeUndefined()
        expect(await store.accounts.replacePasswordHash(email, { from: 'another', to: 'x' })).toBe(false)
        expect(await store.accounts.setPasswordHash('bob@example.org', 'x')).toBe(false)
      })

      test('a secret of codes comes back as it was set, and is taken away', async () => {
        const secret = 's1.sealed'
        expect(await store.accounts.setTotpSecret(email, secret)).toBe(true)
        expect((await store.accounts.find(email))?.totpSecret).toEqual(secret)
        expect(await store.accounts.setTotpSecret(email, undefined)).toBe(true)
        expect(await store.accounts.find(email)).toMatchObject(account)
        expect(await store.accounts.setTotpSecret('bob@example.org', secret)).toBe(false)
      })

      test('a step is used once, also by many at once, and none before it', async () => {
        const using = Array.from({ length: 6 }, () => store.accounts.useTotpStep(email, 7))
        expect((await Promise.all(using)).filter((isUsed) => isUsed)).toHaveLength(1)
        expect(await store.accounts.useTotpStep(email, 6)).toBe(false)
        await store.accounts.setTotpSecret(email, 's1.sealed')
        expect(await store.accounts.useTotpStep(email, 7)).toBe(false)
        expect(await store.accounts.useTotpStep(email, 8)).toBe(true)
        expect(await store.accounts.useTotpStep('bob@example.org', 8)).toBe(false)
      })
    })

    describe('users', () => {
      test.for<[email: string, insertion: string]>([
        ['ann@example.org', 'taken'],
        ['ANN@EXAMPLE.ORG', 'taken'],
        ['ann2@example.org', 'inserted'],
      ])('%s is %s', async ([email, insertion]) => {
        expect(await store.users.insert('a', userWith({ id: 'u2', email }))).toBe(insertion)
      })

      test('the same email is another user in another tenant', async () => {
        expect(await store.users.insert('b', userWith({ id: 'u7' }))).toBe('inserted')
        expect(await store.users.findByEmail('b', 'ann@EXAMPLE.org')).toEqual(userWith({ id: 'u7' }))
        expect(await store.users.findByEmail('a', 'ann@EXAMPLE.org')).toEqual(userWith({}))
      })

      test.for<[change: UserChange, permissionsVersion: number]>([
        [{ roles: ['admin'] }, 2],
        [{ roles: [] }, 2],
        [{ isActive: false }, 2],
        [{ roles: ['analyst'], isActive: true }, 1],
        [{ name: 'Anna', email: 'anna@example.org' }, 1],
      ])('$0 leads to version $1 of the permissions', async ([change, permissionsVersion]) => {
        const changed = await store.users.update('a', 'u1', change, { expectedVersion: 1, at: 50 })
        expect(changed).toEqual({ outcome: 'changed', value: userWith({ ...change, permissionsVersion, version: 2, updatedAt: 50 }) })
        expect(await store.users.list('a')).toEqual([userWith({ ...change, permissionsVersion, version: 2, updatedAt: 50 })])
      })

      test('a change under a version that is gone changes nothing', async () => {
        await store.users.update('a', 'u1', { roles: ['admin'] }, { expectedVersion: 1, at: 50 })
        const late = await store.users.update('a', 'u1', { roles: [] }, { expectedVersion: 1, at: 51 })
        expect(late).toEqual({ outcome: 'stale', version: 2 })
        expect(await store.users.get('a', 'u1')).toEqual(userWith({ roles: ['admin'], permissionsVersion: 2, version: 2, updatedAt: 50 }))
      })

      test('of many changes at once under one version, one is made', async () => {
        const changes = Array.from({ length: 8 }, (_, i) =>
          store.users.update('a', 'u1', { name: `name ${i}` }, { expectedVersion: 1, at: 50 + i }),
        )
        const outcomes = (await Promise.all(changes)).map(({ outcome }) => outcome)
        expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1)
        expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(7)
      })

      test('one who is removed goes with the sessions, and nobody else', async () => {
        await store.users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
        await store.sessions.insert('a', sessionWith({ id: 's2', userId: 'u2' }))
        expect(await store.users.remove('a', 'u1')).toBe(true)
        expect(await store.users.remove('a', 'u1')).toBe(false)
        expect(await store.users.list('a')).toEqual([userWith({ id: 'u2', email: 'bob@example.org' })])
        expect([await store.sessions.get('a', 's1'), (await store.sessions.get('a', 's2'))?.userId]).toEqual([undefined, 'u2'])
      })

      test('an email of somebody else is taken', async () => {
        await store.users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
        const taken = await store.users.update('a', 'u2', { email: 'ANN@example.org' }, { expectedVersion: undefined, at: 50 })
        expect(taken).toEqual({ outcome: 'taken' })
      })
    })

    describe('API keys', () => {
      test('a public id is unique among all tenants', async () => {
        expect(await store.apiKeys.insert('b', apiKeyWith({ tenant: 'b' }))).toBe('taken')
        expect(await store.apiKeys.find('k1')).toEqual(apiKeyWith({}))
        expect(await store.apiKeys.find('k2')).toBeUndefined()
      })

      test('a key is kept for the tenant that adds it, and comes back as it was', async () => {
        const key = apiKeyWith({ publicId: 'k2', scope: 'read_write', apiProfile: 'b', expiresAt: 900, allowedCidrs: ['192.0.2.0/24'] })
        expect(await store.apiKeys.insert('b', key)).toBe('inserted')
        expect(await store.apiKeys.find('k2')).toEqual({ ...key, tenant: 'b' })
      })

      test('keys are listed oldest first', async () => {
        await store.apiKeys.insert('a', apiKeyWith({ publicId: 'k3', createdAt: 2 }))
        await store.apiKeys.insert('a', apiKeyWith({ publicId: 'k2', createdAt: 2 }))
        await store.apiKeys.insert('a', apiKeyWith({ publicId: 'k0', createdAt: 3 }))
        expect((await store.apiKeys.list('a')).map(({ publicId }) => publicId)).toEqual(['k1', 'k2', 'k3', 'k0'])
      })

      test('a change counts the version up, and a late one changes nothing', async () => {
        const change = { name: 'siem', expiresAt: 900, apiProfile: 'a', allowedCidrs: ['2001:db8::/32'] } as const
        await store.apiKeys.noteUse('a', 'k1', { at: 40, ip: '192.0.2.1' })
        const key = apiKeyWith({ ...change, lastUsedAt: 40, lastUsedIp: '192.0.2.1', version: 2, updatedAt: 50 })
        expect(await store.apiKeys.update('a', 'k1', change, { expectedVersion: 1, at: 50 })).toEqual({ outcome: 'changed', value: key })
        const late = await store.apiKeys.update('a', 'k1', { name: 'X' }, { expectedVersion: 1, at: 60 })
        expect(late).toEqual({ outcome: 'stale', version: 2 })
        expect(await store.apiKeys.get('a', 'k1')).toEqual(key)
        await store.apiKeys.update('a', 'k1', { expiresAt: undefined }, { expectedVersion: 2, at: 60 })
        expect((await store.apiKeys.get('a', 'k1'))?.expiresAt).toBeUndefined()
      })

      test('a key that is revoked stays so, whatever changes', async () => {
        expect(await store.apiKeys.revoke('a', 'k1', 70)).toBe(true)
        expect(await store.apiKeys.revoke('a', 'k1', 80)).toBe(true)
        expect(await store.apiKeys.find('k1')).toEqual(apiKeyWith({ revokedAt: 70, version: 2, updatedAt: 70 }))
        await store.apiKeys.update('a', 'k1', { name: 'siem' }, { expectedVersion: undefined, at: 90 })
        expect((await store.apiKeys.find('k1'))?.revokedAt).toBe(70)
        expect(await store.apiKeys.revoke('a', 'k2', 80)).toBe(false)
      })

      test('a change that was begun before it was revoked does not undo that', async () => {
        await store.apiKeys.revoke('a', 'k1', 70)
        const late = await store.apiKeys.update('a', 'k1', { name: 'siem' }, { expectedVersion: 1, at: 71 })
        expect(late).toEqual({ outcome: 'stale', version: 2 })
      })
    })

    describe('sessions', () => {
      const advance = (from: number, refreshedAt: number) => store.sessions.advance('a', 's1', { from, refreshedAt })

      test('a generation follows the one before once', async () => {
        expect(await advance(1, 50)).toBe(true)
        expect(await advance(1, 60)).toBe(false)
        expect(await advance(3, 60)).toBe(false)
        expect(await advance(2, 70)).toBe(true)
        expect(await store.sessions.list('a', 'u1')).toEqual([sessionWith({ generation: 3, refreshedAt: 70 })])
      })

      test('of many who advance one generation at once, one does', async () => {
        const advanced = await Promise.all(Array.from({ length: 6 }, (_, i) => advance(1, 50 + i)))
        expect(advanced.filter((isAdvanced) => isAdvanced)).toHaveLength(1)
        expect((await store.sessions.get('a', 's1'))?.generation).toBe(2)
      })

      test('one that is revoked stays as it is', async () => {
        expect(await store.sessions.revoke('a', 's1', 40)).toBe(true)
        expect(await store.sessions.revoke('a', 's1', 50)).toBe(false)
        expect(await advance(1, 60)).toBe(false)
        expect(await store.sessions.get('a', 's1')).toEqual(sessionWith({ revokedAt: 40 }))
      })

      test('all of a user are revoked, each once, and nobody else\'s', async () => {
        await store.users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
        await store.sessions.insert('a', sessionWith({ id: 's2' }))
        await store.sessions.insert('a', sessionWith({ id: 's3', userId: 'u2' }))
        await store.sessions.revoke('a', 's1', 40)
        expect(await store.sessions.revokeAll('a', 'u1', 50)).toEqual(['s2'])
        expect(await store.sessions.list('a', 'u1')).toEqual([sessionWith({ revokedAt: 40 }), sessionWith({ id: 's2', revokedAt: 50 })])
        expect(await store.sessions.get('a', 's3')).toEqual(sessionWith({ id: 's3', userId: 'u2' }))
      })

      test('an id that is taken is refused', async () => {
        await expect(store.sessions.insert('a', sessionWith({ generation: 9 }))).rejects.toThrow('UNIQUE')
        expect(await store.sessions.get('a', 's1')).toEqual(sessionWith({}))
      })

      test('those that were not refreshed for long go', async () => {
        await store.sessions.insert('a', sessionWith({ id: 's2' }))
        await advance(1, 50)
        expect(await store.sessions.removeOld('a', 1)).toBe(0)
        expect(await store.sessions.removeOld('a', 50)).toBe(1)
        expect((await store.sessions.list('a', 'u1')).map(({ id }) => id)).toEqual(['s1'])
      })
    })

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

    describe('webhooks', () => {
      describeWebhooks(() => store)
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
