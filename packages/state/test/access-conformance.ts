import { beforeEach, describe, expect, test } from 'vitest'
import type { StateStore, UserChange } from '../src/ports/state-store.ts'
import { apiKeyWith, sessionWith, userWith } from './state-samples.ts'

/** The behaviour of the stores of accounts, users, API keys and sessions. */
export function describeAccess(current: () => StateStore): void {
  let store: StateStore
  beforeEach(() => {
    store = current()
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

    test('a tenant that is not active has no members, but whose account it is stays known', async () => {
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

    test('a removed user goes with the sessions, and no other user', async () => {
      await store.users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
      await store.sessions.insert('a', sessionWith({ id: 's2', userId: 'u2' }))
      expect(await store.users.remove('a', 'u1')).toBe(true)
      expect(await store.users.remove('a', 'u1')).toBe(false)
      expect(await store.users.list('a')).toEqual([userWith({ id: 'u2', email: 'bob@example.org' })])
      expect([await store.sessions.get('a', 's1'), (await store.sessions.get('a', 's2'))?.userId]).toEqual([undefined, 'u2'])
    })

    test('the email of another user is taken', async () => {
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

    test('where it is used from is of its last step, and stays where a step does not state it', async () => {
      const client = { address: '192.0.2.8', browser: 'Chrome' }
      await store.sessions.advance('a', 's1', { from: 1, refreshedAt: 50, client })
      await advance(2, 60)
      expect(await store.sessions.get('a', 's1')).toEqual(sessionWith({ generation: 3, refreshedAt: 60, client }))
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

    test('all of a user are revoked, each once, and none of another user', async () => {
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
}
