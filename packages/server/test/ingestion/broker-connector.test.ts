import { NatsBroker, hasNats } from '@tripline/sources/test/nats-broker'
import { AppError } from '@tripline/contract/app-error'
import { afterEach, describe, expect, test } from 'vitest'
import { openRunnerWorld } from './runner-world.ts'
import type { RunnerWorld } from './runner-world.ts'

let world: RunnerWorld
let broker: NatsBroker
afterEach(async () => {
  await world?.close()
  await broker?.close()
})

const lines = (first: number, count: number): string[] => Array.from({ length: count }, (_none, index) => JSON.stringify({ n: first + index }))

/** Lets time pass until something holds: sessions are real, their delays and checks are not. */
async function passUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(async () => {
    if (await holds()) return true
    await world.time.pass(1_000)
    return false
  }, { interval: 20 }).toBe(true)
}

describe.skipIf(!hasNats)('a connector of type nats', () => {
  const settings = (): object => ({ servers: [broker.url], subject: 'logs.>', format: 'json', log_source: { product: 'linux' }, quiet_after: '0s' })

  async function open(): Promise<void> {
    broker = await NatsBroker.start()
    await broker.addStream('LOGS', ['logs.>'])
    world = await openRunnerWorld()
    await world.add(settings(), { type: 'nats' })
  }

  test('ingests each message once, over restarts of both, and is unhealthy in between', async () => {
    await open()
    await broker.publish('logs.a', lines(0, 300))
    await world.runner.start()
    await passUntil(() => world.taken.length === 300)
    expect(world.taken[0]).toBe('a c1 {"n":0,"_logsource":{"product":"linux"}}')
    await passUntil(async () => (await world.healthOf()).startsWith('healthy 0: '))
    await passUntil(async () => (await broker.countPending('LOGS', 'tripline-c1')) === 0)
    await broker.kill()
    await passUntil(async () => /^unhealthy \d+: '127\.0\.0\.1:\d+'/.test(await world.healthOf()))
    await broker.resume()
    await broker.publish('logs.a', [...lines(300, 5), 'no event'])
    await passUntil(() => world.taken.length === 305)
    await passUntil(async () => (await world.healthOf()).startsWith('healthy'))
    const saved = await world.state.connectors.totals('a', 'c1')
    expect(world.counters.get('a', 'c1').unsaved.failedCount + (saved?.failedCount ?? 0)).toBe(1)
    await passUntil(async () => (await broker.countPending('LOGS', 'tripline-c1')) === 0)
    world = await world.restart()
    await world.runner.start()
    await broker.publish('logs.a', lines(305, 1))
    await passUntil(() => world.taken.length > 0)
    expect(world.taken).toEqual(['a c1 {"n":305,"_logsource":{"product":"linux"}}'])
  })

  test('acknowledges nothing while the pipeline is full', async () => {
    await open()
    let attempts = 0
    let isFull = true
    world.onTake = () => {
      attempts++
      return isFull ? Promise.reject(new AppError('UNAVAILABLE', 'full')) : Promise.resolve()
    }
    await broker.publish('logs.a', lines(0, 10))
    await world.runner.start()
    await passUntil(() => attempts > 2)
    expect(world.taken).toEqual([])
    expect(await broker.countPending('LOGS', 'tripline-c1')).toBe(10)
    isFull = false
    await passUntil(() => world.taken.length >= 10)
    await passUntil(async () => (await broker.countPending('LOGS', 'tripline-c1')) === 0)
    expect(new Set(world.taken).size).toBe(10)
  })
})
