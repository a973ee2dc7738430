import { Webhook as Receiver } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookSecret, signPayload } from '../../src/delivery/webhooks/sign-payload.ts'
import { limits } from '../../src/limits.ts'
import { WebhookWorld } from './webhook-world.ts'

let world: WebhookWorld
beforeEach(async () => {
  world = await WebhookWorld.open()
})
afterEach(() => world.close())

const hour = 3_600_000
const statusOf = async (id: string, tenant = 'a') => (await world.state.webhooks.get(tenant, id))?.status
const answer = (path: string, status: number, headers: { readonly [name: string]: string } = {}): void =>
  void world.replies.set(path, (_request, response) => void response.writeHead(status, headers).end('no'))

test('the library of the standard accepts our signatures and its own are ours', () => {
  const secret = createWebhookSecret((count) => Buffer.alloc(count, 5))
  const [id, body, at] = ['evt_1', '{"event":"alert.created"}', Date.now()]
  const headers = signPayload([secret], { id, at, body })
  expect(new Receiver(secret).verify(body, headers)).toEqual({ event: 'alert.created' })
  expect(headers['webhook-signature']).toBe(new Receiver(secret).sign(id, new Date(at), body))
  expect(() => new Receiver(secret).verify(`${body} `, headers)).toThrow('signature')
})

test('an event is sent once, with a signature that the library of the standard accepts', async () => {
  await world.register('/one')
  await world.sender.start()
  await world.raise(['m1', 'm2'])
  await world.time.settle()
  expect([...world.idsAt('/one')].sort()).toEqual(['m1', 'm2'])
  expect(world.received[0]?.body).toMatchObject({
    event: 'alert.created', data: { severity: 'high', source_type: 'windows', status: 'open', url: expect.stringContaining('https://console/alerts/') },
  })
  // The same events, as after a kill before the position was saved.
  await world.consume(0)
  await world.time.settle()
  expect(world.received).toHaveLength(2)
  expect((await world.state.webhookDeliveries.list('a', { limit: 9 })).entries.map(({ status, attempt }) => [status, attempt]))
    .toEqual([['delivered', 1], ['delivered', 1]])
})

test('during a rotation both secrets sign, afterwards the new one alone', async () => {
  const id = await world.register('/one')
  const fresh = createWebhookSecret((count) => Buffer.alloc(count, 9))
  const old = world.secrets.get('/one')!
  const previousSecret = { sealed: world.seal('a', id, old), until: world.time.now() + 100_000 }
  await world.state.webhooks.update('a', id, { sealedSecret: world.seal('a', id, fresh), previousSecret }, { expectedVersion: undefined, at: 1 })
  await world.sender.start()
  for (const [secret, alert, waitMs] of [[old, 'm1', 0], [fresh, 'm2', 100_000], [fresh, 'm3', 0]] as const) {
    world.secrets.set('/one', secret)
    await world.raise([alert])
    await world.time.pass(waitMs)
  }
  expect(world.idsAt('/one')).toEqual(['m1', 'm2', 'm3'])
  world.secrets.set('/one', old)
  await world.raise(['m4'])
  await world.time.settle()
  expect([world.idsAt('/one'), world.refusedCount]).toEqual([['m1', 'm2', 'm3'], 1])
})

describe('a receiver that', () => {
  test('fails gets each attempt of the schedule, under one id, and then no more', async () => {
    const id = await world.register('/down')
    answer('/down', 500)
    await world.sender.start()
    await world.raise(['m1'])
    await world.time.pass(100 * hour)
    expect(world.gapsAt('/down')).toEqual([5_000, 300_000, 0.5 * hour, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour])
    expect(new Set(world.received.map((request) => request.id)).size).toBe(1)
    expect(await world.state.webhooks.get('a', id)).toMatchObject({ status: 'active', failureCount: 1 })
    const [delivery] = (await world.state.webhookDeliveries.list('a', { limit: 1 })).entries
    expect(delivery).toMatchObject({ status: 'failed', attempt: 10, last: { httpStatus: 500, error: 'the receiver answered 500', snippet: 'no' } })
  })

  test('uses up five events in a row is disabled, on the audit trail, and nothing more is sent', async () => {
    const id = await world.register('/down')
    answer('/down', 500)
    await world.sender.start()
    await world.raise(['m1', 'm2', 'm3', 'm4', 'm5'])
    await world.time.pass(60 * hour)
    await world.raise(['m6'])
    expect(await statusOf(id)).toBe('active')
    await world.time.pass(40 * hour)
    expect(await statusOf(id)).toBe('disabled_by_failures')
    const [entry] = (await world.state.audit.list('a', { limit: 1 })).entries
    expect(entry).toMatchObject({ action: 'webhook.disable', actor: { type: 'system' }, diff: { canceled_deliveries: 1 } })
    const count = world.received.length
    await world.raise(['m7'])
    await world.time.pass(100 * hour)
    expect(world.received.length).toBe(count)
  })

  test('answers 410 is disabled at once', async () => {
    const id = await world.register('/gone')
    answer('/gone', 410)
    await world.sender.start()
    await world.raise(['m1'])
    await world.time.pass(100 * hour)
    expect([world.received.length, await statusOf(id)]).toEqual([1, 'gone'])
  })

  test.for<[title: string, status: number, headers: { [name: string]: string }, gapMs: number]>([
    ['redirects', 302, { location: '/other' }, 5_000],
    ['asks to wait a minute', 429, { 'retry-after': '60' }, 60_000],
    ['is not there for two', 503, { 'retry-after': '120' }, 120_000],
  ])('%s is asked again after its time', async ([, status, headers, gapMs]) => {
    await world.register('/one')
    answer('/one', status, headers)
    await world.sender.start()
    await world.raise(['m1'])
    await world.time.settle()
    world.replies.delete('/one')
    await world.time.pass(gapMs)
    expect(world.gapsAt('/one')).toEqual([gapMs])
    expect(world.attempts).toEqual(['a pending', 'a delivered'])
  })

  test('closes in the middle of its answer gets the event again', async () => {
    await world.register('/one')
    world.replies.set('/one', (request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => request.socket.destroy(), 5)
    })
    await world.sender.start()
    await world.raise(['m1'])
    await world.time.settle()
    world.replies.delete('/one')
    await world.time.pass(5_000)
    expect([world.idsAt('/one'), world.attempts]).toEqual([['m1', 'm1'], ['a pending', 'a delivered']])
  })

  test('hangs delays neither other webhooks nor other tenants', async () => {
    const count = limits.webhooks.tenantAtOnceMax
    for (let i = 0; i < count; i++) {
      world.hanging.add(`/hangs/${i}`)
      await world.register(`/hangs/${i}`)
    }
    await world.register('/one')
    await world.register('/other', {}, 'b')
    await world.sender.start()
    const ids = Array.from({ length: 8 }, (_, i) => `m${i}`)
    await world.raise(ids)
    await world.raise(ids, 'b')
    await world.time.settle()
    expect([...world.idsAt('/other')].sort()).toEqual(ids)
    // The first attempts of a tenant may all hang, as long as nothing is known of their receivers; then half of them are left.
    await world.time.pass(limits.webhooks.attemptMs)
    expect(world.sender.countFailing('a')).toBe(count)
    expect([...world.idsAt('/one')].sort()).toEqual(ids)
  })
})

test('what an earlier process left is sent after a start', async () => {
  await world.register('/one')
  await world.raise(['m1'])
  expect(world.received).toHaveLength(0)
  await world.sender.start()
  await world.time.settle()
  expect(world.idsAt('/one')).toEqual(['m1'])
})

test('a full queue skips events and counts them, and the queue goes on', async () => {
  const id = await world.register('/one')
  const room = 3
  const waiting = Array.from({ length: limits.webhooks.pendingMax - room }, (_, i) => ({
    id: `old-${i}`, webhookId: id, eventId: 'evt_old', reason: 'replay' as const, createdAt: 1, dueAt: world.time.now() + hour,
  }))
  const event = { id: 'evt_old', type: 'alert.created', at: 1, subject: 'm0', title: 'Old', severity: 'high', details: {} } as const
  await world.state.webhookDeliveries.insert('a', [event], waiting)
  await world.raise(['m1', 'm2', 'm3', 'm4', 'm5'])
  expect(await world.state.webhookDeliveries.countPending('a', id)).toBe(limits.webhooks.pendingMax)
  expect(await world.state.webhooks.get('a', id)).toMatchObject({ skippedCount: 2 })
})
