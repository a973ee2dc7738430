import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BrokerMessage, BrokerOutside } from '../src/broker/broker.ts'
import { BrokerError } from '../src/broker/broker-error.ts'
import type { KafkaSettings } from '../src/broker/kafka/kafka-settings.ts'
import { probeKafka, runKafka } from '../src/broker/kafka/run-kafka.ts'
import { KafkaBroker, hasKafka, kafkaUser } from './kafka-broker.ts'

const outside: BrokerOutside = { resolve: ({ host }) => Promise.resolve([host]) }

const textsFrom = (first: number, count: number): string[] => Array.from({ length: count }, (_none, index) => `event ${first + index}`)

type Take = (messages: readonly BrokerMessage[]) => Promise<void>

function run(settings: KafkaSettings, take: Take, given = outside): { readonly stop: () => Promise<void>; readonly ended: Promise<void> } {
  const ending = new AbortController()
  const ended = runKafka(settings, { onConnected: () => {}, take }, given, ending.signal)
  ended.catch(() => {})
  return {
    ended,
    stop: async () => {
      ending.abort()
      await ended
    },
  }
}

/** Begins a session again for as long as the broker, which has just come back, ends it: with a `BrokerError` and nothing else. */
async function runUntil(settings: KafkaSettings, take: Take, isDone: () => boolean): Promise<void> {
  const failures: unknown[] = []
  while (!isDone()) {
    const session = run(settings, take)
    let isOver = false
    const over = session.ended.catch((error: unknown) => void failures.push(error)).finally(() => (isOver = true))
    await vi.waitUntil(() => isOver || isDone(), { timeout: 300_000 })
    await session.stop().catch(() => over)
    expect(failures).toEqual(failures.map(() => expect.any(BrokerError) as unknown))
  }
}

const settingsOf = (brokers: readonly string[], given: Partial<KafkaSettings> = {}): KafkaSettings =>
  ({ brokers, topic: 'logs', group: 'tripline', startAt: 'beginning', mechanism: 'plain', usesTls: false, ...given })

test.for<[title: string, given: BrokerOutside, message: RegExp]>([
  ['a broker that does not answer', outside, /^127\.0\.0\.1:1: /],
  ['a broker that may not be reached', { resolve: () => Promise.reject(new Error('its range is loopback')) }, /its range is loopback/],
])('%s is named', async ([, given, message]) => {
  const settings = settingsOf(['127.0.0.1:1'])
  const failure = { stage: 'connectivity', message: expect.stringMatching(message) as unknown }
  await expect(probeKafka(settings, given)).rejects.toMatchObject(failure)
  await expect(run(settings, () => Promise.resolve(), given).ended).rejects.toMatchObject(failure)
})

// Kafka is no package of Debian: the variable TRIPLINE_KAFKA_JARS names a folder with its jars.
describe.skipIf(!hasKafka)('a topic of Kafka, if TRIPLINE_KAFKA_JARS names its jars', () => {
  let broker: KafkaBroker
  beforeAll(async () => {
    broker = await KafkaBroker.start()
    await broker.addTopic('logs', 2)
  })
  afterAll(() => broker.close())

  test('is read once over sessions, and again where it was not durable, with the same names', async () => {
    await broker.produce('logs', textsFrom(0, 1_500))
    const settings = settingsOf([broker.address])
    const refused: BrokerMessage[] = []
    // A cluster that has just started refuses groups for a while; a session is begun again then, as programs do.
    const fail = async (): Promise<string> => await run(settings, (messages) => {
      refused.push(...messages)
      return Promise.reject(new Error('the disk is full'))
    }).ended.then(() => '', String)
    await expect.poll(fail).toContain('the disk is full')
    const taken = new Map<string, string>()
    const take: Take = (messages) => {
      for (const { id, bytes } of messages) taken.set(id, bytes.toString())
      return Promise.resolve()
    }
    const first = run(settings, take)
    await expect.poll(() => taken.size).toBe(1_500)
    await expect.poll(() => broker.countPending('logs', 'tripline')).toBe(0)
    await first.stop()
    for (const { id, bytes } of refused) expect(taken.get(id)).toBe(bytes.toString())
    await broker.produce('logs', textsFrom(1_500, 20))
    const seen: string[] = []
    const second = run(settings, (messages) => Promise.resolve(void seen.push(...messages.map(({ bytes }) => bytes.toString()))))
    await expect.poll(() => seen.length).toBe(20)
    expect(seen.sort()).toEqual(textsFrom(1_500, 20).sort())
    await second.stop()
  })

  test('ends a session when the broker is killed, and goes on after it', async () => {
    await broker.addTopic('kills', 1)
    await broker.produce('kills', textsFrom(0, 100))
    const settings = settingsOf([broker.address], { topic: 'kills', group: 'killed' })
    const taken = new Set<string>()
    const take: Take = (messages) => Promise.resolve(messages.forEach(({ bytes }) => taken.add(bytes.toString())))
    const session = run(settings, take)
    await expect.poll(() => taken.size).toBe(100)
    await broker.kill()
    await expect(session.ended).rejects.toMatchObject({ name: 'BrokerError' })
    await broker.resume()
    await broker.produce('kills', ['last'])
    await runUntil(settings, take, () => taken.has('last'))
  })

  test.for<[mechanism: KafkaSettings['mechanism']]>([['plain'], ['scram-sha-256'], ['scram-sha-512']])(
    'is read over TLS with a login by %s, and goes on after the broker is killed', async ([mechanism]) => {
      const topic = `secure-${mechanism}`
      await broker.addTopic(topic, 1)
      await broker.produce(topic, textsFrom(0, 50))
      const given = { topic, group: topic, mechanism, usesTls: true, tlsCa: broker.certificate, ...kafkaUser }
      const settings = settingsOf([broker.secureAddress], given)
      const wrong = probeKafka(settingsOf([broker.secureAddress], { ...given, password: 'guess' }), outside)
      await expect(wrong).rejects.toMatchObject({ stage: 'authentication', message: expect.stringContaining('refuses the login') as unknown })
      await expect(probeKafka({ ...settings, tlsCa: undefined }, outside)).rejects.toMatchObject({ stage: 'connectivity' })
      const taken: string[] = []
      const take: Take = (messages) => Promise.resolve(void taken.push(...messages.map(({ bytes }) => bytes.toString())))
      const session = run(settings, take)
      await expect.poll(() => taken.length).toBe(50)
      await expect.poll(() => broker.countPending(topic, topic)).toBe(0)
      await broker.kill()
      await expect(session.ended).rejects.toMatchObject({ name: 'BrokerError' })
      await broker.resume()
      await broker.produce(topic, textsFrom(50, 50))
      await runUntil(settings, take, () => taken.length >= 100)
      expect(taken.toSorted()).toEqual(textsFrom(0, 100).toSorted())
    },
  )

  test('is tested without a commit, and a missing topic is named', async () => {
    const probe = await probeKafka(settingsOf([broker.address], { group: 'probed' }), outside)
    expect(probe).toMatchObject({ connection: 'no TLS, topic logs with 2 partitions', authentication: 'no login needed' })
    expect(probe.messages.length).toBe(3)
    expect(await broker.countPending('logs', 'probed')).toBeGreaterThan(1_000)
    await expect(probeKafka(settingsOf([broker.address], { topic: 'none' }), outside)).rejects.toThrow("there is no topic 'none'")
  })
})
