import { createdProvisioningTokenSchema, provisioningSchema, userListSchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { provisionedGroupWith, userWith } from '@tripline/state/test/state-samples'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer, scrapeToken } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { openSession } from '../../access/login/session.ts'
import { limits } from '../../limits.ts'
import { userType } from '../../scim/resource-types.ts'

let server: TestServer
let token: string

beforeEach(async () => {
  server = await openTestServer([], { publicUrl: 'https://console.example' })
  const role_mapping = [
    { claim: 'groups', op: 'contains', value: 'SOC Admins', role: 'admin' }, { claim: 'groups', op: 'contains', value: 'SOC', role: 'analyst' },
    { claim: 'roles', op: 'contains', value: 'reader', role: 'viewer' },
  ]
  await server.call('PATCH', '/v1/settings', { body: { role_mapping } })
  token = await issue()
})

async function issue(asked?: string): Promise<string> {
  const answered = await server.call('POST', '/v1/settings/scim/tokens', { ...(asked !== undefined && { token: asked }) })
  expect(answered.status).toBe(201)
  return createdProvisioningTokenSchema.parse(answered.body).token
}

type Json = { readonly [name: string]: unknown }
const scim = (method: string, path: string, body?: object, asked: string | null = token): Promise<TestResponse> =>
  server.call(method, `/scim/v2${path}`, { token: asked, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/scim+json' } }) })
const readSettings = async () => provisioningSchema.parse((await server.call('GET', '/v1/settings/scim')).body)
const idOf = ({ body }: TestResponse): string => String((body as Json)['id'])
const found = ({ body }: TestResponse): readonly Json[] => (body as { readonly Resources: readonly Json[] }).Resources

const newUser = (change: object = {}): object => ({
  schemas: [userType.schema], userName: 'ann@acme.example', externalId: 'e-ann', displayName: 'Ann Lee', active: true,
  emails: [{ value: 'ann@acme.example', type: 'work', primary: true }], ...change,
})
const addUser = async (change: object = {}): Promise<string> => {
  const answered = await scim('POST', '/Users', newUser(change))
  expect(answered.status).toBe(201)
  return idOf(answered)
}
const addGroup = async (displayName: string, ids: readonly string[] = []): Promise<string> => {
  const answered = await scim('POST', '/Groups', { displayName, members: ids.map((value) => ({ value })) })
  expect(answered.status).toBe(201)
  return idOf(answered)
}
const patch = (path: string, ...Operations: readonly object[]): Promise<TestResponse> =>
  scim('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const readUser = async (id: string) => userListSchema.parse((await server.call('GET', '/v1/users')).body).users.find((user) => user.id === id)
const listActions = async () => {
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 100 })
  return entries.map(({ action, target: { id }, actor }) => ({ action, id, by: actor.email ?? actor.id }))
}

/** Logs a user in, whatever the way; the access token. */
async function openSessionOf(id: string): Promise<string> {
  const user = await server.app.state.users.get(onlyTenant, id)
  return (await openSession(server.app.identity, onlyTenant, user!, { claims: {} })).accessToken
}
const isOpen = async (accessToken: string): Promise<boolean> => (await server.call('GET', '/v1/auth/me', { token: accessToken })).status === 200

describe('tokens', () => {
  test('are shown once, replaced one by one, and refused once they are revoked', async () => {
    const { tokens } = await readSettings()
    expect(tokens).toHaveLength(1)
    expect(JSON.stringify(await readSettings())).not.toContain(token)
    const second = await issue()
    expect(await server.call('POST', '/v1/settings/scim/tokens')).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect((await scim('GET', '/Users')).status).toBe(200)
    expect((await server.call('DELETE', `/v1/settings/scim/tokens/${tokens[0]!.id}`)).status).toBe(204)
    expect((await scim('GET', '/Users')).status).toBe(401)
    expect((await scim('GET', '/Users', undefined, second)).status).toBe(200)
    expect((await server.call('DELETE', `/v1/settings/scim/tokens/${tokens[0]!.id}`)).status).toBe(404)
    expect((await listActions()).map(({ action }) => action)).toEqual(expect.arrayContaining(['scim_token.create', 'scim_token.revoke']))
  })

  test('end after a year, and their last use is shown', async () => {
    await server.call('GET', '/scim/v2/Users', { token, address: '192.0.2.7' })
    expect((await readSettings()).tokens).toMatchObject([{ last_used_ip: '192.0.2.7', last_used_at: '2026-11-20T10:00:00.000Z' }])
    server.io.nowMs += limits.scim.tokenLifetimeMs - 1
    expect((await scim('GET', '/Users')).status).toBe(200)
    server.io.nowMs += 1
    expect((await scim('GET', '/Users')).status).toBe(401)
  })

  test('open no other route, and nothing else opens theirs', async () => {
    for (const { method, path, access } of server.routes) {
      if (access === 'anyone') continue
      const { status } = await server.call(method, path.replaceAll(/:\w+/g, 'made-up'), { token, ...(method !== 'GET' && { body: {} }) })
      expect(status, `${method} ${path}`).toBe(401)
    }
    expect((await server.call('GET', '/api/v1/alerts', { token })).status).toBe(401)
    expect((await server.call('POST', '/_bulk', { token, body: '' })).status).toBe(401)
    const key = (await server.call('POST', '/v1/api-keys', { body: { name: 'Sender', scope: 'read-write' } })).body as { readonly key: string }
    const others = [await server.tokenOf(['admin', 'operator']), key.key, scrapeToken, `tp_00000000_${'A'.repeat(43)}`, '', null]
    for (const other of others) {
      for (const path of ['/Users', '/Groups', '/Schemas', '/ResourceTypes', '/ServiceProviderConfig', '/Users/u1']) {
        expect(await scim('GET', path, undefined, other), path).toMatchObject({
          status: 401, headers: { 'www-authenticate': 'Bearer' },
          body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' },
        })
      }
    }
  })

  test('are refused with their tenant', async () => {
    await server.app.state.tenants.update(onlyTenant, { isActive: false }, { expectedVersion: undefined, at: 1 })
    expect((await scim('GET', '/Users')).status).toBe(401)
  })

  test('are limited in their requests, like users', async () => {
    for (let i = 0; i < limits.rate.userRequestsMax; i++) await scim('GET', '/ServiceProviderConfig')
    expect(await scim('GET', '/ServiceProviderConfig')).toMatchObject({
      status: 429, headers: { 'retry-after': expect.any(String) }, body: { status: '429' },
    })
  })
})

describe('another tenant', () => {
  test('sees and changes nothing', async () => {
    const user = await addUser()
    const group = await addGroup('SOC', [user])
    const before = [await scim('GET', '/Users'), await scim('GET', '/Groups'), await readSettings()]
    const other = await issue(await server.tokenOf(['admin'], 'other'))
    expect(found(await scim('GET', '/Users', undefined, other))).toEqual([])
    expect(found(await scim('GET', '/Groups', undefined, other))).toEqual([])
    for (const [method, path, body] of [
      ['GET', `/Users/${user}`], ['PUT', `/Users/${user}`, newUser()], ['PATCH', `/Users/${user}`, { Operations: [{ op: 'replace', value: { active: false } }] }],
      ['DELETE', `/Users/${user}`], ['GET', `/Groups/${group}`], ['PUT', `/Groups/${group}`, { displayName: 'Mine' }],
      ['PATCH', `/Groups/${group}`, { Operations: [{ op: 'remove', path: 'members' }] }], ['DELETE', `/Groups/${group}`],
    ] as const) {
      expect((await scim(method, path, body, other)).status, `${method} ${path}`).toBe(404)
    }
    expect(await scim('POST', '/Groups', { displayName: 'Mine', members: [{ value: user }] }, other)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    const tokenId = (await readSettings()).tokens[0]!.id
    expect((await server.call('DELETE', `/v1/settings/scim/tokens/${tokenId}`, { token: await server.tokenOf(['admin'], 'other') })).status).toBe(404)
    expect([await scim('GET', '/Users'), await scim('GET', '/Groups'), await readSettings()].map((answered) => 'body' in answered ? answered.body : answered))
      .toEqual(before.map((answered) => 'body' in answered ? answered.body : answered))
  })
})

describe('a user', () => {
  test('is added, found, replaced and removed', async () => {
    const created = await scim('POST', '/Users', newUser({ title: 'Analyst', id: 'mine' }))
    const id = idOf(created)
    const location = `https://console.example/scim/v2/Users/${id}`
    expect(created).toMatchObject({ status: 201, headers: { location, 'content-type': 'application/scim+json' } })
    expect(created.body).toEqual({
      ...newUser(), id, meta: { resourceType: 'User', created: '2026-11-20T10:00:00.000Z', lastModified: '2026-11-20T10:00:00.000Z', location },
    })
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(created.body)
    expect(await readUser(id)).toMatchObject({ email: 'ann@acme.example', name: 'Ann Lee', roles: [], is_active: true, issuer: 'scim' })
    expect(found(await scim('GET', '/Users?filter=userName%20eq%20%22ANN@acme.example%22'))).toMatchObject([{ id }])
    expect(found(await scim('GET', '/Users?filter=externalId%20eq%20%22e-ann%22'))).toMatchObject([{ id }])
    expect(found(await scim('GET', '/Users?filter=externalId%20eq%20%22e-bob%22'))).toEqual([])
    const replaced = await scim('PUT', `/Users/${id}`, newUser({ displayName: 'Ann Ray', emails: [{ value: 'ann.ray@acme.example' }] }))
    expect(replaced).toMatchObject({ status: 200, body: { displayName: 'Ann Ray', emails: [{ value: 'ann.ray@acme.example' }] } })
    expect(await readUser(id)).toMatchObject({ email: 'ann.ray@acme.example', name: 'Ann Ray' })
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await scim(method, `/Users/${id}`)).status).toBe(404)
    expect(found(await scim('GET', '/Users'))).toEqual([])
    expect(await readUser(id)).toMatchObject({ is_active: false, roles: [] })
    const { id: tokenId } = (await readSettings()).tokens[0]!
    expect((await listActions()).filter((entry) => entry.id === id)).toEqual(
      ['user.remove', 'user.update', 'user.create'].map((action) => ({ action, id, by: `scim:${tokenId}` })))
  })

  test('who was removed comes back as the same, with a role of the groups it is added to', async () => {
    const id = await addUser()
    await scim('DELETE', `/Users/${id}`)
    expect(await addUser()).toBe(id)
    await addGroup('SOC', [id])
    expect(await readUser(id)).toMatchObject({ is_active: true, roles: ['analyst'] })
  })

  test('who is deactivated loses sessions at once, and logs in again when active', async () => {
    const id = await addUser()
    await addGroup('SOC', [id])
    const session = await openSessionOf(id)
    expect(await isOpen(session)).toBe(true)
    expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body).toMatchObject({ active: false })
    expect(await isOpen(session)).toBe(false)
    await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
    expect(await isOpen(session)).toBe(false)
    expect(await isOpen(await openSessionOf(id))).toBe(true)
    // A replacement that does not say so activates no one.
    await scim('PUT', `/Users/${id}`, newUser({ active: false }))
    await scim('PUT', `/Users/${id}`, newUser({ active: undefined }))
    expect(await readUser(id)).toMatchObject({ is_active: false })
  })

  test('is changed by nothing that says the same', async () => {
    const id = await addUser()
    await patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Ann Lee' })
    await scim('PUT', `/Users/${id}`, newUser())
    expect((await listActions()).filter((entry) => entry.id === id)).toHaveLength(1)
  })

  test('has the role of its own attribute, and loses it with it', async () => {
    const id = await addUser({ roles: [{ value: 'reader' }] })
    expect(await readUser(id)).toMatchObject({ roles: ['viewer'] })
    const session = await openSessionOf(id)
    await patch(`/Users/${id}`, { op: 'remove', path: 'roles' })
    expect(await readUser(id)).toMatchObject({ roles: [] })
    expect(await isOpen(session)).toBe(false)
  })

  test.for<[what: string, change: object, status: number, scimType: string]>([
    ['without a name', { userName: undefined }, 400, 'invalidValue'],
    ['with a blank name', { userName: ' ' }, 400, 'invalidValue'],
    ['of another schema', { schemas: ['urn:other'] }, 400, 'invalidValue'],
    ['with a number for a text', { displayName: 3 }, 400, 'invalidValue'],
    ['with attributes that are too large', { emails: Array.from({ length: 200 }, (_, i) => ({ value: `${i}${'a'.repeat(200)}` })) }, 400, 'invalidValue'],
    ['whose name is taken', { userName: 'BOB@acme.example' }, 409, 'uniqueness'],
    ['whose address is taken', { emails: [{ value: 'bob@acme.example' }] }, 409, 'uniqueness'],
    ['whose address a user with a password has', { emails: [{ value: 'local@acme.example' }] }, 409, 'uniqueness'],
  ])('%s is refused', async ([, change, status, scimType]) => {
    await addUser({ userName: 'bob@acme.example', emails: undefined })
    await server.call('POST', '/v1/users', { body: { email: 'local@acme.example', name: 'Local', roles: ['admin'] } })
    const before = (await scim('GET', '/Users')).body
    expect(await scim('POST', '/Users', newUser(change))).toMatchObject({ status, body: { status: String(status), scimType, detail: expect.any(String) } })
    expect((await scim('GET', '/Users')).body).toEqual(before)
  })

  test('is refused where the tenant has as many users as it may have', async () => {
    await server.app.state.transaction(async ({ users }) => {
      for (let count = (await users.list(onlyTenant)).length; count < limits.admin.usersMax; count++) {
        await users.insert(onlyTenant, userWith({ id: `full-${count}`, email: `full-${count}@acme.example` }))
      }
    })
    expect(await scim('POST', '/Users', newUser())).toMatchObject({ status: 409, body: { detail: expect.stringContaining('1000 users') } })
  })

  test('whom a login added becomes the provisioned one', async () => {
    const known = userWith({ id: 'login-1', email: 'ann@acme.example', externalIssuer: 'https://login.example', roles: ['engineer'] })
    await server.app.state.users.insert(onlyTenant, known)
    expect(found(await scim('GET', '/Users?filter=userName%20eq%20%22ann@acme.example%22'))).toMatchObject([{ id: 'login-1', displayName: 'Ann' }])
    expect(await addUser()).toBe('login-1')
    expect(await readUser('login-1')).toMatchObject({ roles: ['engineer'], name: 'Ann Lee' })
    await scim('DELETE', '/Users/login-1')
    expect(await readUser('login-1')).toMatchObject({ is_active: false })
  })
})

describe('users with a password here', () => {
  test('are not seen and not changed: no last admin and none for emergencies is removed', async () => {
    const { users } = userListSchema.parse((await server.call('GET', '/v1/users')).body)
    expect(users.map(({ roles }) => roles)).toEqual([['admin']])
    const id = users[0]!.id
    expect(found(await scim('GET', '/Users'))).toEqual([])
    for (const [method, body] of [
      ['GET'], ['DELETE'], ['PUT', newUser({ active: false })], ['PATCH', { Operations: [{ op: 'replace', value: { active: false } }] }],
    ] as const) {
      expect((await scim(method, `/Users/${id}`, body)).status, method).toBe(404)
    }
    expect((await scim('POST', '/Groups', { displayName: 'SOC', members: [{ value: id }] })).status).toBe(400)
    expect(await readUser(id)).toMatchObject({ is_active: true, roles: ['admin'] })
    expect((await readSettings()).groups).toEqual([])
  })
})

describe('a group', () => {
  test('gives its members its role, and takes it with their sessions', async () => {
    const ann = await addUser()
    const bob = await addUser({ userName: 'bob@acme.example', externalId: 'e-bob', displayName: undefined, emails: undefined })
    const group = await addGroup('SOC', [ann])
    const session = await openSessionOf(ann)
    expect(await readUser(ann)).toMatchObject({ roles: ['analyst'] })
    expect((await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value: bob }] })).body).toMatchObject({
      displayName: 'SOC', members: expect.arrayContaining([
        { value: bob, $ref: `https://console.example/scim/v2/Users/${bob}`, type: 'User', display: 'bob@acme.example' },
      ]),
    })
    expect(await readUser(bob)).toMatchObject({ roles: ['analyst'] })
    expect((await scim('GET', `/Users/${bob}`)).body).toMatchObject({ groups: [{ value: group, display: 'SOC' }] })
    expect(await isOpen(session)).toBe(true)
    const admins = await addGroup('SOC Admins', [ann])
    expect(await readUser(ann)).toMatchObject({ roles: ['admin'] })
    expect(await isOpen(session)).toBe(false)
    await patch(`/Groups/${admins}`, { op: 'Remove', path: 'members', value: [{ value: ann }] })
    expect(await readUser(ann)).toMatchObject({ roles: ['analyst'] })
    await patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'Kitchen' })
    expect([await readUser(ann), await readUser(bob)]).toMatchObject([{ roles: [] }, { roles: [] }])
    await scim('PUT', `/Groups/${group}`, { displayName: 'SOC', members: [{ value: bob }] })
    expect([await readUser(ann), await readUser(bob)]).toMatchObject([{ roles: [] }, { roles: ['analyst'] }])
    expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204)
    expect(await readUser(bob)).toMatchObject({ roles: [] })
    expect((await listActions()).filter((entry) => entry.id === group).map(({ action }) => action))
      .toEqual(['group.remove', 'group.update', 'group.update', 'group.update', 'group.create'])
  })

  test('is found by name and by member, without members where they are not wanted', async () => {
    const ann = await addUser()
    const group = await addGroup('SOC', [ann])
    await addGroup('Kitchen')
    expect(found(await scim('GET', '/Groups?filter=displayName%20eq%20%22soc%22'))).toMatchObject([{ id: group, members: [{ value: ann }] }])
    expect(found(await scim('GET', `/Groups?filter=members%20eq%20%22${ann}%22`))).toMatchObject([{ id: group }])
    const [short] = found(await scim('GET', '/Groups?excludedAttributes=members&filter=displayName%20eq%20%22SOC%22'))
    expect(short).toMatchObject({ displayName: 'SOC' })
    expect(short).not.toHaveProperty('members')
    expect(found(await scim('GET', '/Groups?attributes=displayName'))[0]).toEqual({ schemas: expect.any(Array), id: expect.any(String), displayName: 'SOC' })
  })

  test('stands in the settings with its role, and users without one are counted', async () => {
    const ann = await addUser()
    await addUser({ userName: 'bob', externalId: '', emails: undefined })
    const group = await addGroup('SOC', [ann])
    expect(await readSettings()).toMatchObject({
      base_url: 'https://console.example/scim/v2', user_count: 2, users_without_role: 1,
      groups: [{ id: group, name: 'SOC', external_id: null, member_count: 1, role: 'analyst' }],
    })
  })

  test('is refused a member where all groups together have as many as they may have', async () => {
    const count = 800
    const { membersMax } = limits.scim
    const full = provisionedGroupWith({ memberIds: Array.from({ length: count }, (_, i) => `full-${i}`) })
    await server.app.state.transaction(async ({ users, provisioning }) => {
      for (const id of full.memberIds) await users.insert(onlyTenant, userWith({ id, email: `${id}@acme.example`, externalIssuer: 'scim' }))
      for (let i = 0; i < membersMax / count; i++) await provisioning.putGroup(onlyTenant, { ...full, id: `g${i}`, displayName: `G ${i}` })
    })
    const group = await addGroup('SOC')
    const member = [{ value: await addUser() }]
    expect(await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: member }))
      .toMatchObject({ status: 409, body: { detail: expect.stringContaining(`at most ${membersMax} members`) } })
    expect(await patch('/Groups/g1', { op: 'remove', path: 'members' })).toMatchObject({ status: 200 })
    expect(await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: member })).toMatchObject({ status: 200 })
  })

  test.for<[what: string, body: object, status: number, scimType: string]>([
    ['without a name', { members: [] }, 400, 'invalidValue'], ['whose name is taken', { displayName: 'soc' }, 409, 'uniqueness'],
    ['with a group as member', { displayName: 'All', members: [{ value: 'g1', type: 'Group' }] }, 400, 'invalidValue'],
    ['with an unknown member', { displayName: 'All', members: [{ value: 'u1' }] }, 400, 'invalidValue'],
    ['with a member without an id', { displayName: 'All', members: [{ display: 'Ann' }] }, 400, 'invalidValue'],
  ])('%s is refused', async ([, body, status, scimType]) => {
    await addGroup('SOC')
    expect(await scim('POST', '/Groups', body)).toMatchObject({ status, body: { scimType } })
    expect(found(await scim('GET', '/Groups'))).toHaveLength(1)
  })
})

describe('a list', () => {
  test('comes in pages from 1', async () => {
    for (let i = 0; i < 5; i++) await addUser({ userName: `u${i}`, externalId: `e${i}`, emails: undefined })
    const page = async (query: string) => {
      const { body } = await scim('GET', `/Users?${query}`)
      const { totalResults, startIndex, itemsPerPage, Resources } = body as { readonly [name: string]: unknown } & { readonly Resources: readonly Json[] }
      return [totalResults, startIndex, itemsPerPage, Resources.map(({ userName }) => userName)]
    }
    expect(await page('startIndex=2&count=2')).toEqual([5, 2, 2, ['u1', 'u2']])
    expect(await page('startIndex=5&count=9')).toEqual([5, 5, 1, ['u4']])
    expect(await page('startIndex=0&count=1')).toEqual([5, 1, 1, ['u0']])
    expect(await page('count=0')).toEqual([5, 1, 0, []])
    expect(await page('count=-1')).toEqual([5, 1, 0, []])
    expect(await page('startIndex=9')).toEqual([5, 9, 0, []])
    const searched = await scim('POST', '/Users/.search', { filter: 'userName sw "u"', startIndex: 2, count: 1, attributes: ['userName'] })
    expect(searched).toMatchObject({ status: 200, body: { totalResults: 5, Resources: [{ userName: 'u1' }] } })
    expect(found(searched)[0]).not.toHaveProperty('active')
    expect(found(await scim('POST', '/Groups/.search', {}))).toEqual([])
    expect(await scim('POST', '/Users/.search', { count: 'x' })).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
    expect(await scim('GET', '/Users?count=x')).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await scim('GET', '/Users?filter=userName%20like%201')).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
  })
})

describe('the description of the service', () => {
  test('is the schemas, the types and what is supported', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({ patch: { supported: true }, bulk: { supported: false }, filter: { maxResults: 200 } })
    expect(found(await scim('GET', '/ResourceTypes')).map(({ id }) => id)).toEqual(['User', 'Group'])
    expect(await scim('GET', '/ResourceTypes/Group')).toMatchObject({ status: 200, body: { endpoint: '/Groups' } })
    for (const path of ['/ResourceTypes/Device', '/Schemas/urn:other', '/Devices', '/Users/u1/groups']) {
      expect(await scim('GET', path), path).toMatchObject({ status: 404, body: { schemas: [expect.stringContaining('Error')], status: '404' } })
    }
    const [user] = found(await scim('GET', '/Schemas'))
    expect(((user ?? {})['attributes'] as readonly Json[]).map(({ name }) => name)).toEqual(['userName', 'name', 'displayName', 'active', 'emails', 'roles', 'groups'])
    expect((await scim('GET', `/Schemas/${userType.schema}`)).body).toEqual(user)
  })
})

describe('a body', () => {
  test.for<[what: string, body: string, type: string, status: number, scimType: string | undefined]>([
    ['that is no JSON', '{"userName"', 'application/scim+json', 400, 'invalidSyntax'],
    ['that is a list', '[]', 'application/json', 400, 'invalidSyntax'],
    ['of another type', 'userName=ann', 'application/x-www-form-urlencoded', 415, undefined],
    ['that is too large', JSON.stringify({ userName: 'a'.repeat(limits.request.bodyBytesMax) }), 'application/json', 413, undefined],
    ['that nests too deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 'application/json', 400, 'invalidSyntax'],
  ])('%s is refused', async ([, body, type, status, scimType]) => {
    const answered = await server.call('POST', '/scim/v2/Users', { token, body, headers: { 'content-type': type } })
    expect(answered).toMatchObject({ status, body: { status: String(status), ...(scimType && { scimType }) } })
  })
})

test('a role that a person has by SCIM cannot be changed in the console, where the person can be disabled', async () => {
  const id = await addUser()
  expect((await server.call('PATCH', `/v1/users/${id}`, { body: { roles: ['admin'] } })).status).toBe(409)
  expect((await server.call('POST', `/v1/users/${id}/password`)).status).toBe(409)
  expect((await server.call('PATCH', `/v1/users/${id}`, { body: { is_active: false } })).status).toBe(200)
  expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ active: false })
})
