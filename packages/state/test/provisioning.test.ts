import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StateStore } from '../src/ports/state-store.ts'
import { openMemoryState } from './open-memory-state.ts'
import { auditKey, fill, provisionedGroupWith, provisionedUserWith, provisioningTokenWith, userWith } from './state-samples.ts'

let store: StateStore

beforeEach(async () => {
  store = await openMemoryState({ auditKey })
  await fill(store)
})
afterEach(() => store.close())

test('a token is found by its hash with its tenant, and no more once it is removed', async () => {
  const { provisioning } = store
  expect(await provisioning.findToken('hash of a provisioning token')).toEqual({ tenant: 'a', token: provisioningTokenWith({}) })
  await provisioning.noteTokenUse('a', 'pt1', { at: 50, ip: '192.0.2.1' })
  await provisioning.noteTokenUse('a', 'pt1', { at: 40, ip: '192.0.2.2' })
  await provisioning.noteTokenUse('b', 'pt1', { at: 60, ip: '192.0.2.3' })
  expect(await provisioning.listTokens('a')).toEqual([provisioningTokenWith({ lastUsedAt: 50, lastUsedIp: '192.0.2.1' })])
  expect(await provisioning.removeToken('a', 'pt1')).toBe(true)
  expect(await provisioning.findToken('hash of a provisioning token')).toBeUndefined()
})

test('a user name and a group name belong to one in the tenant, in any case of letters', async () => {
  const { provisioning, users } = store
  await users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
  expect(await provisioning.putUser('a', provisionedUserWith({ userId: 'u2', userName: 'ANN@EXAMPLE.ORG' }))).toBe('taken')
  expect(await provisioning.putUser('a', provisionedUserWith({ userName: 'ann@example.org', isRemoved: true }))).toBe('inserted')
  expect(await provisioning.listUsers('a')).toEqual([provisionedUserWith({ userName: 'ann@example.org', isRemoved: true })])
  expect(await provisioning.putGroup('a', provisionedGroupWith({ id: 'g2', displayName: 'soc' }))).toBe('taken')
  expect(await provisioning.getGroup('a', 'g2')).toBeUndefined()
})

test('a group is replaced with its members, and a removed user is a member of none', async () => {
  const { provisioning, users } = store
  await users.insert('a', userWith({ id: 'u2', email: 'bob@example.org' }))
  await provisioning.putUser('a', provisionedUserWith({ userId: 'u2', userName: 'bob' }))
  await provisioning.putGroup('a', provisionedGroupWith({ displayName: 'SOC 2', memberIds: ['u2', 'u1'] }))
  const { memberIds, ...head } = provisionedGroupWith({ displayName: 'SOC 2', memberIds: ['u1', 'u2'] })
  expect(await provisioning.getGroup('a', 'g1')).toEqual({ ...head, memberIds })
  expect(await provisioning.listGroups('a')).toEqual([head])
  expect(await provisioning.listGroupsOf('a', 'u2')).toEqual([head])
  expect(await provisioning.countMembers('a')).toEqual(new Map([['g1', 2]]))
  await provisioning.putGroup('a', { ...head, memberIds: ['u2'] })
  expect(await provisioning.listGroupsOf('a', 'u1')).toEqual([])
  expect(await provisioning.getGroup('a', 'g1')).toEqual({ ...head, memberIds: ['u2'] })
  await users.remove('a', 'u2')
  expect(await provisioning.getUser('a', 'u2')).toBeUndefined()
  expect(await provisioning.getGroup('a', 'g1')).toEqual({ ...head, memberIds: [] })
  expect(await provisioning.countMembers('a')).toEqual(new Map())
})
