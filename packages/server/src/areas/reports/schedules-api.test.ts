import { reportScheduleListSchema, reportScheduleSchema } from '@tripline/contract/console/report-schedule'
import type { ReportScheduleBody } from '@tripline/contract/console/report-schedule'
import { reportListSchema, reportSchema } from '@tripline/contract/console/response/report'
import { channelDeliveryListSchema, channelSchema } from '@tripline/contract/console/channel'
import { onlyTenant } from '@tripline/model/tenant'
import { reportScheduleWith, tenantWith } from '@tripline/state/test/state-samples'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCertificate, openMailServer } from '../../../test/channels/mail-server.ts'
import type { MailServer } from '../../../test/channels/mail-server.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const path = '/v1/report-schedules'
// A Friday; the clock of the server stands until a test moves it.
const now = Date.UTC(2026, 10, 20, 10)
const dayMs = 86_400_000

let server: TestServer
let mail: MailServer | undefined
/** Of an admin, at the present instant. */
let token: string
beforeEach(async () => {
  server = await openTestServer([], { publicUrl: 'https://tripline.example' })
  token = await server.tokenOf(['admin'])
  await server.app.channels.sender.start()
})
afterEach(async () => {
  await server.app.reports.maker.stop()
  await server.app.channels.sender.stop()
  await server.app.state.close()
  await mail?.close()
  mail = undefined
})

const call: TestServer['call'] = (method, path, given = {}) => server.call(method, path, { token, ...given })
const weekly = (change: object = {}) => ({ name: 'Weekly', kind: 'soc_weekly', cron: '0 8 * * 1', format: 'json', ...change })
const create = async (change: object = {}): Promise<ReportScheduleBody> => {
  const { status, body } = await call('POST', path, { body: weekly(change) })
  expect(status, JSON.stringify(body)).toBe(201)
  return reportScheduleSchema.parse(body)
}
const get = async (id: string) => reportScheduleSchema.parse((await call('GET', `${path}/${id}`)).body)
const reports = async () => reportListSchema.parse((await call('GET', '/v1/reports')).body).reports
const actions = async () => (await server.app.state.audit.list(onlyTenant, { limit: 50 })).entries.map(({ action }) => action)

/** The first of five next runs. */
const runsFrom = (first: string) => [first, ...Array.from({ length: 4 }, () => expect.any(String) as string)]

/** Moves the clock, looks for what is due, and waits until its reports are made and sent. */
async function comeTo(at: number): Promise<void> {
  server.io.nowMs = at
  token = await server.tokenOf(['admin'])
  await server.app.reports.schedules.run(new AbortController().signal)
  await settle()
}

async function settle(): Promise<void> {
  await server.app.reports.maker.untilIdle()
  while (!server.app.channels.sender.isIdle) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Moves the tenant to a time zone. */
async function moveTo(timezone: string): Promise<void> {
  expect((await call('PATCH', '/v1/settings', { body: { timezone } })).status).toBe(200)
}

/** A channel that sends mail to a server on this machine. */
async function createMailChannel(): Promise<string> {
  const certificate = createCertificate()
  mail = await openMailServer(certificate)
  const settings = {
    type: 'email', host: 'localhost', port: mail.port, from: 'soc@example.org', to: ['all@example.org'], ca_certificate: certificate.cert,
  }
  return channelSchema.parse((await call('POST', '/v1/channels', { body: { name: 'Mail', settings } })).body).id
}

test('a schedule runs by the clock of the tenant, and its report is about whole days before it', async () => {
  await moveTo('Asia/Seoul')
  const { id, next_runs: runs, timezone } = await create()
  expect([runs[0], timezone]).toEqual(['2026-11-22T23:00:00.000Z', 'Asia/Seoul'])
  await comeTo(Date.parse('2026-11-22T22:59:59Z'))
  expect(await reports()).toEqual([])
  await comeTo(Date.parse('2026-11-22T23:00:30Z'))
  expect(await reports()).toMatchObject([{
    status: 'succeeded', kind: 'soc_weekly', from: '2026-11-15T15:00:00.000Z', to: '2026-11-22T15:00:00.000Z', requested_by: 'Weekly', schedule_id: id,
  }])
  expect(await get(id)).toMatchObject({ last_run_at: '2026-11-22T23:00:00.000Z', next_runs: runsFrom('2026-11-29T23:00:00.000Z') })
})

test('runs that were missed while the server was down are one, as the last of them', async () => {
  const { id } = await create({ cron: '0 8 * * *' })
  await comeTo(now + 30 * dayMs)
  expect(await reports()).toMatchObject([{ to: '2026-12-20T00:00:00.000Z' }])
  expect(await get(id)).toMatchObject({ last_run_at: '2026-12-20T08:00:00.000Z' })
  await comeTo(now + 30 * dayMs)
  expect(await reports()).toHaveLength(1)
})

test('looks at the same time, as of two processes, begin one report', async () => {
  await create()
  await Promise.all([1, 2, 3].map(() => comeTo(now + 4 * dayMs)))
  expect(await reports()).toHaveLength(1)
})

test('a paused schedule does not run, nor what it missed when it goes on', async () => {
  const { id } = await create()
  expect((await call('PATCH', `${path}/${id}`, { body: { enabled: false } })).body).toMatchObject({ next_runs: [] })
  await comeTo(now + 8 * dayMs)
  await call('PATCH', `${path}/${id}`, { body: { enabled: true } })
  await comeTo(now + 8 * dayMs + 60_000)
  expect(await reports()).toEqual([])
  expect((await get(id)).next_runs[0]).toBe('2026-11-30T08:00:00.000Z')
})

test('a tenant that moves has its schedules by the new clock', async () => {
  const { id } = await create()
  await moveTo('America/New_York')
  await comeTo(now + 60_000)
  expect(await get(id)).toMatchObject({ timezone: 'America/New_York', next_runs: runsFrom('2026-11-23T13:00:00.000Z') })
})

test('after a run by a clock that was years ahead, it runs on time', async () => {
  const { id } = await create()
  await comeTo(Date.UTC(2031, 0, 1))
  await comeTo(now + 60_000)
  expect((await get(id)).next_runs[0]).toBe('2026-11-23T08:00:00.000Z')
})

test('reports of a tenant that is off are not begun', async () => {
  await server.app.state.tenants.insert(tenantWith({ id: 'off', isActive: false }))
  await server.app.state.reportSchedules.insert('off', reportScheduleWith({ nextRunAt: now - 1 }))
  await comeTo(now)
  expect(await server.app.state.reports.list('off', 5)).toEqual([])
})

test('a finished report goes to its recipients with its file, once', async () => {
  const channel = await createMailChannel()
  const { id } = await create({ channel_ids: [channel], recipients: ['ceo@example.org', 'ciso@example.org'], format: 'pdf' })
  await comeTo(now + 4 * dayMs)
  await server.app.reports.maker.createJob().run(new AbortController().signal)
  await settle()
  const [report] = await reports()
  expect(mail?.mails).toMatchObject([{ to: ['ceo@example.org', 'ciso@example.org'], isSecure: true }])
  // Long lines are folded, and the file follows.
  const text = mail?.mails[0]?.text.replaceAll('=\r\n', '').slice(0, 1_500) ?? ''
  expect(text).toContain('Subject: Report: Weekly SOC report')
  expect(text).toContain(`https://tripline.example/reports/${report?.id}`)
  expect(text).toContain('filename=soc_weekly-2026-11-24.pdf')
  const sent = channelDeliveryListSchema.parse((await call('GET', `/v1/channels/${channel}/deliveries`)).body).deliveries
  expect(sent).toMatchObject([{ reason: 'report', status: 'delivered', route_id: null }])
  expect((await call('DELETE', `/v1/channels/${channel}`)).body).toMatchObject({ error: { message: expect.stringContaining("report schedule 'Weekly'") } })
  await call('DELETE', `${path}/${id}`)
  expect((await call('DELETE', `/v1/channels/${channel}`)).status).toBe(204)
})

test('a report that cannot be made says so in the history and to its channels', async () => {
  const channel = await createMailChannel()
  await create({ kind: 'compliance', framework: 'GDPR', channel_ids: [channel] })
  await comeTo(now + 4 * dayMs)
  expect(await reports()).toMatchObject([{ status: 'failed', framework: 'gdpr', error: expect.stringContaining('was not assessed') }])
  expect(mail?.mails).toMatchObject([{ to: ['all@example.org'], text: expect.stringContaining('Report failed: Weekly: gdpr was not assessed') }])
})

test('it runs at once where it is asked to, and on time all the same', async () => {
  const { id, next_runs: runs } = await create()
  const { status, body } = await call('POST', `${path}/${id}/run`)
  expect([status, reportSchema.parse(body)]).toMatchObject([202, { to: '2026-11-20T00:00:00.000Z', schedule_id: id }])
  await settle()
  expect(await get(id)).toMatchObject({ next_runs: runs, last_run_at: null, last_report_id: reportSchema.parse(body).id })
  expect(await actions()).toEqual(expect.arrayContaining(['report_schedule.create', 'report_schedule.run']))
})

test.for<[title: string, change: object, status: number, message: string]>([
  ['times that are none', { cron: 'at noon' }, 400, 'cron: must have five fields'],
  ['a day that does not exist', { cron: '0 8 31 4 *' }, 400, 'would never run'],
  ['each minute', { cron: '* * * * *' }, 400, 'once an hour'],
  ['an unknown channel', { channel_ids: ['x'] }, 400, "there is no channel 'x'"],
  ['recipients without mail', { recipients: ['ann@example.org'] }, 400, 'add one to the channels'],
  ['a framework of another kind', { framework: 'gdpr' }, 400, 'only a compliance report'],
  ['no framework', { kind: 'compliance' }, 400, 'names its framework'],
  ['an unknown framework', { kind: 'compliance', framework: 'hipaa' }, 404, 'framework'],
  ['days of the present', { kind: 'assets', days: 3 }, 400, 'number of days'],
  ['too many days', { days: 401 }, 400, 'days'],
  ['a name that is taken', { name: 'Taken' }, 409, "named 'Taken'"],
])('%s is refused', async ([, change, status, message]) => {
  await create({ name: 'Taken' })
  const refused = await call('POST', path, { body: weekly(change) })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([status, expect.stringContaining(message)])
})

test('a change of kind takes its own days, and a stale change is refused', async () => {
  const { id } = await create()
  const etag = String((await call('GET', `${path}/${id}`)).headers['etag'])
  const changed = await call('PATCH', `${path}/${id}`, { body: { kind: 'executive', name: 'Monthly', cron: '0 8 1 * *' }, headers: { 'if-match': etag } })
  expect(changed.body).toMatchObject({ days: 30, name: 'Monthly', next_runs: runsFrom('2026-12-01T08:00:00.000Z') })
  expect((await call('PATCH', `${path}/${id}`, { body: { name: 'Late' }, headers: { 'if-match': etag } })).status).toBe(412)
  expect((await call('DELETE', `${path}/${id}`, { headers: { 'if-match': etag } })).status).toBe(412)
})

test('another tenant finds nothing, and a viewer changes nothing', async () => {
  const { id } = await create()
  const stranger = await server.tokenOf(['admin'], 'other')
  expect(reportScheduleListSchema.parse((await call('GET', path, { token: stranger })).body).schedules).toEqual([])
  const calls = [['GET', ''], ['PATCH', ''], ['DELETE', ''], ['POST', '/run']] as const
  for (const [method, below] of calls) {
    const body = method === 'PATCH' ? { name: 'Mine' } : undefined
    expect((await call(method, `${path}/${id}${below}`, { token: stranger, ...(body && { body }) })).status).toBe(404)
  }
  const viewer = await server.tokenOf(['viewer'])
  expect((await call('GET', path, { token: viewer })).status).toBe(200)
  expect((await call('POST', path, { token: viewer, body: weekly({ name: 'Other' }) })).status).toBe(403)
  expect((await call('POST', `${path}/${id}/run`, { token: viewer })).status).toBe(403)
})

test('a tenant has a limited number of schedules', async () => {
  for (let i = 0; i < 20; i++) await server.app.state.reportSchedules.insert(onlyTenant, reportScheduleWith({ id: `rs${i}`, name: `S${i}` }))
  expect((await call('POST', path, { body: weekly() })).status).toBe(409)
})
