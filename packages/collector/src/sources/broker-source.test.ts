import { NatsBroker, hasNats } from '@tripline/sources/test/nats-broker'
import { afterEach, describe, expect, test } from 'vitest'
import { sourceSchema } from '../config/source-config.ts'
import type { BrokerSourceConfig } from '../config/source-config.ts'
import type { SourcePosition } from '../spool/spool-record.ts'
import { createBrokerSource } from './broker-source.ts'
import type { SourceContext } from './source.ts'

let broker: NatsBroker
afterEach(() => broker?.close())

/** A spool in memory: what a source wrote, and where it stands. */
type Spooled = { readonly lines: string[]; position: SourcePosition | undefined; problem: string | undefined }

function run(config: object, spooled: Spooled, onAppended: () => void = () => {}): { readonly stop: () => Promise<void> } {
  const ending = new AbortController()
  const context: SourceContext = {
    name: 'nats', position: spooled.position, hostname: 'here', now: Date.now, elapsedMs: () => performance.now(),
    append: (lines, position) => {
      spooled.lines.push(...lines.map((line) => Buffer.from(line).toString()))
      spooled.position = position
      onAppended()
      return Promise.resolve()
    },
    waitForRoom: () => Promise.resolve(), reportHealthy: () => {}, sleep: () => Promise.resolve(),
    countDropped: (_count, reason) => (spooled.problem = reason), log: { info: () => {}, warn: () => {}, error: () => {} },
  }
  const ended = createBrokerSource(sourceSchema.parse({ name: 'nats', ...config }) as BrokerSourceConfig)(context, ending.signal)
  ended.catch(() => {})
  return {
    stop: async () => {
      ending.abort()
      await ended
    },
  }
}

describe.skipIf(!hasNats)('a source of type nats', () => {
  test('decodes messages, and does not keep again what a crash left unacknowledged', async () => {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    await broker.addConsumer('LOGS', 'tripline-nats')
    await broker.publish('logs.a', ['{"n":1}', '<13>Nov 20 09:00:00 web-1 sshd[7]: Failed password for root'])
    const config = { type: 'nats', servers: [broker.url], subject: 'logs.>' }
    const spooled: Spooled = { lines: [], position: undefined, problem: undefined }
    // The server ends between the write and the acknowledgement.
    let killed: Promise<void> | undefined
    const first = run(config, spooled, () => void (killed ??= broker.kill()))
    await expect.poll(() => killed !== undefined).toBe(true)
    await killed
    await first.stop().catch(() => {})
    const keptCount = spooled.lines.length
    await broker.resume()
    await broker.publish('logs.a', ['{"n":3}'])
    const second = run(config, spooled)
    await expect.poll(() => broker.countPending('LOGS', 'tripline-nats')).toBe(0)
    await second.stop()
    expect(keptCount).toBeGreaterThan(0)
    expect(spooled.lines.map((line) => (JSON.parse(line) as { readonly n?: number }).n)).toEqual([1, undefined, 3])
    expect(JSON.parse(spooled.lines[1] ?? '')).toMatchObject({ host: { hostname: 'web-1' }, log: { syslog: { appname: 'sshd' } } })
  })
})

test.for<[title: string, config: object, message: string]>([
  ['a broker without a port', { type: 'kafka', brokers: ['k'], topic: 't' }, 'must be like kafka-1.example.com:9092'],
  ['half a login of Kafka', { type: 'kafka', brokers: ['k:9092'], topic: 't', username: 'u' }, 'username and password must be set together'],
  ['a topic with a blank', { type: 'kafka', brokers: ['k:9092'], topic: 'a b' }, 'must have letters, digits, dots, - and _ only, at most 249'],
  ['another protocol', { servers: ['http://n:1'], subject: 's' }, 'must be like tls://nats.example.com:4222'],
  ['half a login', { servers: ['n'], subject: 's', username: 'u' }, 'username and password must be set together'],
  ['no subject', { servers: ['n'], subject: 'a b' }, 'must be a subject such as logs.linux or logs.>'],
])('%s is refused', ([, config, message]) => {
  expect(sourceSchema.safeParse({ type: 'nats', ...config }).error?.issues[0]?.message).toBe(message)
})
