import { beforeEach, describe, expect, test } from 'vitest'
import type { TokenPrincipal } from '../../src/access/tokens/token-principal.ts'
import type { Connection } from '../../src/delivery/push/connection.ts'
import { toAlertMessage } from '../../src/delivery/push/replay.ts'
import { limits } from '../../src/limits.ts'
import { PushWorld, TestWire, changeMessage } from './push-world.ts'

let world: PushWorld
beforeEach(() => {
  world = new PushWorld()
})

/** A connected client without a socket. */
type Client = { readonly wire: TestWire; readonly connection: Connection; readonly send: (message: object) => void }

function connect(identity: TokenPrincipal = world.identity(), ...topics: string[]): Client {
  const wire = new TestWire()
  const connection = world.hub.open(identity, wire)
  if (connection === undefined) throw new Error(`refused: ${wire.closing?.reason}`)
  const send = (message: object): void => world.hub.receive(connection, JSON.stringify(message))
  if (topics.length > 0) send({ action: 'subscribe', topics })
  return { wire, connection, send }
}

describe('a client that reads slowly', () => {
  const full = limits.push.bufferBytesMax

  test('gets the newest metrics when there is room', () => {
    const { wire } = connect(world.identity(), 'metrics')
    wire.take()
    wire.bufferedCount = full
    world.pass(12_000)
    expect(wire.take()).toEqual([])
    wire.bufferedCount = 0
    world.pass(100)
    expect(wire.take()).toMatchObject([{ type: 'metrics_update', timestamp: '2026-11-20T10:00:10.000Z', data: { alerts_last_minute: 3 } }])
    expect(wire.closing).toBe(undefined)
  })

  test('learns how many events of its tail it missed', () => {
    const { wire, send } = connect()
    send({ action: 'subscribe', topics: ['search'], id: 't', params: { query: '' } })
    wire.take()
    wire.bufferedCount = full
    for (let i = 0; i < 3; i++) {
      world.hub.pushEvents('acme', events(2))
      world.pass(300)
    }
    expect(wire.take()).toEqual([])
    wire.bufferedCount = 0
    world.pass(300)
    expect(wire.take()).toMatchObject([{ type: 'tail_events', data: { id: 't', events: [], dropped: 6 } }])
    expect(wire.closing).toBe(undefined)
  })

  test.for<[title: string, byteCount: number, code: number | undefined]>([
    ['an alert that still has room is sent', full - 500, undefined],
    ['an alert that exceeds the buffer ends the connection', full, 1013],
  ])('%s', async ([, byteCount, code]) => {
    const { wire } = connect(world.identity(), 'alerts')
    wire.bufferedCount = byteCount
    await world.raise('acme', 'a-1')
    expect([wire.take().length, wire.closing?.code]).toEqual([code === undefined ? 1 : 0, code])
    await world.raise('acme', 'a-2')
    expect(wire.take()).toHaveLength(code === undefined ? 1 : 0)
  })
})

describe('tenants', () => {
  test('never see another tenant\'s', async () => {
    const [ours, theirs] = [world.identity('ann', 'acme'), world.identity('ann', 'other')]
      .map((identity) => connect(identity, 'alerts', 'connector_health', 'alert_updates', 'incidents', 'metrics')) as [Client, Client]
    for (const { send } of [ours, theirs]) send({ action: 'subscribe', topics: ['search'], id: 't', params: { query: 'n:*' } })
    ours.wire.take()
    theirs.wire.take()
    await world.raise('acme', 'a-1')
    await world.hub.push('acme', changeMessage('alert_updated', { alert_id: 'a-1', status: 'resolved', verdict: 'true_positive', assignee: null, updated_by: null, event_count: 1 }))
    await world.hub.push('acme', changeMessage('incident_updated', { incident_id: 'i', status: 'open', severity: 'high' }))
    await world.hub.push('acme', changeMessage('connector_status_change', { connector_id: 'c', old_status: 'healthy', new_status: 'unhealthy', message: '' }))
    world.hub.pushEvents('acme', events(1))
    world.pass(300)
    expect(ours.wire.take().map(({ type }) => type)).toEqual(
      ['new_alert', 'alert_updated', 'incident_updated', 'connector_status_change', 'tail_events'])
    expect(theirs.wire.take()).toEqual([])
    world.pass(5_000)
    expect([ours, theirs].map(({ wire }) => wire.take()[0]?.data)).toMatchObject([{ ingestion_rate: 'acme'.length }, { ingestion_rate: 'other'.length }])
  })

  test('have at most their limit of connections', () => {
    const { tenantConnectionsMax, userConnectionsMax } = limits.push
    for (let i = 0; i < tenantConnectionsMax; i++) connect(world.identity(`user-${Math.floor(i / userConnectionsMax)}`))
    const wire = new TestWire()
    expect(world.hub.open(world.identity('late'), wire)).toBe(undefined)
    expect(wire.closing?.code).toBe(4429)
    expect(connect(world.identity('late', 'other')).wire.closing).toBe(undefined)
  })
})

test('a message is printed once for all, and sends yield in between', async () => {
  const { tenantConnectionsMax, userConnectionsMax, sliceMax } = limits.push
  const clients = ['a', 'b', 'c'].flatMap((tenant) => Array.from({ length: tenantConnectionsMax }, (_, i) =>
    connect(world.identity(`user-${Math.floor(i / userConnectionsMax)}`, tenant), 'alerts')))
  await Promise.all([world.raise('a', 'a-1'), world.raise('b', 'b-1'), world.raise('c', 'c-1')])
  expect(new Set(clients.map(({ wire }) => wire.sentBytes[0])).size).toBe(3)
  expect(clients.every(({ wire }) => wire.take().length === 1)).toBe(true)
  expect(world.pauseCount).toBe(Math.ceil(clients.length / sliceMax) - 1)
})

test('metrics that are due for many at once are sent in slices', () => {
  const { userConnectionsMax, tenantConnectionsMax, sliceMax, metricsMs } = limits.push
  const clients = ['a', 'b'].flatMap((tenant) => Array.from({ length: tenantConnectionsMax }, (_, i) =>
    connect(world.identity(`user-${Math.floor(i / userConnectionsMax)}`, tenant), 'metrics')))
  const sentCount = (): number => clients.reduce((sum, { wire }) => sum + wire.sent.splice(0).length, 0)
  expect(sentCount()).toBe(clients.length)
  world.pass(metricsMs)
  expect(sentCount()).toBe(sliceMax)
  world.pass(100)
  expect(sentCount()).toBe(clients.length - sliceMax)
  world.pass(metricsMs - 200)
  expect(sentCount()).toBe(0)
})

test('an alert that is published again is not announced again', async () => {
  const { wire } = connect(world.identity(), 'alerts')
  const news = world.store('acme', 'a-1')
  await world.hub.push('acme', toAlertMessage(news))
  await world.hub.push('acme', toAlertMessage(news))
  expect(wire.take()).toHaveLength(1)
})

test('what is not in the contract is not printed', async () => {
  const { wire } = connect(world.identity(), 'alerts')
  const { createdAt, data } = world.store('acme', 'a-1')
  const more = { ...data, secret: 'of the house' }
  await world.hub.push('acme', toAlertMessage({ createdAt, data: more }))
  expect(wire.sent.join('')).not.toContain('house')
})

describe('an error', () => {
  test('of the metrics ends the connection that asked for them, and no other', () => {
    world.readMetrics = () => { throw new Error('the counters are gone') }
    const other = connect(world.identity('bob'), 'alerts')
    const { wire } = connect(world.identity(), 'metrics')
    world.pass(100)
    expect([wire.closing?.code, other.wire.closing]).toEqual([1011, undefined])
    expect(world.io.logLines.join()).toContain('the counters are gone')
  })

  test('of an event that cannot be shown does not reach who hands it over', () => {
    const { send } = connect()
    send({ action: 'subscribe', topics: ['search'], id: 't' })
    world.hub.pushEvents('acme', [{ event: {}, print: () => { throw new Error('the event is broken') } }])
    expect(world.io.logLines.join()).toContain('the event is broken')
  })

  test('of the session check ends the connection', async () => {
    const { wire } = connect(world.identity('broken'))
    const other = connect(world.identity('bob'))
    await world.hub.checkSessions()
    expect([wire.closing?.code, other.wire.closing]).toEqual([1011, undefined])
  })
})

describe('a token', () => {
  test('that expires ends its connections at that instant', () => {
    const { wire } = connect(world.identity('ann', 'acme', { expiresAt: world.io.nowMs + 1_000 }))
    world.pass(900)
    expect(wire.closing).toBe(undefined)
    world.pass(100)
    expect(wire.closing?.code).toBe(4401)
  })

  test('that expires soon is announced once, a minute before', () => {
    const expiresAt = world.io.nowMs + limits.push.endingNoticeMs + 1_000
    const { wire, connection } = connect(world.identity('ann', 'acme', { expiresAt }))
    const idle = connect(world.identity('bob', 'acme', { expiresAt }))
    world.hub.receive(connection, JSON.stringify({ action: 'subscribe', topics: ['alerts'] }))
    const count = (): number => wire.sent.filter((bytes) => Buffer.from(bytes).toString().includes('session_ending')).length
    world.pass(900)
    expect(count()).toBe(0)
    world.pass(100)
    expect(count()).toBe(1)
    world.pass(limits.push.tickMs * 5)
    expect([count(), idle.wire.sent]).toEqual([1, []])
  })

  test('that is revoked ends all connections of its session, and no others', async () => {
    const clients = ['ann', 'bob', 'ann'].map((subject) => connect(world.identity(subject)))
    world.revoked.add('ann')
    await world.hub.checkSessions()
    expect(clients.map(({ wire }) => wire.closing?.code)).toEqual([4401, undefined, 4401])
  })

  test('is checked every few seconds', async () => {
    const { wire } = connect()
    world.revoked.add('ann')
    world.pass(limits.auth.standingMs)
    await world.settle()
    expect(wire.closing?.code).toBe(4401)
    expect(limits.auth.standingMs + limits.push.tickMs).toBeLessThan(5_000)
  })
})

describe('pings', () => {
  test('are sent every half minute; two unanswered ones are too many', () => {
    const { wire, connection } = connect()
    world.pass(2 * limits.push.pingMs)
    connection.handlePong()
    world.pass(2 * limits.push.pingMs)
    expect([wire.pingCount, wire.closing]).toEqual([4, undefined])
    world.pass(limits.push.pingMs)
    expect([wire.pingCount, wire.closing?.code]).toEqual([4, 1001])
  })
})

test('a stopped hub accepts no connection', () => {
  const { wire } = connect()
  world.hub.stop()
  const late = new TestWire()
  expect(world.hub.open(world.identity(), late)).toBe(undefined)
  expect([wire.closing?.code, late.closing?.code]).toEqual([1001, 1001])
})

describe('a live tail', () => {
  const follow = (client: Client, id: string | number, params?: object): void =>
    client.send({ action: 'subscribe', topics: ['search'], id, ...(params === undefined ? {} : { params }) })

  test.for<[query: string | undefined, numbers: readonly number[]]>([
    [undefined, [0, 1, 2, 3]],
    ['', [0, 1, 2, 3]],
    [' n:>1 ', [2, 3]],
    ['n:1 OR n:3', [1, 3]],
    ['n:9', []],
  ])('of %j shows what it finds, as it passes', ([query, numbers]) => {
    const client = connect()
    follow(client, 't', query === undefined ? undefined : { query })
    client.wire.take()
    expect(world.hub.hasTails('acme')).toBe(true)
    world.hub.pushEvents('acme', events(4))
    world.pass(300)
    const shown = numbers.length === 0 ? [] : [{ type: 'tail_events', data: { id: 't', events: numbers.map((n) => ({ n })), dropped: 0 } }]
    expect(client.wire.take()).toMatchObject(shown)
  })

  test('sends at most four messages and 200 events a second, and counts the others', () => {
    const client = connect()
    for (const id of [1, 2, 3]) follow(client, id)
    client.wire.take()
    let seenCount = 0
    let droppedCount = 0
    let messageCount = 0
    for (let second = 0; second < 5; second++) {
      for (let i = 0; i < 10; i++) {
        world.hub.pushEvents('acme', events(100))
        world.pass(100)
      }
      const messages = client.wire.take().map(({ data }) => data as { events: unknown[]; dropped: number })
      expect(messages.length).toBeLessThanOrEqual(4)
      expect(messages.reduce((sum, { events }) => sum + events.length, 0)).toBeLessThanOrEqual(200)
      messageCount += messages.length
      for (const { events, dropped } of messages) {
        seenCount += events.length
        droppedCount += dropped
      }
    }
    world.pass(1_000)
    for (const { data } of client.wire.take()) {
      const { events, dropped } = data as { events: unknown[]; dropped: number }
      seenCount += events.length
      droppedCount += dropped
    }
    expect(messageCount).toBeGreaterThan(10)
    expect(seenCount + droppedCount).toBe(3 * 5 * 10 * 100)
  })

  test('shows as many events a second as were asked for', () => {
    const client = connect()
    follow(client, 't', { sample: 5 })
    client.wire.take()
    world.hub.pushEvents('acme', events(20))
    world.pass(900)
    world.hub.pushEvents('acme', events(20))
    world.pass(300)
    const messages = client.wire.take().map(({ data }) => data as { events: unknown[]; dropped: number })
    expect(messages.map(({ events, dropped }) => [events.length, dropped])).toEqual([[5, 15], [0, 20]])
  })

  test('names the rules that matched its events, known before these or after, and no other', () => {
    const client = connect()
    follow(client, 't', { query: 'n:<2' })
    client.wire.take()
    const take = (): unknown[] => {
      world.pass(300)
      return client.wire.take().map(({ data }) => data)
    }
    world.hub.pushMatches('acme', [match(0, 'r1'), match(2, 'r1')])
    world.hub.pushEvents('acme', events(4))
    expect(take()).toMatchObject([{ event_ids: ['id0', 'id1'], sources: ['linux', 'linux'], matches: [named(0, 'r1')] }])
    world.hub.pushMatches('acme', [match(1, 'r1'), match(0, 'r2'), match(3, 'r2')])
    expect(take()).toMatchObject([{ events: [], event_ids: [], matches: [named(1, 'r1'), named(0, 'r2')] }])
    world.hub.pushMatches('acme', [match(3, 'r1')])
    world.hub.pushMatches('other', [match(0, 'r3')])
    expect(take()).toEqual([])
  })

  test('names no rule of an event that it leaves out, and no more than a message has room for', () => {
    const { tailMatchesMax } = limits.push
    const client = connect()
    follow(client, 't', { sample: 1 })
    client.wire.take()
    world.hub.pushEvents('acme', events(2))
    world.hub.pushMatches('acme', [match(1, 'r'), ...Array.from({ length: tailMatchesMax }, (_, rule) => match(0, `r${rule}`))])
    world.pass(300)
    const [{ data } = { data: undefined }] = client.wire.take()
    const { event_ids: ids, matches, dropped } = data as { event_ids: string[]; matches: { event_id: string }[]; dropped: number }
    expect([ids, dropped, matches.length, [...new Set(matches.map((one) => one.event_id))]]).toEqual([['id0'], 1, tailMatchesMax - 1, ['id0']])
  })

  test('leaves out what is too long for a message', () => {
    const client = connect()
    follow(client, 't')
    client.wire.take()
    const long = { event: { n: 0 }, print: () => ({ id: 'long', source: '', text: JSON.stringify({ n: 'x'.repeat(limits.push.tailMessageBytesMax) }) }) }
    world.hub.pushEvents('acme', [long, ...events(1)])
    world.pass(300)
    expect(client.wire.take()).toMatchObject([{ data: { events: [{ n: 0 }], dropped: 1 } }])
  })

  test('of an id that is taken replaces it; taken back, it ends', () => {
    const client = connect()
    follow(client, 't', { query: 'n:0' })
    follow(client, 't', { query: 'n:1' })
    follow(client, 'u', { query: 'n:2' })
    client.wire.take()
    world.hub.pushEvents('acme', events(4))
    world.pass(600)
    expect(client.wire.take().map(({ data }) => data)).toMatchObject([{ id: 't', events: [{ n: 1 }] }, { id: 'u', events: [{ n: 2 }] }])
    client.send({ action: 'unsubscribe', topics: ['search'], id: 't' })
    expect(client.wire.take()).toMatchObject([{ type: 'subscribed', data: { topics: ['search'] } }])
    client.send({ action: 'unsubscribe', topics: ['search'] })
    expect(world.hub.hasTails('acme')).toBe(false)
  })

  test('ends with its connection', () => {
    const client = connect()
    follow(client, 't')
    client.connection.handleEnd()
    expect(world.hub.hasTails('acme')).toBe(false)
  })

  test.for<[title: string, query: string, answer: object]>([
    ['that is no query', 'n:(', { code: 'INVALID_QUERY', id: 't', position: 3 }],
    ['that nests too deep', `${'('.repeat(100)}n:1${')'.repeat(100)}`, { code: 'INVALID_QUERY', id: 't' }],
  ])('%s is rejected, and the one before goes on', ([, query, answer]) => {
    const client = connect()
    follow(client, 't', { query: 'n:0' })
    client.wire.take()
    follow(client, 't', { query })
    expect(client.wire.take()).toMatchObject([{ type: 'error', data: answer }, { type: 'subscribed', data: { topics: ['search'] } }])
    world.hub.pushEvents('acme', events(1))
    world.pass(300)
    expect(client.wire.take()).toHaveLength(1)
  })

  test('is rejected beyond the limit of a connection', () => {
    const client = connect()
    for (let i = 0; i < limits.push.tailsMax; i++) follow(client, i)
    expect(client.wire.take().every(({ type }) => type === 'subscribed')).toBe(true)
    follow(client, 'more')
    expect(client.wire.take()[0]).toMatchObject({ type: 'error', data: { code: 'TOO_MANY_TAILS', id: 'more' } })
  })

  test('is rejected beyond the tenant\'s limit of queries, except for a query that runs already', () => {
    for (let i = 0; i < limits.push.tailQueriesMax; i++) follow(connect(world.identity(`user-${i}`)), 't', { query: `n:${i}` })
    const client = connect(world.identity('late'))
    follow(client, 'new', { query: 'n:1000' })
    follow(client, 'known', { query: 'n:1' })
    expect(client.wire.take().map(({ type }) => type)).toEqual(['error', 'subscribed', 'subscribed'])
  })

  test('without time for a batch counts its events, and comes first with the next', () => {
    const [first, second] = [connect(world.identity('first')), connect(world.identity('second'))]
    follow(first, 't', { query: 'n:0' })
    follow(second, 't', { query: 'n:1' })
    first.wire.take()
    second.wire.take()
    const slow = (count: number) => events(count).map(({ event, print }) => ({
      event,
      print: () => {
        world.passWithoutTick(limits.push.tailBudgetMs)
        return print()
      },
    }))
    world.hub.pushEvents('acme', slow(4))
    world.hub.pushEvents('acme', slow(4))
    world.pass(300)
    expect([first, second].map(({ wire }) => wire.take()[0]?.data)).toMatchObject([
      { events: [{ n: 0 }], dropped: 4 }, { events: [{ n: 1 }], dropped: 4 },
    ])
  })
})

function events(count: number) {
  return Array.from({ length: count }, (_, n) => ({ event: { n }, print: () => ({ id: `id${n}`, source: 'linux', text: JSON.stringify({ n }) }) }))
}

function match(n: number, ruleId: string) {
  return { eventId: `id${n}`, ruleId, ruleTitle: `Rule ${ruleId}` }
}

/** A match as a message has it. */
function named(n: number, ruleId: string) {
  return { event_id: `id${n}`, rule_id: ruleId, rule_title: `Rule ${ruleId}` }
}
