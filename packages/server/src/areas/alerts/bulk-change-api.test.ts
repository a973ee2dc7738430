import { alertBulkResultSchema } from '@tripline/contract'
import type { AlertBulkResultBody } from '@tripline/contract/console/alerts/alert-bulk'
import type { Alert } from '@tripline/model/alert'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith } from '@tripline/state/test/state-samples'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

let server: TestServer
let analyst: string
beforeEach(async () => {
  server = await openTestServer([])
  analyst = await server.tokenOf(['analyst'])
  const { alerts } = server.app.state
  for (const [id, host] of [['m1', 'web-1'], ['m2', 'web-1'], ['m3', 'db-1']] as const) {
    const event = { processName: '', commandLine: '', user: '', host, statedTime: '' }
    await alerts.insert(onlyTenant, [newAlertWith({ id, dedupKey: id, event, matchedAt: server.io.nowMs - 1_000 })])
  }
  await alerts.update(onlyTenant, 'm2', { status: 'resolved', verdict: 'benign', by: 'bob@example.org' }, { expectedVersion: undefined, at: 5 })
})

function send(body: object, token = analyst): Promise<TestResponse> {
  return server.call('POST', '/v1/alerts/bulk', { token, body })
}

async function change(body: object): Promise<AlertBulkResultBody> {
  const answered = await send(body)
  expect(answered.status).toBe(200)
  return alertBulkResultSchema.parse(answered.body)
}

const undo = (id: string, token = analyst): Promise<TestResponse> => server.call('POST', `/v1/alerts/bulk/${id}/undo`, { token })

async function readAlerts(): Promise<readonly Alert[]> {
  const { entries } = await server.app.state.alerts.list(onlyTenant, { order: [{ field: 'created_at', direction: 'asc' }], limit: 10 })
  return entries
}

const statuses = async (): Promise<string> => (await readAlerts()).map(({ id, status }) => `${id} ${status}`).sort().join(', ')
const resolve = { set: { status: 'resolved' } }
const onHost = (host: string) => ({ filter: { filters: { field: 'host', op: 'eq', value: host } } })

describe('a change of many alerts', () => {
  test.for<[title: string, body: object, counts: object, after: string]>([
    ['by ids', { ids: ['m1', 'm3', 'm1'] }, { matched: 2, changed: 2, unchanged: 0, failed: [] }, 'm1 resolved, m2 resolved, m3 resolved'],
    ['by a filter', onHost('web-1'), { matched: 2, changed: 1, unchanged: 1 }, 'm1 resolved, m2 resolved, m3 open'],
    ['with the expected number', { ...onHost('db-1'), expect_total: 1 }, { matched: 1, changed: 1 }, 'm1 open, m2 resolved, m3 resolved'],
    ['of all that are open', { filter: { status: ['open'] } }, { matched: 2, changed: 2 }, 'm1 resolved, m2 resolved, m3 resolved'],
    ['of ids that are unknown', { ids: ['m1', 'x'] }, { matched: 1, changed: 1, failed: [{ id: 'x', code: 'NOT_FOUND' }] }, 'm1 resolved, m2 resolved, m3 open'],
    ['that is only tried', { ids: ['m1', 'm2'], dry_run: true }, { matched: 2, changed: 1, unchanged: 1, undo: null, dry_run: true }, 'm1 open, m2 resolved, m3 open'],
    [
      'of those in a status, where the others stay', { ids: ['m1', 'm2', 'm3'], only_status: ['open', 'investigating'] },
      { matched: 3, changed: 2, unchanged: 0, kept: 1, rules: 1 }, 'm1 resolved, m2 resolved, m3 resolved',
    ],
    [
      'that keeps those that are closed', { filter: {}, set: { status: 'false_positive' }, only_status: ['open'] },
      { matched: 3, changed: 2, kept: 1 }, 'm1 false_positive, m2 resolved, m3 false_positive',
    ],
    ['of nothing', onHost('elsewhere'), { matched: 0, changed: 0, undo: null }, 'm1 open, m2 resolved, m3 open'],
  ])('%s', async ([, body, counts, after]) => {
    expect(await change({ ...resolve, ...body })).toMatchObject(counts)
    expect(await statuses()).toBe(after)
  })

  test('is one entry of the audit trail with the ids, and an event for each changed alert', async () => {
    const before = (await server.published('alert.updated')).length
    const { undo } = await change({ ids: ['m1', 'm2', 'm3'], set: { status: 'resolved', notes: 'all known' } })
    const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 10 })
    const [entry, ...others] = entries.filter(({ action }) => action.startsWith('alert.'))
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      action: 'alert.bulk_update', target: { type: 'bulk_change', id: undo?.id },
      diff: { set: { status: 'resolved', comment: 'all known' }, alerts: ['m1', 'm2', 'm3'] },
    })
    expect((await server.published('alert.updated')).slice(before).map(({ subject }) => subject)).toEqual(['m1', 'm2', 'm3'])
    expect((await server.app.state.alerts.comments(onlyTenant, 'm3')).map(({ text }) => text)).toEqual(['all known'])
  })

  test.for<[title: string, body: object, status: number, code: string]>([
    ['another number than was expected', { filter: {}, expect_total: 2, ...resolve }, 409, 'CONFLICT'],
    ['neither ids nor filter', resolve, 400, 'INVALID_BODY'],
    ['both', { ids: ['m1'], filter: {}, ...resolve }, 400, 'INVALID_BODY'],
    ['nothing to set', { ids: ['m1'], set: {} }, 400, 'INVALID_BODY'],
    ['an assignee who is no user', { ids: ['m1'], set: { assignee: 'nobody@example.org' } }, 400, 'INVALID_BODY'],
    ['more ids than the limit', { ids: Array(limits.alertBulk.alertsMax + 1).fill('x'), ...resolve }, 400, 'INVALID_BODY'],
    ['a field that alerts lack', { filter: { filters: { field: 'color', op: 'eq', value: '' } }, ...resolve }, 400, 'INVALID_QUERY_FIELD'],
  ])('%s is refused and changes nothing', async ([, body, status, code]) => {
    expect(await send(body)).toMatchObject({ status, body: { error: { code } } })
    expect(await statuses()).toBe('m1 open, m2 resolved, m3 open')
  })

  test('is refused for a viewer, and finds no alert of another tenant', async () => {
    expect((await send({ ids: ['m1'], ...resolve }, await server.tokenOf(['viewer']))).status).toBe(403)
    const { body } = await send({ ids: ['m1'], ...resolve }, await server.tokenOf(['analyst'], 'other'))
    expect(body).toMatchObject({ matched: 0, changed: 0, failed: [{ id: 'm1', code: 'NOT_FOUND' }] })
    expect(await statuses()).toBe('m1 open, m2 resolved, m3 open')
  })
})

describe('taking a change back', () => {
  test('restores status, verdict, assignee, review and the count of reopenings, with an event each', async () => {
    const facts = async () => (await readAlerts()).map(({ version: _version, editedVersion: _edited, updatedAt: _at, ...alert }) => alert)
    const before = await facts()
    const { email } = await server.call('GET', '/v1/auth/me', { token: analyst }).then(({ body }) => body as { email: string })
    const done = await change({ ids: ['m1', 'm2', 'm3'], set: { status: 'false_positive', assignee: email } })
    expect(await facts()).not.toEqual(before)
    const events = (await server.published('alert.updated')).length
    expect((await undo(done.undo!.id)).body).toEqual({ matched: 3, changed: 3, unchanged: 0, failed: [] })
    expect(await facts()).toEqual(before)
    expect((await server.published('alert.updated')).length).toBe(events + 3)
    const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
    expect(entry).toMatchObject({ action: 'alert.bulk_undo', target: { id: done.undo!.id }, diff: { alerts: ['m1', 'm2', 'm3'] } })
  })

  test('leaves alone what was changed since', async () => {
    const done = await change({ ids: ['m1', 'm3'], ...resolve })
    await server.call('PUT', '/v1/alerts/m3', { body: { status: 'investigating' } })
    expect((await undo(done.undo!.id)).body).toMatchObject({ changed: 1, failed: [{ id: 'm3', code: 'PRECONDITION_FAILED' }] })
    expect(await statuses()).toBe('m1 open, m2 resolved, m3 in_progress')
  })

  test.for<[title: string, prepare: (id: string) => Promise<string | undefined>]>([
    ['twice', async (id) => void (await undo(id))],
    ['after its time', async () => void (server.io.nowMs += limits.alertBulk.undoMs + 1)],
    ['by another user', () => server.tokenOf(['admin'])],
    ['from another tenant', () => server.tokenOf(['admin'], 'other')],
  ])('is not possible %s', async ([, prepare]) => {
    const done = await change({ ids: ['m1'], ...resolve })
    const token = await prepare(done.undo!.id)
    expect((await undo(done.undo!.id, token)).status).toBe(404)
  })
})
