import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPort } from '../find-port.ts'
import { ChannelWorld } from './channel-world.ts'
import { createCertificate, openMailServer } from './mail-server.ts'

const minute = 60_000
const hour = 60 * minute
const allDays = [1, 2, 3, 4, 5, 6, 7]

let world: ChannelWorld
beforeEach(async () => {
  world = await ChannelWorld.open()
})
afterEach(() => world.close())

test('a route sends what matches its filter, once however often the events come', async () => {
  await world.addChannel('soc')
  await world.addRoute({ filter: JSON.stringify({ field: 'host', op: 'eq', value: 'web-1' }) })
  const event = { processName: '', commandLine: '', user: '', host: 'web-1', statedTime: '' }
  await world.raise(['one'], { event })
  await world.raise(['two'], { event: { ...event, host: 'web-2' } })
  await world.consume(0)
  expect(world.titlesAt('soc')).toEqual(['[high] New alert: Rule of one'])
  expect(world.received[0]?.body).toMatchObject({
    reason: 'event', severity: 'high', url: 'https://console.example/alerts/one', notices: [{ event: 'alert.created', subject: 'one' }],
  })
  expect(await world.log('soc')).toMatchObject([{ status: 'delivered', attempt: 1, last: { httpStatus: 204 } }])
  expect((await world.state.channels.get('a', 'soc'))?.lastDeliveryAt).toBe(world.time.now())
})

test('a channel that fails is tried again under the same key, and delays no other one', async () => {
  for (const id of ['soc', 'down']) await world.addChannel(id)
  await world.addRoute({ channelIds: ['down', 'soc'] })
  world.answers.set('/down', 503)
  await world.raise(['one', 'two'])
  expect(world.titlesAt('soc')).toHaveLength(2)
  await world.time.pass(10 * minute)
  world.answers.delete('/down')
  await world.time.pass(hour)
  const received = world.received.filter(({ path }) => path === '/down')
  expect(new Set(received.map(({ key }) => key)).size).toBe(2)
  expect(await world.log('down')).toMatchObject([{ status: 'delivered', attempt: 4 }, { status: 'delivered', attempt: 4 }])
})

test('an outage of the mail server loses nothing, a restart in between neither', async () => {
  const certificate = createCertificate()
  const port = await findPort()
  const settings = {
    type: 'email', host: 'localhost', port, security: 'starttls', username: 'tripline', from: 'soc@example.org', to: ['ann@example.org'],
    caCertificate: certificate.cert,
  } as const
  await world.addChannel('mail', { settings, language: 'ko' }, { password: 'horse' })
  await world.addRoute({ channelIds: ['mail'] })
  await world.raise(['one', 'two', 'three'])
  await world.time.pass(10 * minute)
  expect((await world.log('mail')).map(({ status, last }) => [status, last?.error])).toEqual(
    Array.from({ length: 3 }, () => ['pending', `'localhost:${port}' refuses connections`]))
  await world.restart()
  const server = await openMailServer(certificate, port)
  try {
    await world.raise(['four'])
    await world.time.pass(4 * hour)
    const subjects = server.mails.map(({ text }) => /^Message-ID: <(.*)@/im.exec(text)?.[1])
    expect(subjects).toHaveLength(4)
    expect(new Set(subjects)).toEqual(new Set((await world.log('mail')).map(({ id }) => id)))
    expect(server.mails.every(({ isSecure, user }) => isSecure && user === 'tripline')).toBe(true)
    expect((await world.log('mail')).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'delivered'))
  } finally {
    await server.close()
  }
})

test('a message whose outcome was not stored is sent again under its key', async () => {
  await world.addChannel('soc')
  await world.addRoute({})
  // What a kill between the answer and the record of it leaves: a pending message that was begun.
  await world.raise(['one'])
  const [{ id, notices: [notice] } = expect.fail('no message')] = await world.log('soc')
  const at = world.time.now()
  const lost = { id: 'lost', channelId: 'soc', routeId: 'cr1', reason: 'event', scheduledAt: at, createdAt: at } as const
  await world.state.channelMessages.insert('a', lost, { ...notice!, id: 'evt_lost' })
  await world.state.channelMessages.begin('a', 'lost')
  await world.restart()
  await world.time.settle()
  expect(world.received.map(({ key }) => key)).toEqual([id, 'lost'])
})

test('a digest collects for its minutes from the first event on', async () => {
  await world.addChannel('soc')
  await world.addRoute({ digestMinutes: 30 })
  await world.raise(['one'])
  await world.time.pass(20 * minute)
  await world.raise(['two', 'three'])
  expect(world.received).toEqual([])
  await world.time.pass(10 * minute)
  await world.raise(['four'])
  expect(world.noticesAt('soc')).toEqual([['Rule of one', 'Rule of two', 'Rule of three']])
  expect(world.titlesAt('soc')).toEqual(['3 notifications'])
  await world.time.pass(30 * minute)
  expect(world.noticesAt('soc')).toHaveLength(2)
})

test('a pause collects after a message, and ends with the next', async () => {
  await world.addChannel('soc')
  await world.addRoute({ throttleMinutes: 10 })
  await world.raise(['one'])
  await world.time.pass(minute)
  await world.raise(['two'])
  await world.time.pass(minute)
  await world.raise(['three'])
  expect(world.noticesAt('soc')).toEqual([['Rule of one']])
  await world.time.pass(8 * minute)
  expect(world.noticesAt('soc')).toEqual([['Rule of one'], ['Rule of two', 'Rule of three']])
  await world.time.pass(minute)
  await world.raise(['four'])
  expect(world.noticesAt('soc')).toHaveLength(2)
  await world.time.pass(9 * minute)
  expect(world.noticesAt('soc')).toHaveLength(3)
  await world.time.pass(hour)
  await world.raise(['five'])
  expect(world.noticesAt('soc')).toHaveLength(4)
})

test('quiet hours hold everything but some severities until they end', async () => {
  await world.addChannel('soc')
  // It is 11:00 in Berlin.
  await world.addRoute({ quietHours: { from: 10 * 60, to: 12 * 60, days: allDays, exceptSeverities: ['critical'] } })
  await world.raise(['one', 'two'])
  await world.raise(['three'], { level: 'critical' })
  expect(world.noticesAt('soc')).toEqual([['Rule of three']])
  await world.time.pass(hour)
  expect(world.noticesAt('soc')).toEqual([['Rule of three'], ['Rule of one', 'Rule of two']])
})

test('an unacknowledged alert is escalated; one that is worked on is not', async () => {
  for (const id of ['soc', 'boss']) await world.addChannel(id)
  await world.addRoute({ escalation: { afterMinutes: 15, channelIds: ['boss'] } })
  await world.raise(['one', 'two'])
  await world.time.pass(10 * minute)
  await world.state.alerts.update('a', 'two', { status: 'in_progress' }, { expectedVersion: undefined, at: world.time.now() })
  expect(world.titlesAt('boss')).toEqual([])
  await world.time.pass(5 * minute)
  expect(world.titlesAt('boss')).toEqual(['Not acknowledged: [high] New alert: Rule of one'])
  expect((await world.log('boss')).map(({ status, last }) => [status, last?.error])).toEqual(
    expect.arrayContaining([['canceled', 'not sent: it was acknowledged before'], ['delivered', '']]))
})

test('a disabled channel gets nothing of a route', async () => {
  await world.addChannel('soc')
  await world.addChannel('off', { isEnabled: false })
  await world.addRoute({ channelIds: ['soc', 'off'], digestMinutes: 60 })
  await world.raise(['one'])
  expect(await world.log('off')).toEqual([])
  expect((await world.log('soc')).map(({ status }) => status)).toEqual(['pending'])
})

test('routes get the events from their creation on, and none while they are disabled', async () => {
  await world.addChannel('soc')
  await world.raise(['before'])
  await world.addRoute({})
  await world.consume(0)
  await world.state.channelRoutes.update('a', 'cr1', { isEnabled: false }, { expectedVersion: undefined, at: 1 })
  await world.raise(['while'])
  await world.state.channelRoutes.update('a', 'cr1', { isEnabled: true }, { expectedVersion: undefined, at: 2 })
  await world.consume(0)
  await world.raise(['after'])
  expect(world.noticesAt('soc')).toEqual([['Rule of after']])
})

test('attempts end after those of a webhook', async () => {
  await world.addChannel('soc')
  await world.addRoute({})
  world.answers.set('/soc', 500)
  await world.raise(['one'])
  for (let day = 0; day < 5; day++) await world.time.pass(24 * hour)
  expect(await world.log('soc')).toMatchObject([{ status: 'failed', attempt: 10, last: { error: 'the receiver answered 500' } }])
})
