import { dataSubjectRequestListSchema, dataSubjectRequestSchema } from '@tripline/contract/console/response/data-subject-request'
import { onlyTenant } from '@tripline/model/tenant'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const dayMs = 86_400_000
const path = '/v1/dsr'

let server: TestServer
beforeEach(async () => (server = await openTestServer([])))
afterEach(() => server.app.state.close())

async function create(body: object) {
  return dataSubjectRequestSchema.parse((await server.call('POST', path, { body })).body)
}

test('a request is due when its law says, overdue after that, and closed by its status', async () => {
  const received = '2026-11-01T00:00:00.000Z'
  const { id, due_at: due, overdue } = await create({ type: 'erasure', subject_ref: 'ann@example.org', received_at: received })
  expect([due, overdue]).toEqual(['2026-12-01T00:00:00.000Z', false])
  expect((await create({ type: 'opt_out', law: 'ccpa', subject_ref: 'ticket 7', received_at: received })).due_at).toBe('2026-12-16T00:00:00.000Z')
  server.io.nowMs += 20 * dayMs
  const token = await server.tokenOf(['engineer'])
  expect((await server.call('GET', `${path}/${id}`, { token })).body).toMatchObject({ overdue: true, closed_at: null })
  const { body } = await server.call('PATCH', `${path}/${id}`, { token, body: { status: 'completed', note: 'deleted' } })
  expect(body).toMatchObject({ status: 'completed', note: 'deleted', overdue: false, closed_at: new Date(server.io.nowMs).toISOString() })
})

test('the next due comes first, and filters and text find requests', async () => {
  for (const [type, subject, due] of [['access', 'ann', '2027-03-01'], ['erasure', 'bob', '2027-01-01'], ['access', 'cem', '2027-02-01']] as const) {
    await create({ type, subject_ref: subject, due_at: due })
  }
  const names = async (query = '') =>
    dataSubjectRequestListSchema.parse((await server.call('GET', `${path}${query}`)).body).requests.map(({ subject_ref: name }) => name)
  expect([await names(), await names('?type=access'), await names('?q=bo'), await names('?sort=due_at:desc&limit=1')]).toEqual([
    ['bob', 'cem', 'ann'], ['cem', 'ann'], ['bob'], ['ann'],
  ])
})

test('the trail tells what was done, and not about whom', async () => {
  const { id } = await create({ type: 'access', subject_ref: 'ann@example.org' })
  await server.call('PATCH', `${path}/${id}`, { body: { subject_ref: 'ann.other@example.org' } })
  await server.call('DELETE', `${path}/${id}`)
  await server.app.trail.flush()
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 3 })
  expect(entries.map(({ action, target, diff }) => [action, target.id, diff])).toEqual([
    ['dsr.delete', id, undefined], ['dsr.update', id, { fields: ['subject_ref'], status: 'open' }],
    ['dsr.create', id, { type: 'access', law: 'gdpr', status: 'open' }],
  ])
})

test.for([
  [{ type: 'access' }], [{ type: 'other', subject_ref: 'a' }], [{ type: 'access', subject_ref: '' }],
  [{ type: 'access', subject_ref: 'a', received_at: '2026-11-02', due_at: '2026-11-01' }],
])('%j is refused', async ([body]) => {
  expect((await server.call('POST', path, { body })).status).toBe(400)
})

test('who reads and who edits the register', async () => {
  for (const [role, read, write] of [['viewer', 403, 403], ['analyst', 403, 403], ['auditor', 200, 403], ['engineer', 200, 201]] as const) {
    const token = await server.tokenOf([role])
    expect((await server.call('GET', path, { token })).status, role).toBe(read)
    expect((await server.call('POST', path, { token, body: { type: 'access', subject_ref: 'a' } })).status, role).toBe(write)
  }
})
