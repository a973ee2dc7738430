import { createdUserSchema, oneTimePasswordSchema, peopleSchema, tokenSchema, userListSchema, userSchema } from '@tripline/contract'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, Call, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

let server: TestServer
let call: TestServer['call']

beforeEach(async () => {
  server = await openTestServer([])
  call = server.call
})

const newUser = { email: 'bob@example.org', name: 'Bob', roles: ['analyst'] }
const ownPassword = 'a password of my own'

async function create(body: object = newUser, asked: Call = {}): Promise<{ id: string; password: string }> {
  const answered = await call('POST', '/v1/users', { body, ...asked })
  const { id, one_time_password: password } = createdUserSchema.parse(answered.body)
  return { id, password: password ?? '' }
}

function logIn(body: object): Promise<TestResponse> {
  return call('POST', '/v1/auth/login', { token: null, body })
}

/** Creates a user and logs in as them, with a password of their own. */
async function admitted(body: object = newUser): Promise<{ id: string; token: string }> {
  const { id, password } = await create(body)
  const answered = await logIn({ email: Reflect.get(body, 'email'), password, new_password: ownPassword })
  return { id, token: tokenSchema.parse(answered.body).access_token }
}

/** The id of the administrator whose token is sent where a test says nothing. */
async function adminId(): Promise<string> {
  return userListSchema.parse((await call('GET', '/v1/users')).body).users.find(({ email }) => email !== newUser.email)!.id
}

async function isLetIn(token: string): Promise<boolean> {
  return (await call('GET', '/v1/auth/me', { token })).status === 200
}

async function lastEntry(tenant = onlyTenant) {
  const [entry] = (await server.app.state.audit.list(tenant, { limit: 1 })).entries
  return entry
}

describe('a new user', () => {
  test('is refused where the tenant has as many users as it may have', async () => {
    const { users } = server.app.state
    const [sample] = await users.list(onlyTenant)
    await server.app.state.transaction(async (stores) => {
      for (let count = (await stores.users.list(onlyTenant)).length; count < limits.admin.usersMax - 1; count++) {
        await stores.users.insert(onlyTenant, { ...sample!, id: `u${count}`, email: `u${count}@example.org` })
      }
    })
    await create()
    const message = `the tenant has reached its limit of ${limits.admin.usersMax} users; remove one first`
    expect(await call('POST', '/v1/users', { body: { ...newUser, email: 'cid@example.org' } }))
      .toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', message } } })
    expect(await users.list(onlyTenant)).toHaveLength(limits.admin.usersMax)
  })

  test('logs in with the one-time password and sets a new one', async () => {
    const { id, password } = await create()
    const asked = { error: { details: { needs: 'new_password' } } }
    expect(await logIn({ email: newUser.email, password })).toMatchObject({ status: 403, body: asked })
    expect((await logIn({ email: newUser.email, password, new_password: ownPassword })).status).toBe(200)
    expect((await logIn({ email: newUser.email, password })).status).toBe(401)
    const { body } = await logIn({ email: newUser.email, password: ownPassword })
    expect(tokenSchema.parse(body).user).toMatchObject({ id, roles: ['analyst'] })
  })

  test('is returned, listed and audited', async () => {
    const { id } = await create()
    const shown = await call('GET', `/v1/users/${id}`)
    expect(shown.headers['etag']).toBe('"1"')
    expect(userSchema.parse(shown.body)).toMatchObject({ ...newUser, id, is_active: true })
    expect(userListSchema.parse((await call('GET', '/v1/users')).body).users).toContainEqual(shown.body)
    expect(await lastEntry()).toMatchObject({
      action: 'user.create', target: { type: 'user', id }, actor: { type: 'user', id: await adminId() },
      diff: { email: [null, newUser.email], name: [null, 'Bob'], roles: [[], ['analyst']] },
    })
  })

  test('is added once with an Idempotency-Key, whose replay shows the password again', async () => {
    const sent = { body: newUser, headers: { 'idempotency-key': 'request-1' } }
    const first = await call('POST', '/v1/users', sent)
    const again = await call('POST', '/v1/users', sent)
    expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotent-replayed': 'true' } })
    expect(await call('POST', '/v1/users', { ...sent, token: await server.tokenOf(['admin']) })).toMatchObject({ status: 409 })
  })

  test.for<[title: string, body: object, status: number, code: string]>([
    ['no address', { ...newUser, email: 'bob' }, 400, 'INVALID_BODY'],
    ['a role that is none', { ...newUser, roles: ['root'] }, 400, 'INVALID_BODY'],
    ['no role', { ...newUser, roles: [] }, 400, 'INVALID_BODY'],
    ['a role twice', { ...newUser, roles: ['admin', 'admin'] }, 400, 'INVALID_BODY'],
    ['a blank name', { ...newUser, name: ' ' }, 400, 'INVALID_BODY'],
    ['a name of two lines', { ...newUser, name: 'a\nb' }, 400, 'INVALID_BODY'],
    ['a name that turns', { ...newUser, name: 'a\u202eb' }, 400, 'INVALID_BODY'],
    ['an unknown field', { ...newUser, password: 'x' }, 400, 'INVALID_BODY'],
    ['the role of the platform', { ...newUser, roles: ['viewer', 'operator'] }, 403, 'FORBIDDEN'],
    ['an address that is taken', { ...newUser, email: 'TAKEN@example.org' }, 409, 'CONFLICT'],
    ['an account that another tenant has', { ...newUser, email: 'elsewhere@example.org' }, 409, 'CONFLICT'],
  ])('%s is refused, and nothing is kept', async ([, body, status, code]) => {
    await create({ ...newUser, email: 'taken@example.org' })
    await create({ ...newUser, email: 'elsewhere@example.org' }, { token: await server.tokenOf(['admin'], 'other') })
    const before = (await call('GET', '/v1/users')).body
    expect(await call('POST', '/v1/users', { body })).toMatchObject({ status, body: { error: { code } } })
    expect((await call('GET', '/v1/users')).body).toEqual(before)
  })
})

describe('a change', () => {
  test.for<[title: string, patch: object, isLetInAfter: boolean, version?: number]>([
    ['another name', { name: 'Robert' }, true],
    ['other roles', { roles: ['viewer'] }, false],
    ['the same roles', { roles: ['analyst'] }, true, 1],
    ['switched off', { is_active: false }, false],
  ])('%s', async ([, patch, isLetInAfter, version = 2]) => {
    const { id, token } = await admitted()
    expect(await isLetIn(token)).toBe(true)
    const answered = await call('PATCH', `/v1/users/${id}`, { body: patch })
    expect(answered).toMatchObject({ status: 200, headers: { etag: `"${version}"` } })
    expect(userSchema.parse(answered.body)).toMatchObject(patch)
    expect(await isLetIn(token)).toBe(isLetInAfter)
  })

  test('a disabled user cannot log in until enabled', async () => {
    const { id } = await admitted()
    await call('PATCH', `/v1/users/${id}`, { body: { is_active: false } })
    expect((await logIn({ email: newUser.email, password: ownPassword })).status).toBe(401)
    await call('PATCH', `/v1/users/${id}`, { body: { is_active: true } })
    expect((await logIn({ email: newUser.email, password: ownPassword })).status).toBe(200)
  })

  test.for<[ifMatch: string, status: number]>([
    ['"1"', 200],
    ['"7", "1"', 200],
    ['*', 200],
    ['"2"', 412],
    ['W/"1"', 412],
    ['1', 412],
  ])('under If-Match %s is %i', async ([ifMatch, status]) => {
    const { id } = await create()
    const answered = await call('PATCH', `/v1/users/${id}`, { body: { name: 'Robert' }, headers: { 'if-match': ifMatch } })
    expect(answered.status).toBe(status)
    if (status === 412) expect(answered.body).toMatchObject({ error: { code: 'PRECONDITION_FAILED', details: { version: 1 } } })
  })

  test('an existing user cannot be added again', async () => {
    const { id } = await create()
    const again = await call('GET', `/v1/users/${id}`, { headers: { 'if-none-match': '"7", W/"1"' } })
    expect(again).toMatchObject({ status: 304, body: undefined })
  })
})

describe('the last active admin', () => {
  test.for<[title: string, method: string, body: object | undefined]>([
    ['stays an admin', 'PATCH', { roles: ['viewer'] }],
    ['stays active', 'PATCH', { is_active: false }],
    ['stays', 'DELETE', undefined],
  ])('%s', async ([, method, body]) => {
    const path = `/v1/users/${await adminId()}`
    await create({ ...newUser, roles: ['engineer'] })
    expect(await call(method, path, { body })).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    await create({ ...newUser, email: 'second@example.org', roles: ['admin'] })
    expect((await call(method, path, { body })).status).toBeLessThan(300)
  })

  test('two admins who remove each other concurrently leave one', async () => {
    const { id } = await create({ ...newUser, roles: ['admin'] })
    const removals = [adminId(), id].map(async (each) => await call('DELETE', `/v1/users/${await each}`))
    const statuses = (await Promise.all(removals)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect((await server.app.state.users.list(onlyTenant)).filter(({ roles }) => roles.includes('admin'))).toHaveLength(1)
  })
})

describe('an operator', () => {
  const decisions: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['PATCH', '', { name: 'X' }],
    ['PATCH', '', { roles: ['viewer'] }],
    ['PATCH', '', { is_active: false }],
    ['DELETE', ''],
    ['POST', '/password'],
    ['DELETE', '/totp'],
  ]

  test.for(decisions)('%s %s %j is not for an admin', async ([method, path, body]) => {
    const operator = await server.tokenOf(['admin', 'operator'])
    const { id } = await create({ ...newUser, roles: ['operator'] }, { token: operator })
    expect((await call(method, `/v1/users/${id}${path}`, { body })).status).toBe(403)
    expect((await call(method, `/v1/users/${id}${path}`, { body, token: operator })).status).toBeLessThan(300)
  })

  test('cannot be appointed by an admin', async () => {
    const { id } = await create()
    expect((await call('PATCH', `/v1/users/${id}`, { body: { roles: ['operator'] } })).status).toBe(403)
  })
})

describe('a password reset by an admin', () => {
  test('revokes all sessions and is valid once', async () => {
    const { id, token } = await admitted()
    expect(await isLetIn(token)).toBe(true)
    const answered = await call('POST', `/v1/users/${id}/password`)
    const { one_time_password: password } = oneTimePasswordSchema.parse(answered.body)
    expect(await isLetIn(token)).toBe(false)
    expect((await logIn({ email: newUser.email, password: ownPassword })).status).toBe(401)
    expect((await logIn({ email: newUser.email, password, new_password: 'yet another password' })).status).toBe(200)
    expect((await lastEntry())?.action).toBe('session.login')
  })

  test('is refused for oneself', async () => {
    const answered = await call('POST', `/v1/users/${await adminId()}/password`)
    expect(answered).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })

  test('is refused for an account of another tenant, active there or not', async () => {
    const { id } = await create()
    const user = (await server.app.state.users.get(onlyTenant, id))!
    await server.tokenOf(['viewer'], 'other')
    await server.app.state.users.insert('other', { ...user, isActive: false })
    for (const [method, path] of [['POST', 'password'], ['DELETE', 'totp']] as const) {
      expect(await call(method, `/v1/users/${id}/${path}`)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    }
  })
})

describe('a removed user', () => {
  test('is refused, and so is the account', async () => {
    const { id, token } = await admitted()
    expect(await isLetIn(token)).toBe(true)
    expect((await call('DELETE', `/v1/users/${id}`)).status).toBe(204)
    expect(await isLetIn(token)).toBe(false)
    expect((await logIn({ email: newUser.email, password: ownPassword })).status).toBe(401)
    expect((await call('DELETE', `/v1/users/${id}`)).status).toBe(404)
    expect(await lastEntry()).toMatchObject({ action: 'user.remove', diff: { email: [newUser.email, null] } })
  })

  test('gets a new id when added again', async () => {
    const { id } = await admitted()
    await call('DELETE', `/v1/users/${id}`)
    const again = await create()
    expect(again.id).not.toBe(id)
    expect((await logIn({ email: newUser.email, password: ownPassword })).status).toBe(401)
  })
})

test.for<[roles: Role[], status: number]>([
  [['viewer', 'analyst', 'engineer', 'auditor'], 403],
  [['operator'], 403],
  [['admin'], 200],
])('%j sees users: %i', async ([roles, status]) => {
  expect((await call('GET', '/v1/users', { token: await server.tokenOf(roles) })).status).toBe(status)
})

test.for([
  { permission: 'edit_rules', expected: ['admin', 'engineer'] },
  { permission: 'administer_tenant', expected: ['admin'] },
  { permission: 'read_audit', expected: ['admin', 'auditor'] },
])('who holds $permission can be read by users who do not', async ({ permission, expected }) => {
  for (const role of ['admin', 'engineer', 'auditor'] as const) await server.tokenOf([role])
  const token = await server.tokenOf(['viewer'])
  const { people } = peopleSchema.parse((await call('GET', `/v1/people?permission=${permission}`, { token })).body)
  expect([...new Set(people.map(({ name }) => name))]).toEqual(expected)
})

test('a permission that does not exist is refused', async () => {
  expect(await call('GET', '/v1/people?permission=toString')).toMatchObject({
    status: 400, body: { error: { code: 'INVALID_PARAMETER', details: { parameter: 'permission' } } },
  })
})

test('people are the active users by name, readable by every role of the tenant and by no other tenant', async () => {
  const { id } = await create({ ...newUser, name: 'A former one', email: 'left@example.org' })
  await call('PATCH', `/v1/users/${id}`, { body: { is_active: false } })
  await create()
  await server.tokenOf(['admin'], 'other')
  for (const role of ['viewer', 'analyst', 'auditor'] as const) {
    const { people } = peopleSchema.parse((await call('GET', '/v1/people', { token: await server.tokenOf([role]) })).body)
    const names = people.map(({ name }) => name)
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)))
    expect(names).toEqual(expect.arrayContaining(['Bob', role]))
    expect(names).not.toContain('A former one')
  }
  const { people } = peopleSchema.parse((await call('GET', '/v1/people', { token: await server.tokenOf(['viewer'], 'other') })).body)
  expect(people.map(({ name }) => name)).toEqual(['admin', 'viewer'])
  expect((await call('GET', '/v1/people', { token: await server.tokenOf(['operator']) })).status).toBe(403)
})
