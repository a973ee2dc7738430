import { incidentDetailSchema } from '@tripline/contract/console/incident'
import { playbookListSchema, playbookRunListSchema, playbookRunSchema, playbookSchema } from '@tripline/contract/console/response/playbook'
import type { PlaybookBody, PlaybookRunBody } from '@tripline/contract/console/response/playbook'
import { startRun } from '@tripline/model/playbooks/playbook'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith, newIncidentWith, statedAsset, userWith } from '@tripline/state/test/state-samples'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { createPlaybookNotifier } from '../../channels/notify-from-playbook.ts'
import { PlaybookRunner } from '../../playbooks/run-playbooks.ts'

const path = '/v1/playbooks'
const terms = { at: Date.UTC(2026, 10, 20, 10), by: 'ann', expectedVersion: undefined }

let server: TestServer
let receiver: Server | undefined
beforeEach(async () => {
  server = await openTestServer([])
  await server.app.state.users.insert(onlyTenant, userWith({ id: 'bob', email: 'bob@example.org' }))
})
afterEach(async () => {
  await new Promise<void>((resolve) => (receiver === undefined ? resolve() : receiver.close(() => resolve())))
  receiver = undefined
})

/** A receiver of webhooks that answers with a status. */
async function receive(status: number) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: unknown }[] = []
  receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body: JSON.parse(text) })
      response.writeHead(status).end('ok')
    })
  })
  await new Promise<void>((resolve) => void receiver?.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  return { received, url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook` }
}

const settle = async (): Promise<void> => {
  await server.app.outbox.untilIdle()
  await server.app.playbookRunner.untilIdle()
}
const openIncident = async (id = 'in1'): Promise<void> => {
  const { alerts, incidents } = server.app.state
  const event = { processName: '', commandLine: '', user: '', host: 'web-1', statedTime: '' }
  await alerts.insert(onlyTenant, [newAlertWith({ id: `of-${id}`, dedupKey: id, level: 'low', event })])
  const alert = await alerts.get(onlyTenant, `of-${id}`)
  await incidents.insert(onlyTenant, newIncidentWith({ id }), alert === undefined ? [] : [alert], terms)
  await settle()
}
const create = async (body: object): Promise<PlaybookBody> =>
  playbookSchema.parse((await server.call('POST', path, { body: { name: 'Isolate', subject: 'incident', ...body } })).body)
const runsOf = async (id: string) => playbookRunListSchema.parse((await server.call('GET', `${path}/${id}/runs`)).body).runs
const run = async (id: string, subjectId: string): Promise<PlaybookRunBody> => {
  const { status, body } = await server.call('POST', `${path}/${id}/run`, { body: { subject_id: subjectId } })
  expect(status).toBe(202)
  await settle()
  const { id: runId } = playbookRunSchema.parse(body)
  return (await runsOf(id)).find((one) => one.id === runId)!
}
const stepsOf = ({ steps }: PlaybookRunBody): string => steps.map(({ type, status }) => `${type} ${status}`).join(', ')

test('a playbook takes its steps about an incident, which shows them as response actions', async () => {
  await server.app.state.assets.upsert(onlyTenant, [statedAsset({ hostname: 'web-1', tags: ['dmz'] }, 'as1')], 1)
  await openIncident()
  const { received, url } = await receive(204)
  const { id } = await create({
    steps: [
      { type: 'comment', content: 'isolated' }, { type: 'set_status', status: 'contained' }, { type: 'assign', assignee: 'BOB@example.org' },
      { type: 'tag_asset', tag: 'isolated' }, { type: 'webhook', url },
    ],
  })
  const done = await run(id, 'in1')
  expect([done.status, stepsOf(done)]).toEqual([
    'succeeded', 'comment succeeded, set_status succeeded, assign succeeded, tag_asset succeeded, webhook succeeded',
  ])
  const incident = incidentDetailSchema.parse((await server.call('GET', '/v1/incidents/in1')).body)
  expect(incident).toMatchObject({
    status: 'contained', assignee: 'bob@example.org', comments: [{ author: 'playbook:Isolate', content: 'isolated' }],
  })
  expect(incident.response_actions.map(({ type, status, requested_by: by }) => [type, status, by === done.requested_by])).toEqual([
    ['comment', 'succeeded', true], ['set_status', 'succeeded', true], ['assign', 'succeeded', true], ['tag_asset', 'succeeded', true],
    ['webhook', 'succeeded', true],
  ])
  const key = await server.call('POST', '/v1/api-keys', { body: { name: 'Reader', scope: 'read-only' } })
  const shown = await server.call('GET', '/api/v1/incidents/in1', { token: String(Reflect.get(Object(key.body), 'key')) })
  expect(shown.body).toMatchObject({ response_actions: incident.response_actions })
  expect((await server.app.state.assets.get(onlyTenant, 'as1'))?.tags).toEqual(['dmz', 'isolated'])
  expect(received).toMatchObject([{
    headers: { 'webhook-id': `${done.id}_5`, 'content-type': 'application/json' },
    body: { event: 'playbook.step', data: { type: 'incident', id: 'in1', title: 'Whoami on web-1', severity: 'low', status: 'contained' } },
  }])
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 20 })
  expect(entries.filter(({ action }) => action === 'playbook.step')).toHaveLength(4)
  expect(playbookListSchema.parse((await server.call('GET', path)).body).playbooks).toMatchObject([{ runs_total: 1 }])
})

test('a step that fails ends the run', async () => {
  await openIncident()
  const { url } = await receive(500)
  const { id } = await create({ steps: [{ type: 'webhook', url }, { type: 'comment', content: 'never' }] })
  const failed = await run(id, 'in1')
  expect([failed.status, stepsOf(failed), failed.steps[0]?.result]).toEqual([
    'failed', 'webhook failed, comment skipped', expect.stringContaining('HTTP 500'),
  ])
})

test('an address that the server may not reach is a step that fails', async () => {
  await openIncident()
  const { id } = await create({ steps: [{ type: 'webhook', url: 'https://10.0.0.1/' }] })
  expect((await run(id, 'in1')).steps[0]?.result).toContain('may not be requested')
})

test('one that starts by itself does so once for each alert that comes to match', async () => {
  const { alerts, domainEvents } = server.app.state
  const { id } = await create({
    subject: 'alert', trigger: 'match', filter: { and: [{ field: 'severity', op: 'gte', value: 'high' }, { field: 'host', op: 'prefix', value: 'web' }] },
    steps: [{ type: 'set_status', status: 'investigating' }, { type: 'comment', content: 'seen' }],
  })
  const at = server.io.nowMs
  await alerts.insert(onlyTenant, [newAlertWith({ id: 'before', dedupKey: 'before', matchedAt: at - 1 })])
  await alerts.insert(onlyTenant, (['high', 'low'] as const).map((level) => newAlertWith({ id: level, dedupKey: level, level, matchedAt: at })))
  await settle()
  await domainEvents.announceAlerts(onlyTenant, ['high', 'low', 'before'])
  await alerts.update(onlyTenant, 'high', { verdict: 'benign' }, { expectedVersion: undefined, at: at + 1 })
  await settle()
  expect((await runsOf(id)).map((one) => [one.subject_id, one.requested_by, stepsOf(one)])).toEqual([
    ['high', null, 'set_status succeeded, comment succeeded'],
  ])
  expect((await alerts.get(onlyTenant, 'high'))?.status).toBe('in_progress')
  expect(await alerts.comments(onlyTenant, 'high')).toHaveLength(1)
})

test('a run that was interrupted goes on: what was done is not done again, a webhook is sent under the same id', async () => {
  await openIncident()
  const { received, url } = await receive(200)
  const { id } = await create({ steps: [{ type: 'comment', content: 'once' }, { type: 'webhook', url }, { type: 'set_status', status: 'closed' }] })
  const { state } = server.app
  // Its server stops while the request is under way.
  const dying = new PlaybookRunner({
    state, clock: server.io, log: { warn() {}, error() {} },
    egress: () => Promise.reject(new Error('the server was killed')), notify: createPlaybookNotifier(server.io.randomBytes), wakeChannel() {},
  })
  const playbook = (await state.playbooks.get(onlyTenant, id))!
  await state.playbooks.insertRun(onlyTenant, startRun(playbook, { id: 'run9', subjectId: 'in1', requestedBy: 'ann' }, 1))
  dying.wake(onlyTenant)
  await dying.untilIdle()
  expect((await runsOf(id)).map(stepsOf)).toEqual(['comment succeeded, webhook running, set_status pending'])
  await server.app.playbookRunner.createJob().run(new AbortController().signal)
  expect((await runsOf(id)).map(stepsOf)).toEqual(['comment succeeded, webhook succeeded, set_status succeeded'])
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['run9_2'])
  expect(await state.incidents.comments(onlyTenant, 'in1')).toHaveLength(1)
})

test.for<[title: string, body: object, status: number, message: string]>([
  ['an unknown channel', { steps: [{ type: 'notify', channel: 'soc' }] }, 400, "there is no notification channel 'soc'"],
  ['no steps', { steps: [] }, 400, 'steps'],
  ['a status of the other subject', { steps: [{ type: 'set_status', status: 'false_positive' }] }, 400, 'must be one of open, investigating'],
  ['an unknown user', { steps: [{ type: 'assign', assignee: 'x@example.org' }] }, 400, 'must be the email of an active user'],
  ['a filter by no field', { filter: { field: 'colour', op: 'eq', value: 'red' } }, 400, "cannot be filtered by 'colour'"],
  ['a filter of the other subject', { filter: { field: 'host', op: 'eq', value: 'x' } }, 400, "cannot be filtered by 'host'"],
  ['a name that is taken', { name: 'Taken' }, 409, "named 'Taken' already"],
])('is not created with %s', async ([, body, status, message]) => {
  const usual = { name: 'Other', subject: 'incident', steps: [{ type: 'comment', content: 'x' }] }
  await server.call('POST', path, { body: { ...usual, name: 'Taken' } })
  const answered = await server.call('POST', path, { body: { ...usual, ...body } })
  expect([answered.status, JSON.stringify(answered.body)]).toEqual([status, expect.stringContaining(message)])
})

test('is changed, disabled and deleted; a disabled one does not run', async () => {
  await openIncident()
  const { id } = await create({ steps: [{ type: 'comment', content: 'x' }] })
  const patched = await server.call('PATCH', `${path}/${id}`, { body: { enabled: false, name: 'Off' }, headers: { 'if-match': '"1"' } })
  expect(playbookSchema.parse(patched.body)).toMatchObject({ enabled: false, name: 'Off', trigger: 'manual' })
  expect((await server.call('PATCH', `${path}/${id}`, { body: { enabled: true }, headers: { 'if-match': '"1"' } })).status).toBe(412)
  expect((await server.call('POST', `${path}/${id}/run`, { body: { subject_id: 'in1' } })).status).toBe(409)
  expect((await server.call('DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await server.call('GET', `${path}/${id}`)).status).toBe(404)
})

test.for<[method: string, suffix: string, body?: object]>([
  ['GET', ''], ['PATCH', '', { enabled: false }], ['DELETE', ''], ['POST', '/run', { subject_id: 'in1' }], ['GET', '/runs'],
])('%s %s of another tenant answers as unknown', async ([method, suffix, body]) => {
  await openIncident()
  const token = await server.tokenOf(['admin'], 'other')
  const steps = [{ type: 'comment', content: 'x' }]
  const theirs = playbookSchema.parse((await server.call('POST', path, { token, body: { name: 'Theirs', subject: 'incident', steps } })).body)
  expect((await server.call(method, `${path}/${theirs.id}${suffix}`, body === undefined ? {} : { body })).status).toBe(404)
  const own = await server.call('POST', `${path}/${theirs.id}/run`, { token, body: { subject_id: 'in1' } })
  expect(own.status).toBe(404)
})
