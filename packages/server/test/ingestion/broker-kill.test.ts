import { KafkaBroker, hasKafka } from '@tripline/sources/test/kafka-broker'
import { NatsBroker, hasNats } from '@tripline/sources/test/nats-broker'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CollectorWorld } from '../collectors/collector-world.ts'
import { killServerProcesses } from '../server-process.ts'

// A server that consumes from a broker while both are killed. `npm run trial:shippers` runs the same at full size.
const isFull = process.env['TRIPLINE_FULL'] === '1'
const [messageCount, killCount] = isFull ? [10_000, 3] : [600, 1]

/** A broker with a topic that a connector consumes. */
type Broker = {
  readonly settings: object
  readonly publish: (texts: readonly string[]) => Promise<void>
  readonly kill: () => Promise<void>
  readonly resume: () => Promise<void>
  readonly close: () => Promise<void>
}

async function startNats(): Promise<Broker> {
  const broker = await NatsBroker.start()
  await broker.addStream('LOGS', ['logs.>'])
  return {
    settings: { servers: [broker.url], subject: 'logs.>' },
    publish: (texts) => broker.publish('logs.auth', texts),
    kill: () => broker.kill(), resume: () => broker.resume(), close: () => broker.close(),
  }
}

async function startKafka(): Promise<Broker> {
  const broker = await KafkaBroker.start()
  await broker.addTopic('logs', 2)
  return {
    settings: { brokers: [broker.address], topic: 'logs', tls: false },
    publish: (texts) => broker.produce('logs', texts),
    kill: () => broker.kill(), resume: () => broker.resume(), close: () => broker.close(),
  }
}

const brokers = [
  { type: 'nats', isThere: hasNats, start: startNats },
  // Its start takes long; `kafka.test.ts` has it in each run.
  { type: 'kafka', isThere: hasKafka && isFull, start: startKafka },
] as const

let folder: string
let world: CollectorWorld
let broker: Broker | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-broker-kill-'))
  world = await CollectorWorld.open(folder)
})
afterEach(async () => {
  killServerProcesses()
  await world.close()
  await broker?.close()
  broker = undefined
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function findNumbers(): Promise<number[]> {
  const events = await world.search('Accepted')
  return events.map(({ fields }) => Number(/port (\d+)/.exec(String(fields['message']))?.[1])).sort((a, b) => a - b)
}

const countMessages = (): Promise<number> => world.count('Accepted')
const login = (n: number): string => `<38>1 ${new Date().toISOString()} db-1 sshd ${n + 1} - - Accepted password for root from 203.0.113.9 port ${n} ssh2`

for (const { type, isThere, start } of brokers) {
  test.skipIf(!isThere)(`messages of ${type} are there once each, although the server is killed ${killCount} times, and the broker`, async () => {
    broker = await start()
    await world.call('POST', '/v1/connectors', { name: type, type, config: { ...broker.settings, start_at: 'beginning' } })
    let sent = 0
    const publish = async (count: number): Promise<void> => {
      await broker?.publish(Array.from({ length: count }, (_none, i) => login(sent + i)))
      sent += count
    }
    const part = Math.floor(messageCount / (2 * killCount + 1))
    for (let kill = 0; kill < killCount; kill++) {
      const before = await countMessages()
      await publish(part)
      // Some of them are durable when the server dies, and others are not acknowledged.
      await world.waitFor(countMessages, (count) => count > before)
      await world.stopServer('SIGKILL')
      await publish(part)
      await world.startServer()
    }
    await broker.kill()
    await broker.resume()
    await publish(messageCount - sent)
    await world.waitFor(countMessages, (count) => count >= messageCount)
    await world.settle()
    const found = await findNumbers()
    const distinct = new Set(found).size
    if (isFull) process.stdout.write(`${JSON.stringify({ type, sent, kills: killCount, missing: sent - distinct, repeated: found.length - distinct })}\n`)
    expect(found).toEqual(Array.from({ length: messageCount }, (_none, i) => i))
    const { alerts } = await world.call('GET', '/v1/alerts') as { readonly alerts: readonly unknown[] }
    expect(alerts.length).toBeGreaterThan(0)
  }, isFull ? 1_800_000 : 300_000)
}
