import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { PushClient, PushWorld, alertData, changeMessage, consoleOrigin, listen } from './push-world.ts'
import type { PushServer } from './push-world.ts'

let world: PushWorld
let server: PushServer

beforeEach(async () => {
  world = new PushWorld()
  world.identity()
  server = await listen(world)
})
afterEach(async () => {
  await server.close()
})

describe('subscribing', () => {
  test('nothing is pushed before it', async () => {
    const client = await PushClient.open(server)
    await world.raise('acme', 'a-1')
    world.pass(10_000)
    expect(await client.settle()).toEqual([])
  })

  test('to alerts brings new ones, with the documented fields', async () => {
    const client = await PushClient.open(server)
    client.subscribe('alerts')
    await client.settle()
    await world.raise('acme', 'a-1')
    expect(await client.next()).toEqual({
      type: 'new_alert',
      timestamp: '2026-11-20T10:00:00.000Z',
      data: alertData('a-1'),
    })
  })

  test('to metrics brings them at once, then every five seconds', async () => {
    const client = await PushClient.open(server)
    client.subscribe('metrics')
    const updates = await client.settle()
    world.pass(4_900)
    updates.push(...await client.settle())
    world.pass(5_100)
    updates.push(...await client.settle())
    expect(updates.map(({ type, timestamp }) => [type, timestamp])).toEqual([
      ['metrics_update', '2026-11-20T10:00:00.000Z'],
      ['metrics_update', '2026-11-20T10:00:05.000Z'],
      ['metrics_update', '2026-11-20T10:00:10.000Z'],
    ])
  })

  test('to other news brings each under its topic', async () => {
    const client = await PushClient.open(server)
    client.subscribe('connector_health', 'alert_updates', 'incidents')
    await client.settle()
    await world.hub.push('acme', changeMessage('connector_status_change', { connector_id: 'c', old_status: 'healthy', new_status: 'unhealthy', message: 'm' }))
    await world.hub.push('acme', changeMessage('alert_updated', { alert_id: 'a-1', status: 'resolved', verdict: 'true_positive', assignee: null, updated_by: null, event_count: 1 }))
    await world.hub.push('acme', changeMessage('incident_updated', { incident_id: 'i-1', status: 'open', severity: 'high' }))
    expect((await client.settle()).map(({ type }) => type)).toEqual(['connector_status_change', 'alert_updated', 'incident_updated'])
  })

  test.for<[title: string, sent: readonly unknown[], answers: readonly unknown[]]>([
    ['without an id, silently', [{ action: 'subscribe', topics: ['alerts'] }], []],
    ['with an id, which is returned with all topics',
      [{ action: 'subscribe', topics: ['incidents'] }, { action: 'subscribe', topics: ['alerts'], id: 'x' }],
      [{ type: 'subscribed', data: { id: 'x', topics: ['alerts', 'incidents'] } }]],
    ['twice, which has no further effect',
      [{ action: 'subscribe', topics: ['alerts', 'alerts'], id: 1 }, { action: 'subscribe', topics: ['alerts'], id: 2 }],
      [{ type: 'subscribed', data: { id: 1, topics: ['alerts'] } }, { type: 'subscribed', data: { id: 2, topics: ['alerts'] } }]],
    ['to no topics', [{ action: 'subscribe', topics: [], id: 'x' }], [{ type: 'subscribed', data: { id: 'x', topics: [] } }]],
    ['to topics of which some are unknown',
      [{ action: 'subscribe', topics: ['alerts', 'nonsense', '__proto__'], id: 'x' }],
      [{ type: 'subscribed', data: { id: 'x', topics: ['alerts'] } },
        { type: 'error', data: { code: 'UNKNOWN_TOPIC', topics: ['nonsense', '__proto__'], id: 'x' } }]],
    ['to unknown topics without an id',
      [{ action: 'subscribe', topics: ['nonsense'] }],
      [{ type: 'error', data: { code: 'UNKNOWN_TOPIC', topics: ['nonsense'] } }]],
    ['with unknown fields', [{ action: 'subscribe', topics: [], id: 'x', more: { deep: [1] } }],
      [{ type: 'subscribed', data: { id: 'x', topics: [] } }]],
    ['and unsubscribing',
      [{ action: 'subscribe', topics: ['alerts', 'incidents'] }, { action: 'unsubscribe', topics: ['alerts'], id: 'x' }],
      [{ type: 'subscribed', data: { id: 'x', topics: ['incidents'] } }]],
  ])('%s', async ([, sent, answers]) => {
    const client = await PushClient.open(server)
    for (const message of sent) client.send(message)
    expect(await client.settle()).toMatchObject(answers)
  })

  test('after unsubscribing nothing is pushed', async () => {
    const client = await PushClient.open(server)
    client.subscribe('alerts', 'metrics')
    await client.settle()
    client.send({ action: 'unsubscribe', topics: ['alerts', 'metrics'] })
    await client.settle()
    await world.raise('acme', 'a-1')
    world.pass(10_000)
    expect(await client.settle()).toEqual([])
  })
})

describe('a message that cannot be read', () => {
  const deep = JSON.stringify({ action: 'subscribe', topics: [], more: JSON.parse('['.repeat(8) + ']'.repeat(8)) as unknown })

  test.for<[title: string, message: unknown, problem: string]>([
    ['no JSON', 'hello', 'the message is not valid JSON'],
    ['nothing', '', 'the message is not a JSON object'],
    ['broken JSON', '{"action":}', 'the message is not valid JSON'],
    ['a list', '[]', 'the message: must be an object'],
    ['no action', {}, 'action: must be one of subscribe, unsubscribe'],
    ['an unknown action', { action: 'shout', topics: [] }, 'action: must be one of subscribe, unsubscribe'],
    ['no topics', { action: 'subscribe' }, 'topics: is missing'],
    ['topics that are no texts', { action: 'subscribe', topics: [1] }, 'topics.0: must be a string'],
    ['bytes', Buffer.from('{"action":"subscribe","topics":[]}'), 'the message is binary'],
    ['nested too deep', deep, 'the message nests deeper than 8 levels'],
    ['a live tail without a name', { action: 'subscribe', topics: ['search'] }, 'id: a live tail needs an id'],
    ['a long id', { action: 'subscribe', topics: [], id: 'x'.repeat(limits.push.idLengthMax + 1) }, 'id: must have at most'],
  ])('is answered with an error: %s', async ([, message, problem]) => {
    const client = await PushClient.open(server)
    client.send(message)
    expect(await client.settle()).toMatchObject([{ type: 'error', data: { code: 'INVALID_MESSAGE', message: expect.stringContaining(problem) } }])
  })

  test('ends the connection the fifth time within a minute', async () => {
    const client = await PushClient.open(server)
    for (let i = 0; i < 4; i++) client.send('nonsense')
    expect(await client.settle()).toHaveLength(4)
    client.send('nonsense')
    expect(await client.closed).toBe(1008)
  })

  test('is forgotten after a minute', async () => {
    const client = await PushClient.open(server)
    for (let i = 0; i < 4; i++) client.send('nonsense')
    await client.settle()
    client.socket.pong()
    world.pass(limits.push.windowMs)
    client.send('nonsense')
    expect(await client.settle()).toHaveLength(1)
  })

  test.for<[title: string, length: number, code: number | undefined]>([
    ['of as many bytes as may be', limits.push.frameBytesMax, undefined],
    ['of one byte more', limits.push.frameBytesMax + 1, 1009],
  ])('%s', async ([, length, code]) => {
    const client = await PushClient.open(server)
    client.send('{"action":"subscribe","topics":[]}'.padEnd(length))
    if (code === undefined) expect(await client.settle()).toEqual([])
    else expect(await client.closed).toBe(code)
  })
})

describe('a flood', () => {
  test('of messages ends the connection', async () => {
    const client = await PushClient.open(server)
    for (let i = 0; i <= limits.push.messagesMax; i++) client.subscribe('alerts')
    expect(await client.closed).toBe(1008)
  })

  test('of as many messages as may be does not', async () => {
    const client = await PushClient.open(server)
    for (let i = 1; i < limits.push.messagesMax; i++) client.subscribe('alerts')
    expect(await client.settle()).toEqual([])
  })

  test('of pings ends the connection', async () => {
    const client = await PushClient.open(server)
    // Few enough at once to be answered; more of them end the connection without an answer.
    for (let count = 0; count < limits.push.messagesMax; count += 50) {
      await client.settle()
      for (let i = 0; i < 50; i++) client.socket.ping()
    }
    expect(await client.closed).toBe(1008)
  })

  test('of bytes that are no frames has no effect on others', async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET /v1/ws/monitoring?token=token:ann@acme HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n')
    await once(socket, 'data')
    socket.on('error', () => {})
    socket.resume()
    socket.write(Buffer.alloc(100_000, 0xff))
    await once(socket, 'close')
    const client = await PushClient.open(server)
    expect(await client.settle()).toEqual([])
  })
})

describe('who may connect', () => {
  const bearer = ['bearer', 'token:ann@acme'.replaceAll(/[:@]/g, '.')]

  test.for<[title: string, connect: () => PushClient, code: number]>([
    ['nobody without a token', () => new PushClient(server), 4401],
    ['nobody with a token that is not good', () => new PushClient(server, '?token=nonsense'), 4401],
    ['nobody with a token that has ended', () => {
      world.identity('late', 'acme', { expiresAt: world.io.nowMs })
      return new PushClient(server, '?token=token:late@acme')
    }, 4401],
    ['nobody without the permission read', () => {
      world.identity('op', 'acme', { roles: ['operator'] })
      return new PushClient(server, '?token=token:op@acme')
    }, 4403],
    ['nobody with a protocol and no token behind it', () => new PushClient(server, '', { protocols: ['bearer'] }), 4401],
    ['no page of a foreign origin', () => new PushClient(server, '?token=token:ann@acme', { origin: 'https://evil.example' }), 1006],
    ['no page of another port of this host', () => new PushClient(server, '?token=token:ann@acme', { origin: 'http://127.0.0.1:1' }), 1006],
    ['no page without an origin of its own', () => new PushClient(server, '?token=token:ann@acme', { origin: 'null' }), 1006],
    ['no page of an origin that only begins like the console\'s',
      () => new PushClient(server, '?token=token:ann@acme', { origin: `${consoleOrigin}.evil.example` }), 1006],
  ])('%s', async ([, open, code]) => {
    expect(await open().closed).toBe(code)
  })

  test.for<[title: string, connect: () => PushClient]>([
    ['a program with a token in the address', () => new PushClient(server, '?token=token:ann@acme')],
    ['a page that the server serves', () => new PushClient(server, '?token=token:ann@acme', { origin: server.url })],
    ['a page of an allowed origin', () => new PushClient(server, '?token=token:ann@acme', { origin: consoleOrigin })],
    ['a token beside the protocol bearer', () => {
      world.identities.set(bearer[1] ?? '', world.identity())
      return new PushClient(server, '', { protocols: bearer })
    }],
    ['a ticket', () => new PushClient(server, `?token=${world.tickets.issue(world.identity())}`)],
  ])('%s', async ([, open]) => {
    const client = open()
    await once(client.socket, 'open')
    expect(await client.settle()).toEqual([])
    expect(client.socket.protocol).not.toContain('token')
  })

  test('the status of what is no upgrade', async () => {
    const answer = await fetch(`${server.url}/v1/ws/monitoring?token=token:ann@acme`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'INVALID_PARAMETER' } }])
  })
})

describe('a ticket', () => {
  const ask = async (authorization?: string): Promise<{ status: number; body: { ticket?: string; expires_in?: number } }> => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await fetch(`${server.url}/v1/ws/ticket`, { method: 'POST', headers })
    return { status: answer.status, body: (await answer.json()) as { ticket?: string; expires_in?: number } }
  }

  test('opens one connection', async () => {
    const { status, body } = await ask('Bearer token:ann@acme')
    expect({ status, expires: body.expires_in }).toEqual({ status: 201, expires: 30 })
    const client = await PushClient.open(server, `?token=${body.ticket}`)
    expect(await client.settle()).toEqual([])
    expect(await new PushClient(server, `?token=${body.ticket}`).closed).toBe(4401)
  })

  test.for<[title: string, change: () => void]>([
    ['after half a minute', () => world.pass(limits.push.ticketMs)],
    ['whose session was revoked', () => world.revoked.add('ann')],
  ])('%s opens no connection', async ([, change]) => {
    const { body } = await ask('Bearer token:ann@acme')
    change()
    expect(await new PushClient(server, `?token=${body.ticket}`).closed).toBe(4401)
  })

  test.for([[undefined], ['Bearer nonsense'], ['Basic token:ann@acme']])('is not issued with %s', async ([authorization]) => {
    expect(await ask(authorization)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
  })
})

test('no token, ticket or query is in the log', async () => {
  const ticket = world.tickets.issue(world.identity())
  const clients = [new PushClient(server, `?token=${ticket}`), new PushClient(server, '?token=token:ann@acme&more=secret'),
    new PushClient(server, '?token=wrong-secret'), new PushClient(server, '?token=origin-secret', { origin: 'https://evil.example' })]
  await Promise.all(clients.map(({ socket, closed }) => Promise.race([once(socket, 'open'), closed])))
  const log = world.io.logLines.join('\n')
  expect(log).toContain('/v1/ws/monitoring')
  expect(log).not.toMatch(/secret|token:|wt_|\?/)
})

describe('a connection ends', () => {
  test('when its token does', async () => {
    world.identity('brief', 'acme', { expiresAt: world.io.nowMs + 60_000 })
    const client = await PushClient.open(server, '?token=token:brief@acme')
    world.pass(59_900)
    expect(await client.settle()).toEqual([])
    world.pass(100)
    expect(await client.closed).toBe(4401)
  })

  test('within five seconds of a revocation', async () => {
    const client = await PushClient.open(server)
    world.revoked.add('ann')
    world.pass(5_000)
    expect(await client.closed).toBe(4401)
  })

  test('when it does not answer pings', async () => {
    const client = await PushClient.open(server)
    client.socket.pause()
    world.pass(3 * limits.push.pingMs)
    client.socket.resume()
    expect(await client.closed).toBe(1001)
  })

  test('not while it does', async () => {
    const client = await PushClient.open(server)
    for (let i = 0; i < 5; i++) {
      const pinged = once(client.socket, 'ping')
      world.pass(limits.push.pingMs)
      await pinged
      expect(await client.settle()).toEqual([])
    }
  })

  test('when the server stops', async () => {
    const client = await PushClient.open(server)
    world.hub.stop()
    expect(await client.closed).toBe(1001)
  })
})

test('connecting counts as a request of the user', async () => {
  for (let i = 0; i < limits.rate.userRequestsMax; i++) world.count()
  const { socket } = new PushClient(server, '?token=token:ann@acme')
  const [, { statusCode, headers }] = await once(socket, 'unexpected-response') as [unknown, IncomingMessage]
  expect([statusCode, headers['x-ratelimit-remaining']]).toEqual([429, '0'])
})

describe('as many connections as may be', () => {
  test('of a user, and one more; when one ends there is room again', async () => {
    const clients = await Promise.all(Array.from({ length: limits.push.userConnectionsMax }, () => PushClient.open(server)))
    expect(await new PushClient(server, '?token=token:ann@acme').closed).toBe(4429)
    clients[0]?.socket.close()
    await clients[0]?.closed
    const client = await PushClient.open(server)
    expect(await client.settle()).toEqual([])
  })

  test('200 at once all receive an alert, and no client of another tenant does', async () => {
    const names = Array.from({ length: 200 }, (_, index) => [`user-${index % 20}`, index < 100 ? 'acme' : 'other'] as const)
    for (const [subject, tenant] of names) world.identity(subject, tenant)
    const clients = await Promise.all(names.map(([subject, tenant]) => PushClient.open(server, `?token=token:${subject}@${tenant}`)))
    for (const client of clients) client.subscribe('alerts')
    await Promise.all(clients.map((client) => client.settle()))
    await world.raise('acme', 'a-1')
    await world.raise('other', 'o-1')
    const seen = await Promise.all(clients.map(async (client) => (await client.settle()).map(({ data }) => data)))
    expect(seen).toMatchObject(names.map(([, tenant]) => [{ alert_id: tenant === 'acme' ? 'a-1' : 'o-1' }]))
  })
})

test('a client that does not read is disconnected, and the others receive everything', async () => {
  world.identity('slow')
  const slow = await PushClient.open(server, '?token=token:slow@acme')
  const client = await PushClient.open(server)
  slow.subscribe('connector_health')
  client.subscribe('connector_health')
  await Promise.all([slow.settle(), client.settle()])
  slow.socket.pause()
  const message = 'm'.repeat(100_000)
  // The system buffers some megabytes between two local sockets.
  for (let i = 0; i < 400; i++) {
    await world.hub.push('acme', changeMessage('connector_status_change', { connector_id: `c-${i}`, old_status: 'healthy', new_status: 'unhealthy', message }))
    expect(await client.next()).toMatchObject({ data: { connector_id: `c-${i}` } })
  }
  expect(world.hub.connectionCount('acme')).toBe(1)
  slow.socket.resume()
  // The close follows data that the client never read: it arrives as a close, or as the cut behind it.
  expect([1013, 1006]).toContain(await slow.closed)
})
