import { alertDetailSchema } from '@tripline/contract'
import { incidentDetailSchema, incidentListSchema, incidentTimelineSchema } from '@tripline/contract/console/incident'
import type { IncidentDetailBody } from '@tripline/contract/console/incident'
import type { NewAlert } from '@tripline/model/alert'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith, statedAsset } from '@tripline/state/test/state-samples'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { Call, TestResponse, TestServer } from '../../../test/open-test-server.ts'

const opened = Date.UTC(2026, 10, 20, 10)
const path = '/v1/incidents'

/** An alert of the tests by a letter: low, so that it is grouped only where a test says otherwise. */
function alertOf(id: string, { host = '', ...rest }: Partial<NewAlert> & { readonly host?: string } = {}): NewAlert {
  const event = { processName: '', commandLine: '', user: '', host, statedTime: '' }
  return newAlertWith({ id, dedupKey: id, level: 'low', event, matchedAt: opened, ...rest })
}

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
})

const insert = async (...alerts: readonly NewAlert[]): Promise<void> => {
  await server.app.state.alerts.insert(onlyTenant, alerts)
  await server.app.outbox.untilIdle()
}
const detailOf = ({ body }: TestResponse): IncidentDetailBody => incidentDetailSchema.parse(body)
const open = async (body: object, call: Call = {}): Promise<IncidentDetailBody> =>
  detailOf(await server.call('POST', path, { body: { title: 'Case', ...body }, ...call }))
const read = async (id: string): Promise<IncidentDetailBody> => detailOf(await server.call('GET', `${path}/${id}`))
const list = async (query = '') => incidentListSchema.parse((await server.call('GET', `${path}?sort=created_at:asc&${query}`)).body).incidents
const membersOf = ({ related_alerts: alerts }: IncidentDetailBody): string => alerts.map(({ id }) => id).sort().join(' ')
const actionsOf = ({ timeline }: IncidentDetailBody): string => timeline.map(({ action }) => action).join(' ')

describe('alerts become incidents', () => {
  test('an incident of old logs goes by the times of their events, and says when they arrived', async () => {
    const eventAt = (time: string) =>
      ({ eventRef: { occurredAt: Date.parse(`2026-11-19T${time}Z`), by: 'offset', number: 1 } }) as const
    await insert(
      alertOf('late', { host: 'web-1', level: 'high', ...eventAt('05:00:00'), matchedAt: opened }),
      alertOf('first', { host: 'web-1', level: 'high', ...eventAt('02:00:00'), matchedAt: opened + 1_000 }),
      alertOf('middle', { host: 'web-1', level: 'high', ...eventAt('03:00:00'), matchedAt: opened + 2_000 }),
    )
    const [incident] = await list()
    const story = async () => {
      const { related_alerts: alerts, timeline, first_event_at: from, last_event_at: to, ...rest } = await read(incident!.id)
      const { ai_summary: summary, entities: [host] } = rest
      const added = timeline.filter(({ action }) => action === 'alert_added').map(({ detail }) => detail['first_event_at'])
      return { alerts: alerts.map(({ id }) => id), added, from, to, summary, host: [host?.first_seen, host?.last_seen] }
    }
    expect(await story()).toEqual({
      alerts: ['late', 'middle', 'first'],
      added: ['2026-11-19T05:00:00.000Z', '2026-11-19T02:00:00.000Z', '2026-11-19T03:00:00.000Z'],
      from: '2026-11-19T02:00:00.000Z', to: '2026-11-19T05:00:00.000Z',
      host: ['2026-11-19T02:00:00.000Z', '2026-11-19T05:00:00.000Z'],
      summary: '3 alerts, the worst high: Whoami on web-1; events from 2026-11-19T02:00:00Z to 2026-11-19T05:00:00Z (3 h); '
        + 'alerts arrived from 2026-11-20T10:00:00Z to 2026-11-20T10:00:02Z (2 s). Discovery.',
    })
    // An alert that grows takes its incident with it.
    await insert(alertOf('more', { host: 'web-1', dedupKey: 'late', dedupMs: 60_000, ...eventAt('06:30:00'), matchedAt: opened + 3_000 }))
    expect(await story()).toMatchObject({
      alerts: ['late', 'middle', 'first'], to: '2026-11-19T06:30:00.000Z', host: ['2026-11-19T02:00:00.000Z', '2026-11-19T06:30:00.000Z'],
    })
    expect(alertDetailSchema.parse((await server.call('GET', '/v1/alerts/late')).body))
      .toMatchObject({ first_event_at: '2026-11-19T05:00:00.000Z', last_event_at: '2026-11-19T06:30:00.000Z', event_count: 2 })
  })

  test('alerts of one host join one, which shows what it knows of them', async () => {
    await server.app.state.assets.upsert(onlyTenant, [statedAsset({ hostname: 'web-1', riskScore: 7_000 }, 'as1')], 1)
    await insert(
      alertOf('a', { host: 'web-1', level: 'high', ruleTitle: 'Whoami' }),
      alertOf('b', { host: 'WEB-1', level: 'critical', ruleTitle: 'Encoded', attack: { tactics: ['execution'], techniques: ['T1059'] }, matchedAt: opened + 60_000 }),
      alertOf('c', { host: 'web-1' }),
    )
    const [incident] = await list()
    expect(incident).toMatchObject({
      title: 'Whoami on web-1', severity: 'critical', severity_set: false, status: 'open', origin: 'grouping', alert_count: 2, assignee: null,
      mitre: { tactics: ['execution', 'discovery'], techniques: ['T1033', 'T1059'] },
      entities: [{ type: 'host', value: 'web-1', alert_count: 2 }],
      ai_summary: '2 alerts, the worst critical: Encoded on web-1; events from 2026-11-20T10:00:00Z to 2026-11-20T10:01:00Z (60 s). Execution, Discovery.',
    })
    const detail = await read(incident!.id)
    expect([membersOf(detail), actionsOf(detail)]).toEqual(['a b', 'created alert_added alert_added'])
    expect(detail.affected_assets).toEqual([{ id: 'as1', hostname: 'web-1', criticality: 'high', risk_score: 7_000 }])
    expect(alertDetailSchema.parse((await server.call('GET', '/v1/alerts/a')).body).incident_id).toBe(incident!.id)
    expect(alertDetailSchema.parse((await server.call('GET', '/v1/alerts/c')).body).incident_id).toBeNull()
  })

  test.for<[title: string, settings: object, alerts: readonly NewAlert[], groups: readonly string[]]>([
    ['off', { incident_grouping: 'off' }, [alertOf('a', { host: 'h', level: 'critical' })], []],
    ['a lower level', { incident_grouping: { window: '4h', level: 'low', entities: ['host'] } }, [alertOf('a', { host: 'h' }), alertOf('b', { host: 'h' })], ['a b']],
    ['a shorter window', { incident_grouping: { window: '1m', level: 'low', entities: ['host'] } },
      [alertOf('a', { host: 'h' }), alertOf('b', { host: 'h', matchedAt: opened + 60_001 })], ['a', 'b']],
    ['addresses alone', { incident_grouping: { window: '4h', level: 'low', entities: ['ip'] } },
      [alertOf('a', { host: 'h', sourceIp: '203.0.113.7' }), alertOf('b', { host: 'h' }), alertOf('c', { sourceIp: '203.0.113.7' })], ['a c']],
    ['own networks', { own_networks: ['203.0.113.0/24'] }, ['a', 'b'].map((id) => alertOf(id, { level: 'high', sourceIp: '203.0.113.7' })), []],
  ])('settings: %s', async ([, settings, alerts, groups]) => {
    expect((await server.call('PATCH', '/v1/settings', { body: settings })).body).toMatchObject(settings)
    await insert(...alerts)
    const found = await Promise.all((await list()).map(async ({ id }) => membersOf(await read(id))))
    expect(found.sort()).toEqual(groups)
  })

  test('an incident that is done takes no further alerts, and an alert that was removed does not come back', async () => {
    const high = { host: 'h', level: 'high' } as const
    await insert(alertOf('a', high), alertOf('b', high))
    const [first] = await list()
    await server.call('DELETE', `${path}/${first!.id}/alerts/b`)
    await server.app.state.domainEvents.announceAlerts(onlyTenant, ['a', 'b'])
    await server.app.outbox.untilIdle()
    expect(membersOf(await read(first!.id))).toBe('a')
    await server.call('PATCH', `${path}/${first!.id}`, { body: { status: 'recovered' } })
    server.io.nowMs += 1_000
    await insert(alertOf('c', high))
    expect((await list()).map(({ alert_count: count, status }) => `${status} ${count}`)).toEqual(['recovered 1', 'open 1'])
  })
})

test('a correlation rule that says so opens an incident, whatever its level', async () => {
  const login = `title: Failed login
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0201
name: failed
level: low
logsource: { product: app }
detection: { s: { action: fail }, condition: s }
`
  const many = (incident: string): string => `title: Many failed logins
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0202
level: low
correlation:
  { type: event_count, rules: [failed], group-by: [user], timespan: 10m, condition: { gte: 3 }, x-tripline-incident: ${incident} }
`
  for (const [incident, origins] of [['open', ['rule']], ['none', []]] as const) {
    server = await openTestServer([login, many(incident)])
    const event = { '_logsource': { product: 'app' }, '@timestamp': '2026-11-20T10:00:00Z', 'user': 'alice', 'action': 'fail' }
    await server.call('POST', '/ingest/v1/events', { body: [event, event, event] })
    server.io.nowMs += 600_000
    await server.tick()
    await server.app.outbox.untilIdle()
    expect((await list()).map(({ origin }) => origin)).toEqual(origins)
  }
})

describe('an incident by hand', () => {
  test('is opened with alerts, changed, commented and closed, and its timeline says so', async () => {
    await insert(alertOf('a', { level: 'medium' }))
    const { id } = await open({ title: ' Stolen laptop ', alert_ids: ['a'], description: 'found at the station' })
    expect(await read(id)).toMatchObject({ title: 'Stolen laptop', severity: 'medium', severity_set: false, origin: 'user', alert_count: 1 })
    const change = (body: object) => server.call('PATCH', `${path}/${id}`, { body })
    expect((await change({ severity: 'high', status: 'closed', resolution_note: 'wiped', comment: 'done' })).status).toBe(200)
    expect(await read(id)).toMatchObject({ severity: 'high', severity_set: true, status: 'closed', resolution_note: 'wiped', closed_at: '2026-11-20T10:00:00.000Z' })
    await change({ status: 'investigating', severity: null })
    const detail = await read(id)
    expect(detail).toMatchObject({ severity: 'medium', severity_set: false, closed_at: null, reopened_at: '2026-11-20T10:00:00.000Z' })
    expect(actionsOf(detail)).toBe('created alert_added severity_changed resolution_noted status_changed commented severity_changed status_changed')
    expect(detail.comments).toMatchObject([{ incident_id: id, content: 'done' }])
    expect(new Set(detail.timeline.map(({ actor }) => actor)).size).toBe(1)
    const actions = (await server.app.state.audit.list(onlyTenant, { limit: 9 })).entries.map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('incident'))).toEqual(['incident.update', 'incident.update', 'incident.create'])
    const updated = await server.published('incident.updated')
    expect(updated.map(({ data }) => data)).toMatchObject([
      { status: 'closed', previousStatus: 'open' }, { status: 'closed', previousStatus: 'closed' }, { status: 'investigating', previousStatus: 'closed' },
    ])
  })

  test.for<[title: string, body: object, status: number, message: string]>([
    ['nothing', {}, 400, 'must contain at least one change'],
    ['an unknown field', { colour: 'red' }, 400, "unknown field 'colour'"],
    ['an unknown status', { status: 'OPEN' }, 400, 'status'],
    ['a status of a profile', { status: 'resolved' }, 400, 'status'],
    ['an unknown user', { assignee: 'nobody@example.org' }, 400, 'must be the email of an active user'],
    ['an empty title', { title: '  ' }, 400, 'title'],
  ])('is not changed by %s', async ([, body, status, message]) => {
    const { id } = await open({})
    const answered = await server.call('PATCH', `${path}/${id}`, { body })
    expect([answered.status, JSON.stringify(answered.body)]).toEqual([status, expect.stringContaining(message)])
  })

  test('a change of another version is refused, and one that changes nothing makes no version', async () => {
    const { id } = await open({})
    const change = (body: object, tag: string) => server.call('PATCH', `${path}/${id}`, { body, headers: { 'if-match': tag } })
    expect((await change({ status: 'open' }, '"1"')).headers['etag']).toBe('"1"')
    expect((await change({ status: 'contained' }, '"1"')).headers['etag']).toBe('"2"')
    expect((await change({ status: 'closed' }, '"1"')).status).toBe(412)
  })

  test('a tenant may require a note to close', async () => {
    await server.call('PATCH', '/v1/settings', { body: { require_close_note: true } })
    const { id } = await open({})
    const change = (body: object) => server.call('PATCH', `${path}/${id}`, { body })
    expect((await change({ status: 'closed' })).status).toBe(400)
    expect((await change({ status: 'closed', resolution_note: 'a false alarm' })).status).toBe(200)
  })

  test('a timeline is paged', async () => {
    const { id } = await open({})
    for (const content of ['one', 'two', 'three']) await server.call('POST', `${path}/${id}/comments`, { body: { content } })
    const page = async (query: string) => incidentTimelineSchema.parse((await server.call('GET', `${path}/${id}/timeline?${query}`)).body)
    const first = await page('limit=3')
    const rest = await page(`limit=3&cursor=${first.pagination.next_cursor}`)
    expect([...first.timeline, ...rest.timeline].map(({ number, action }) => `${number} ${action}`))
      .toEqual(['1 created', '2 commented', '3 commented', '4 commented'])
    const found = await page(`filters=${encodeURIComponent(JSON.stringify({ field: 'action', op: 'eq', value: 'created' }))}`)
    expect(found.timeline).toHaveLength(1)
  })
})

describe('alerts move', () => {
  test('into one, out of it, and between two by merge and split', async () => {
    await insert(alertOf('a'), alertOf('b', { level: 'critical' }), alertOf('c', { host: 'h' }))
    const one = await open({ title: 'One', alert_ids: ['a'] })
    const two = await open({ title: 'Two', alert_ids: ['b'] })
    await server.call('POST', `${path}/${two.id}/comments`, { body: { content: 'about two' } })
    expect((await server.call('POST', `${path}/${one.id}/alerts`, { body: { alert_ids: ['b'] } })).status).toBe(409)
    expect(detailOf(await server.call('POST', `${path}/${one.id}/alerts`, { body: { alert_ids: ['c', 'a'] } })).alert_count).toBe(2)

    const merged = detailOf(await server.call('POST', `${path}/${one.id}/merge`, { body: { incident_ids: [two.id] } }))
    expect(merged).toMatchObject({ alert_count: 3, severity: 'critical', comments: [{ content: 'about two' }] })
    expect(actionsOf(merged)).toBe('created alert_added alert_added merged_from')
    const source = await read(two.id)
    expect(source).toMatchObject({ status: 'closed', merged_into: one.id, alert_count: 0, comments: [{ content: 'about two' }] })
    expect(actionsOf(source)).toBe('created alert_added commented merged_into status_changed')
    expect((await server.call('PATCH', `${path}/${two.id}`, { body: { status: 'open' } })).status).toBe(409)

    const answered = await server.call('POST', `${path}/${one.id}/split`, { body: { alert_ids: ['b'], title: 'Three' } })
    const split = detailOf(answered)
    expect([answered.status, answered.headers['location'], membersOf(split), split.severity]).toEqual([201, `${path}/${split.id}`, 'b', 'critical'])
    expect(await read(one.id)).toMatchObject({ alert_count: 2, severity: 'low' })
    expect((await server.call('POST', `${path}/${one.id}/split`, { body: { alert_ids: ['a', 'c'] } })).status).toBe(400)
    expect((await server.call('DELETE', `${path}/${one.id}/alerts/b`)).status).toBe(404)
    const left = detailOf(await server.call('DELETE', `${path}/${one.id}/alerts/c`))
    expect([membersOf(left), left.entities]).toEqual(['a', []])
  })

  test.for<[method: string, suffix: string, body?: object]>([
    ['GET', ''], ['PATCH', '', { status: 'closed' }], ['GET', '/comments'], ['POST', '/comments', { content: 'x' }], ['GET', '/timeline'],
    ['POST', '/alerts', { alert_ids: ['ours'] }], ['DELETE', '/alerts/theirs'], ['POST', '/merge', { incident_ids: ['OURS'] }],
    ['POST', '/split', { alert_ids: ['theirs'] }],
  ])('%s %s of another tenant answers as unknown', async ([method, suffix, body]) => {
    const token = await server.tokenOf(['admin'], 'other')
    await server.app.state.alerts.insert('other', [alertOf('theirs')])
    const theirs = detailOf(await server.call('POST', path, { token, body: { title: 'Theirs', alert_ids: ['theirs'] } }))
    const ours = await open({})
    const call = body === undefined ? {} : { body: JSON.parse(JSON.stringify(body).replace('OURS', ours.id)) as object }
    const [known, unknown] = await Promise.all([theirs.id, '0198f1c2-0000-8000-8000-000000000009'].map((id) =>
      server.call(method, `${path}/${id}${suffix}`, call)))
    const errorOf = ({ body }: TestResponse): unknown => JSON.stringify(body).replace(/"request_id":"[^"]*"/, '')
    expect([known?.status, known && errorOf(known)]).toEqual([404, unknown && errorOf(unknown)])
  })

  test.for(['POST /alerts', 'POST '])('%s with an alert of another tenant answers as unknown', async (route) => {
    await server.tokenOf(['admin'], 'other')
    await server.app.state.alerts.insert('other', [alertOf('theirs')])
    const { id } = await open({})
    const [method = '', suffix] = route.split(' ')
    const url = suffix === '' ? path : `${path}/${id}${suffix}`
    const answered = await server.call(method, url, { body: { ...(suffix === '' && { title: 'x' }), alert_ids: ['theirs'] } })
    expect(answered.status).toBe(404)
  })
})
