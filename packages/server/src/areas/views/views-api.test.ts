import { viewListSchema, viewSchema } from '@tripline/contract'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

let server: TestServer
let tokens: ReadonlyMap<Role, string>

beforeEach(async () => {
  server = await openTestServer([])
  const roles = ['viewer', 'analyst', 'admin'] as const
  tokens = new Map(await Promise.all(roles.map(async (role) => [role, await server.tokenOf([role])] as const)))
})

const open = { page: 'alerts', name: 'Open', query: 'status=open' }

function call(role: Role, method: string, path: string, body?: object, headers: { readonly [name: string]: string } = {}): Promise<TestResponse> {
  return server.call(method, path, { token: tokens.get(role)!, headers, ...(body !== undefined && { body }) })
}

async function save(role: Role, change: object = {}): Promise<string> {
  const saved = await call(role, 'POST', '/v1/views', { ...open, ...change })
  expect(saved.status).toBe(201)
  return viewSchema.parse(saved.body).id
}

async function namesOf(role: Role, query = ''): Promise<readonly string[]> {
  return viewListSchema.parse((await call(role, 'GET', `/v1/views${query}`)).body).views.map(({ name }) => name)
}

test('a view is saved, renamed and deleted by its owner, with ETag and Location', async () => {
  const saved = await call('viewer', 'POST', '/v1/views', open)
  const view = viewSchema.parse(saved.body)
  expect(view).toMatchObject({ ...open, is_shared: false, is_own: true })
  expect(saved.headers).toMatchObject({ location: `/v1/views/${view.id}`, etag: '"1"' })
  const path = `/v1/views/${view.id}`
  expect((await call('viewer', 'PATCH', path, { name: 'New' }, { 'if-match': '"1"' })).body).toMatchObject({ name: 'New', query: 'status=open' })
  expect((await call('viewer', 'PATCH', path, { name: 'Late' }, { 'if-match': '"1"' })).status).toBe(412)
  expect((await call('viewer', 'PATCH', path, { name: 'New' })).headers).toMatchObject({ etag: '"2"' })
  expect((await call('viewer', 'DELETE', path)).status).toBe(204)
  expect((await call('viewer', 'GET', path)).status).toBe(404)
  const actions = (await server.app.state.audit.list(onlyTenant, { limit: 10 })).entries.map(({ action }) => action)
  expect(actions.filter((action) => action.startsWith('view.'))).toEqual(['view.delete', 'view.update', 'view.create'])
})

test('the list shows own and shared views by name, of one page where that is asked', async () => {
  await save('analyst', { name: 'B, shared', is_shared: true })
  await save('analyst', { name: 'C, private' })
  await save('viewer', { name: 'A, own' })
  await save('viewer', { name: 'D, own', page: 'rules' })
  expect(await namesOf('viewer')).toEqual(['A, own', 'B, shared', 'D, own'])
  expect(await namesOf('viewer', '?page=rules')).toEqual(['D, own'])
  expect(await namesOf('analyst')).toEqual(['B, shared', 'C, private'])
})

describe('who may do what with a view of an analyst', () => {
  test.for<[title: string, isShared: boolean, role: Role, method: string, status: number]>([
    ['a private one is not there for others', false, 'viewer', 'GET', 404],
    ['nor for an admin', false, 'admin', 'DELETE', 404],
    ['nor to be changed', false, 'viewer', 'PATCH', 404],
    ['a shared one is read by all', true, 'viewer', 'GET', 200],
    ['and changed by its owner', true, 'analyst', 'PATCH', 200],
    ['but by no other user', true, 'viewer', 'PATCH', 403],
    ['nor deleted', true, 'viewer', 'DELETE', 403],
    ['an admin changes it', true, 'admin', 'PATCH', 200],
    ['and deletes it', true, 'admin', 'DELETE', 204],
  ])('%s', async ([, isShared, role, method, status]) => {
    const id = await save('analyst', { is_shared: isShared })
    const answered = await call(role, method, `/v1/views/${id}`, method === 'PATCH' ? { name: 'Other' } : undefined)
    expect(answered.status).toBe(status)
  })

  test('a viewer shares none, when it is made or later', async () => {
    expect((await call('viewer', 'POST', '/v1/views', { ...open, is_shared: true })).status).toBe(403)
    expect((await call('viewer', 'PATCH', `/v1/views/${await save('viewer')}`, { is_shared: true })).status).toBe(403)
  })
})

test.for<[what: string, body: object]>([
  ['an unknown page', { ...open, page: 'elsewhere' }],
  ['no name', { page: 'alerts', query: '' }],
  ['a long name', { ...open, name: 'x'.repeat(limits.views.nameLengthMax + 1) }],
  ['a long query', { ...open, query: 'x'.repeat(limits.views.queryLengthMax + 1) }],
  ['an unknown field', { ...open, color: 'red' }],
])('%s is refused', async ([, body]) => {
  expect(await call('analyst', 'POST', '/v1/views', body)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_BODY' } } })
})

test('a user owns a bounded number of views', async () => {
  const { actor } = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries[0] ?? { actor: undefined }
  expect(actor).toBeUndefined()
  const id = await save('analyst')
  const { ownerId } = (await server.app.state.views.get(onlyTenant, id))!
  for (let count = 1; count < limits.views.ownedMax; count++) {
    const stamps = { version: 1, createdAt: 1, updatedAt: 1 }
    await server.app.state.views.insert(onlyTenant, { ...open, ...stamps, id: `v${count}`, isShared: false, ownerId })
  }
  expect(await call('analyst', 'POST', '/v1/views', open)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
})

test('what a removed user kept alone goes with the user, what is shared stays', async () => {
  const [privateId, sharedId] = [await save('analyst'), await save('analyst', { is_shared: true })]
  const { ownerId } = (await server.app.state.views.get(onlyTenant, privateId))!
  await server.app.state.users.remove(onlyTenant, ownerId)
  expect(await server.app.state.views.get(onlyTenant, privateId)).toBeUndefined()
  expect(await server.app.state.views.get(onlyTenant, sharedId)).toBeDefined()
})
