import { afterEach, describe, expect, test } from 'vitest'
import type { BrokerMessage, BrokerOutside } from '../src/broker/broker.ts'
import type { NatsSettings } from '../src/broker/nats/nats-settings.ts'
import { probeNats } from '../src/broker/nats/probe-nats.ts'
import { runNats } from '../src/broker/nats/run-nats.ts'
import { NatsBroker, hasNats } from './nats-broker.ts'

const outside: BrokerOutside = { resolve: async ({ host }) => [host] }
const login = { user: 'reader', pass: 'right' }
const users = 'authorization { user: reader, password: right }'

let broker: NatsBroker
afterEach(() => broker?.close())

const textsFrom = (first: number, count: number): string[] => Array.from({ length: count }, (_none, index) => `event ${first + index}`)

type Session = { readonly taken: Map<string, string>; readonly counts: { deliveries: number }; readonly stop: () => Promise<void>; readonly ended: Promise<void> }

/** Runs a session that keeps what it takes; `beforeTake` may wait or fail. */
function run(settings: NatsSettings, session: { taken: Map<string, string>; beforeTake?: (messages: readonly BrokerMessage[]) => Promise<void> }): Session {
  const ending = new AbortController()
  const counts = { deliveries: 0 }
  const ended = runNats(settings, {
    onConnected: () => {},
    take: async (messages) => {
      await session.beforeTake?.(messages)
      counts.deliveries += messages.length
      for (const { id, bytes } of messages) session.taken.set(id, bytes.toString())
    },
  }, outside, ending.signal)
  ended.catch(() => {})
  return {
    taken: session.taken, counts, ended,
    stop: async () => {
      ending.abort()
      await ended
    },
  }
}

describe.skipIf(!hasNats)('a stream of NATS', () => {
  const settingsOf = (given: Partial<NatsSettings> = {}): NatsSettings =>
    ({ servers: [broker.url], subject: 'logs.>', group: 'tripline', startAt: 'beginning', ...given })

  test('is consumed once, and goes on where it stood', async () => {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    await broker.publish('logs.a', textsFrom(0, 1_200))
    const first = run(settingsOf(), { taken: new Map() })
    await expect.poll(() => first.taken.size).toBe(1_200)
    await expect.poll(() => broker.countPending('LOGS', 'tripline')).toBe(0)
    await first.stop()
    await broker.publish('logs.b', textsFrom(1_200, 10))
    const second = run(settingsOf(), { taken: new Map() })
    await expect.poll(() => [...second.taken.values()]).toEqual(textsFrom(1_200, 10))
    await second.stop()
  })

  test('gives again, under the same names, what was not durable', async () => {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    await broker.addConsumer('LOGS', 'tripline')
    await broker.publish('logs.a', textsFrom(0, 50))
    const refused: BrokerMessage[] = []
    const failing = run(settingsOf(), {
      taken: new Map(),
      beforeTake: (messages) => {
        refused.push(...messages)
        return Promise.reject(new Error('the disk is full'))
      },
    })
    await expect(failing.ended).rejects.toThrow('the disk is full')
    // What was given back counts twice.
    expect(await broker.countPending('LOGS', 'tripline')).toBeGreaterThanOrEqual(50)
    await broker.kill()
    await broker.resume()
    const again = run(settingsOf(), { taken: new Map() })
    // What was delivered and not acknowledged comes again after the server's own time.
    await expect.poll(() => again.taken.size).toBe(50)
    for (const { id, bytes } of refused) expect(again.taken.get(id)).toBe(bytes.toString())
    await again.stop()
  })

  test('loses nothing while the server is killed three times', async () => {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    await broker.addConsumer('LOGS', 'tripline')
    const taken = new Map<string, string>()
    for (let round = 0; round < 3; round++) {
      await broker.publish('logs.a', textsFrom(round * 200, 200))
      const { promise: isTaking, resolve } = Promise.withResolvers<void>()
      const session = run(settingsOf(), { taken, beforeTake: () => Promise.resolve(resolve()) })
      await isTaking
      await broker.kill()
      await expect(session.ended).rejects.toMatchObject({ stage: 'connectivity' })
      await broker.resume()
    }
    const last = run(settingsOf(), { taken })
    await expect.poll(() => new Set(taken.values()).size).toBe(600)
    await last.stop()
    expect([...taken.values()].sort()).toEqual(textsFrom(0, 600).sort())
  })

  test('holds back what is not taken yet', async () => {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    await broker.publish('logs.a', textsFrom(0, 2_000))
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const sizes: number[] = []
    const session = run(settingsOf(), {
      taken: new Map(),
      beforeTake: async (messages) => {
        sizes.push(messages.length)
        await gate
      },
    })
    await expect.poll(() => sizes.length).toBe(1)
    // Nothing else is taken, and no more is delivered than one request asks for.
    expect(sizes[0]).toBeLessThanOrEqual(500)
    expect(await broker.countPending('LOGS', 'tripline')).toBe(2_000)
    open()
    await expect.poll(() => session.taken.size).toBe(2_000)
    await session.stop()
  })

  test('begins at the end where that was asked for', async () => {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    await broker.publish('logs.a', ['old'])
    const first = run(settingsOf({ startAt: 'end' }), { taken: new Map() })
    await expect.poll(() => broker.countPending('LOGS', 'tripline').catch(() => -1)).toBe(0)
    await broker.publish('logs.a', ['new'])
    await expect.poll(() => [...first.taken.values()]).toEqual(['new'])
    await first.stop()
  })

  test.for<[title: string, given: Partial<NatsSettings>, stage: string, message: RegExp]>([
    ['a wrong password', { username: 'reader', password: 'wrong' }, 'authentication', /refuses the login: check username/],
    ['a subject that no stream keeps', { username: 'reader', password: 'right', subject: 'other' }, 'data_flow', /no stream keeps the subject 'other'/],
    ['a server without TLS', { username: 'reader', password: 'right', tlsCa: 'none' }, 'connectivity', /does not support 'tls'/],
  ])('%s is named', async ([, given, stage, message]) => {
    broker = await NatsBroker.start(users)
    await broker.addStream('LOGS', ['logs.>'], login)
    const settings = settingsOf(given)
    await expect(probeNats(settings, outside)).rejects.toMatchObject({ stage, message: expect.stringMatching(message) })
    await expect(run(settings, { taken: new Map() }).ended).rejects.toMatchObject({ stage, message: expect.stringMatching(message) })
  })

  test('a consumer that acknowledges nothing is refused', async () => {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    await broker.addConsumer('LOGS', 'tripline', 'none')
    await expect(run(settingsOf(), { taken: new Map() }).ended).rejects.toThrow(/does not acknowledge each message/)
  })

  test('a test shows the newest messages and keeps no consumer', async () => {
    broker = await NatsBroker.start(users)
    await broker.addStream('LOGS', ['logs.>'], login)
    await broker.publish('logs.a', textsFrom(0, 5), login)
    const probe = await probeNats(settingsOf({ username: 'reader', password: 'right' }), outside)
    expect(probe.connection).toBe(`no TLS, 127.0.0.1:${broker.port}, stream LOGS`)
    expect(probe.authentication).toBe('the login was accepted')
    expect(probe.messages.map(({ bytes }) => bytes.toString())).toEqual(['event 2', 'event 3', 'event 4'])
  })

  test('a server that may not be reached is not', async () => {
    broker = await NatsBroker.start()
    const refusing: BrokerOutside = { resolve: () => Promise.reject(new Error('its range is loopback')) }
    await expect(probeNats(settingsOf(), refusing)).rejects.toThrow(`'127.0.0.1:${broker.port}': its range is loopback`)
  })
})
