import {
  channelDeliveryListSchema, channelDeliverySchema, channelListSchema, channelRouteListSchema, channelRouteSchema, channelSchema,
} from '@tripline/contract/console/channel'
import { notificationListSchema } from '@tripline/contract/console/notification'
import type { ChannelBody, ChannelRouteBody } from '@tripline/contract/console/channel'
import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFarServer, textOf } from '../../../test/ingestion/far-server.ts'
import type { FarServer } from '../../../test/ingestion/far-server.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const path = '/v1/channels'
const routesPath = '/v1/channel-routes'
const publicUrl = 'https://tripline.example'

type Got = { readonly headers: { readonly [name: string]: unknown }; readonly body: { readonly [name: string]: unknown } }

let server: TestServer
let far: FarServer | undefined
let got: Got[]
beforeEach(async () => {
  got = []
  far = await openFarServer(async (request, response) => {
    got.push({ headers: request.headers, body: JSON.parse(await textOf(request)) as Got['body'] })
    response.writeHead(202).end('ok')
  })
  server = await openTestServer([anySshLogin], { publicUrl, startedAt: Date.UTC(2026, 10, 20, 10) })
  await server.app.channels.sender.start()
})
afterEach(async () => {
  await server.app.channels.sender.stop()
  await server.app.state.close()
  await far?.close()
  far = undefined
})

/** The receiver; in tables of tests it does not run yet. */
const url = (): string => `${far?.url ?? 'https://hooks.example'}/hook`
const slack = (change: object = {}) => ({ name: 'SOC', settings: { type: 'slack' }, secrets: { url: url() }, ...change })
const mail = {
  type: 'email', host: 'mail.example', port: 587, security: 'starttls', username: 'u', from: 'soc@example.org', to: ['ann@example.org'],
}
const create = async (body: object = slack()): Promise<ChannelBody> => {
  const { status, body: created } = await server.call('POST', path, { body })
  expect(status).toBe(201)
  return channelSchema.parse(created)
}
const route = async (body: object): Promise<ChannelRouteBody> => {
  const { body: created } = await server.call('POST', routesPath, { body: { name: 'All', events: ['alert.created'], ...body } })
  return channelRouteSchema.parse(created)
}
const auditOf = async (action: string) =>
  (await server.app.state.audit.list(onlyTenant, { limit: 50 })).entries.filter((entry) => entry.action === action)

/** Raises an alert on a host, and waits until its notifications are sent. */
async function raise(host: string): Promise<void> {
  await server.call('POST', '/ingest/v1/events', { body: [{ ...sshLogin, host }] })
  await settle()
}

async function settle(): Promise<void> {
  await server.app.outbox.untilIdle()
  while (!server.app.channels.sender.isIdle) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('a channel', () => {
  test('never shows its secrets: not in answers, not on the trail, not in the state', async () => {
    const secret = 'https://hooks.example/very-secret'
    const { id } = await create(slack({ secrets: { url: secret } }))
    const { body } = await server.call('PATCH', `${path}/${id}`, { body: { name: 'Night', secrets: { url: `${secret}-2` } } })
    expect(body).toMatchObject({ name: 'Night', secrets: ['url'] })
    const shown = [body, (await server.call('GET', path)).body, await server.app.state.channels.list(onlyTenant), await auditOf('channel.update'),
      await auditOf('channel.create')]
    expect(JSON.stringify(shown)).not.toContain('very-secret')
    expect(await auditOf('channel.update')).toMatchObject([{ diff: { name: ['SOC', 'Night'], secrets_set: ['url'] } }])
  })

  test.for<[title: string, body: object, message: string]>([
    ['a secret of another type', slack({ secrets: { url: 'https://x.example/', routing_key: 'x' } }), "secrets.routing_key: a channel of type 'slack' has none"],
    ['no secret', slack({ secrets: {} }), "secrets.url: a channel of type 'slack' needs it"],
    ['a user without a password', slack({ settings: mail, secrets: {} }), 'secrets.password: user name and password are given together'],
    ['a password in the clear', slack({ settings: { ...mail, security: 'none' }, secrets: { password: 'x' } }), 'not sent without TLS'],
    ['a sender with a line break', slack({ settings: { ...mail, from: 'a@b\r\nBcc: x@y' }, secrets: { password: 'x' } }), 'must be like soc@example.org'],
    ['a template that is no JSON', slack({ settings: { type: 'webhook', template: '{"a": {{title}}}' } }), 'with each placeholder inside a string'],
    ['an unknown placeholder', slack({ settings: { type: 'webhook', template: '{"a": "{{host}}"}' } }), "has no placeholder 'host'"],
    ['a URL with a password', slack({ secrets: { url: 'https://a:b@x.example/' } }), 'must not contain a user or password'],
  ])('is not created with %s', async ([, body, message]) => {
    const answered = await server.call('POST', path, { body })
    expect([answered.status, JSON.stringify(answered.body)]).toEqual([400, expect.stringContaining(message)])
  })

  test('a kept password is not sent to another server, and the type stays', async () => {
    const { id } = await create(slack({ settings: mail, secrets: { password: 'x' } }))
    const change = async (body: object) => (await server.call('PATCH', `${path}/${id}`, { body })).status
    expect(await change({ settings: { ...mail, host: 'evil.example' } })).toBe(400)
    expect(await change({ settings: { ...mail, to: ['bob@example.org'] } })).toBe(200)
    expect(await change({ settings: { ...mail, host: 'new.example' }, secrets: { password: 'y' } })).toBe(200)
    expect(await change({ settings: { type: 'slack' }, secrets: { url: url() } })).toBe(400)
  })

  test('is read by engineers and admins, and edited by them alone', async () => {
    const { id } = await create()
    const asked = async (role: 'analyst' | 'engineer' | 'auditor', method: string, where: string, body?: object) =>
      (await server.call(method, where, { token: await server.tokenOf([role]), ...(body && { body }) })).status
    expect(await asked('analyst', 'GET', path)).toBe(403)
    expect(await asked('engineer', 'GET', `${path}/${id}`)).toBe(200)
    expect(await asked('analyst', 'POST', `${path}/${id}/test`)).toBe(403)
    expect(await asked('analyst', 'POST', routesPath, { name: 'x', events: ['alert.created'], channel_ids: [id] })).toBe(403)
    const other = await server.tokenOf(['admin'], 'other')
    expect((await server.call('GET', `${path}/${id}`, { token: other })).status).toBe(404)
  })

  test('is not deleted while a route or playbook names it', async () => {
    const { id } = await create()
    const { id: routeId } = await route({ channel_ids: [id] })
    const steps = [{ type: 'notify', channel: 'SOC' }]
    const { body: playbook } = await server.call('POST', '/v1/playbooks', { body: { name: 'Tell', subject: 'alert', steps } })
    expect(playbook).toMatchObject({ steps: [{ type: 'notify', channel: id }] })
    const removed = await server.call('DELETE', `${path}/${id}`)
    expect([removed.status, removed.body]).toMatchObject([409, { error: { details: { used_by: ["route 'All'", "playbook 'Tell'"] } } }])
    await server.call('DELETE', `${routesPath}/${routeId}`)
    await server.call('DELETE', `/v1/playbooks/${String(Reflect.get(Object(playbook), 'id'))}`)
    expect((await server.call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect(channelListSchema.parse((await server.call('GET', path)).body).channels).toEqual([])
  })
})

describe('a test message', () => {
  test('is sent at once, and is in the delivery log', async () => {
    const { id } = await create(slack({ language: 'ko' }))
    const sent = channelDeliverySchema.parse((await server.call('POST', `${path}/${id}/test`)).body)
    expect(sent).toMatchObject({ reason: 'test', status: 'delivered', attempt: 1, response_code: 202, response_snippet: 'ok', title: '[정보] 테스트: SOC' })
    expect(got).toMatchObject([{ headers: { 'idempotency-key': sent.id }, body: { text: '[정보] 테스트: SOC' } }])
    const { deliveries } = channelDeliveryListSchema.parse((await server.call('GET', `${path}/${id}/deliveries?reason=test`)).body)
    expect(deliveries).toEqual([sent])
    expect(await auditOf('channel.test')).toHaveLength(1)
  })

  test('says why it failed, and is not tried again', async () => {
    const { id } = await create(slack({ secrets: { url: 'https://10.0.0.1/secret-path' } }))
    const sent = channelDeliverySchema.parse((await server.call('POST', `${path}/${id}/test`)).body)
    expect(sent).toMatchObject({ status: 'failed', error: expect.stringContaining('may not be requested') as string, next_attempt_at: null })
    expect(JSON.stringify(sent)).not.toContain('secret-path')
  })
})

describe('each type', () => {
  const sentBy = async (settings: object, secrets: object): Promise<Got> => {
    const { id } = await create({ name: 'X', settings, secrets })
    await route({ channel_ids: [id], events: ['alert.created', 'alert.updated'] })
    await raise('web-1')
    expect(got).toHaveLength(1)
    return got[0]!
  }

  test('Slack gets blocks with links to the console', async () => {
    const { body } = await sentBy({ type: 'slack' }, { url: url() })
    expect(JSON.stringify(body)).toMatch(/<https:\/\/tripline\.example\/alerts\/[\w-]+\|\[/)
    expect(body).toMatchObject({ unfurl_links: false, blocks: [{ type: 'header' }, { type: 'section' }] })
  })

  test('Teams gets an adaptive card', async () => {
    const { body } = await sentBy({ type: 'teams' }, { url: url() })
    expect(body).toMatchObject({
      type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard', version: '1.4' } }],
    })
  })

  test('PagerDuty gets one incident for an alert, which its status acknowledges and resolves', async () => {
    const { body } = await sentBy({ type: 'pagerduty', url: url() }, { routing_key: 'r0uting' })
    expect(body).toMatchObject({ routing_key: 'r0uting', event_action: 'trigger', payload: { source: 'tripline', class: 'alert.created' } })
    const { entries: [alert] } = await server.app.state.alerts.list(onlyTenant, { limit: 1 })
    for (const status of ['investigating', 'resolved']) {
      await server.call('PUT', `/v1/alerts/${alert!.id}`, { body: { status } })
      await settle()
    }
    expect(got.map(({ body: { event_action: action } }) => action)).toEqual(['trigger', 'acknowledge', 'resolve'])
    expect(new Set(got.map(({ body: { dedup_key: key } }) => key))).toEqual(new Set([`tripline:alert:${alert!.id}`]))
  })

  test('a bot gets its template, in which no text leaves its string', async () => {
    const template = '{"chat_id": "42", "text": "{{title}}\\n{{url}}"}'
    const { body, headers } = await sentBy({ type: 'webhook', template }, { url: url(), authorization: 'Bearer b0t' })
    expect(Object.keys(body)).toEqual(['chat_id', 'text'])
    expect(body['text']).toMatch(/^\[\w+\] New alert: .*\nhttps:\/\/tripline\.example\/alerts\//)
    expect(headers['authorization']).toBe('Bearer b0t')
  })
})

describe('a route', () => {
  test('comes out as it went in, changes, and goes', async () => {
    const { id } = await create()
    const stated = {
      name: 'Night', events: ['alert.created'], filter: { field: 'severity', op: 'eq', value: 'high' }, channel_ids: [id],
      quiet_hours: { from: '22:30', to: '07:00', days: [1, 5], except_severities: ['critical'] }, throttle_minutes: 5, digest_minutes: 10,
      escalation: { after_minutes: 15, channel_ids: [id] }, enabled: true,
    }
    const made = await route(stated)
    expect(made).toMatchObject(stated)
    const { body } = await server.call('PATCH', `${routesPath}/${made.id}`, { body: { quiet_hours: null, escalation: null, filter: null } })
    expect(body).toMatchObject({ quiet_hours: null, escalation: null, filter: null, throttle_minutes: 5 })
    expect((await server.call('DELETE', `${routesPath}/${made.id}`)).status).toBe(204)
    expect(channelRouteListSchema.parse((await server.call('GET', routesPath)).body).routes).toEqual([])
    expect(await auditOf('channel_route.update')).toMatchObject([{ diff: { escalation: [{ afterMinutes: 15 }, null] } }])
  })

  test.for<[title: string, body: object, status: number, message: string]>([
    ['an unknown channel', { channel_ids: ['none'] }, 400, "channel_ids.0: there is no channel 'none'"],
    ['a filter by no field', { filter: { field: 'colour', op: 'eq', value: 'red' } }, 400, "cannot be filtered by 'colour'"],
    ['a filter of two kinds', { events: ['alert.created', 'incident.created'], filter: { field: 'status', op: 'eq', value: 'open' } }, 400, 'alerts only'],
    ['an escalation of nothing new', { events: ['rule.disabled'], escalation: { after_minutes: 5, channel_ids: ['none'] } }, 400, 'only new alerts'],
    ['quiet hours of no length', { quiet_hours: { from: '07:00', to: '07:00' } }, 400, 'must not end when they begin'],
    ['a name that is taken', { name: 'Taken' }, 409, "named 'Taken' already"],
  ])('is not created with %s', async ([, body, status, message]) => {
    const { id } = await create()
    await route({ name: 'Taken', channel_ids: [id] })
    const answered = await server.call('POST', routesPath, { body: { name: 'Other', events: ['alert.created'], channel_ids: [id], ...body } })
    expect([answered.status, JSON.stringify(answered.body)]).toEqual([status, expect.stringContaining(message)])
  })
})

test('a playbook notifies a channel about its subject, once', async () => {
  const { id } = await create(slack({ settings: { type: 'webhook', template: '' } }))
  await raise('web-1')
  const { entries: [alert] } = await server.app.state.alerts.list(onlyTenant, { limit: 1 })
  const { body: playbook } = await server.call('POST', '/v1/playbooks', {
    body: { name: 'Tell', subject: 'alert', steps: [{ type: 'notify', channel: id }] },
  })
  await server.call('POST', `/v1/playbooks/${String(Reflect.get(Object(playbook), 'id'))}/run`, { body: { subject_id: alert!.id } })
  await server.app.playbookRunner.untilIdle()
  await expect.poll(() => got.length).toBe(1)
  expect(got).toMatchObject([{ body: { reason: 'playbook', url: `${publicUrl}/alerts/${alert!.id}`, notices: [{ subject: alert!.id }] } }])
})

test('its attempts are counted', async () => {
  const { id } = await create()
  await route({ channel_ids: [id] })
  await raise('web-1')
  expect(server.app.metrics.meter.total(onlyTenant, 'channel_attempts', 'delivered')).toBe(1)
})

test('what was sent to webhooks and channels is one list, and one file', async () => {
  const channel = await create()
  await route({ channel_ids: [channel.id] })
  const webhook = await server.call('POST', '/v1/webhooks', { body: { name: 'Tickets', url: url(), events: ['alert.created'] } })
  expect(webhook.status).toBe(201)
  await raise('web-1')
  await server.call('POST', `${path}/${channel.id}/test`)
  const read = async (query = '') => notificationListSchema.parse((await server.call('GET', `/v1/notifications${query}`)).body)
  const { notifications, pagination } = await read()
  const shown = notifications.map(({ channel, target_name: target, event, title, reason, status }) => [channel, target, event, title, reason, status].join(' | '))
  expect(shown.toSorted()).toEqual([
    expect.stringMatching(/^slack \| SOC \| alert\.created \| \[\w+\] New alert: .+ \| event \| delivered$/),
    'slack | SOC | channel.test | [info] Test: SOC | test | delivered',
    expect.stringMatching(/^webhook \| Tickets \| alert\.created \| .+ \| event \| pending$/),
  ])
  expect(pagination).toMatchObject({ total: 3 })
  expect((await read('?channel=slack&status=delivered&limit=1')).notifications).toMatchObject([{ event: 'channel.test', notice_count: 1, attempt: 1, response_code: 202 }])
  const file = (await server.call('GET', '/v1/exports/notifications?sort=created_at:asc')).body
  expect(file).toHaveLength(3)
  expect(file).toContainEqual(expect.objectContaining({ channel: 'slack', target: channel.id, event: 'channel.test', status: 'delivered', attempts: 1, http_status: 202 }))
  const token = await server.tokenOf(['admin'], 'other')
  expect((await server.call('GET', '/v1/notifications', { token })).body).toMatchObject({ notifications: [] })
  expect((await server.call('GET', '/v1/notifications', { token: await server.tokenOf(['viewer']) })).status).toBe(403)
})
