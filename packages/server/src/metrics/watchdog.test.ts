import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { Watchdog } from './watchdog.ts'
import type { Health } from './watchdog.ts'

const { beatMs, loopLagMs, loopLagSeenMs, queueSlowMs, queueStallMs, writeGoodMs } = limits.metrics

/** A watchdog in a controlled environment: a clock, one consumer, and whether the store accepts writes. */
function watched() {
  const world = { elapsed: 1_000, handledCount: 0, lag: 0, isFull: false }
  const watchdog = new Watchdog({
    now: () => world.elapsed,
    elapsedMs: () => world.elapsed,
    consumers: () => [
      {
        topic: 'normalized-events', consumer: 'detect', handledCount: world.handledCount,
        lag: new Map([['a', world.lag]]),
      },
    ],
    checkWritable: () => (world.isFull ? Promise.reject(new Error('the disk is full')) : Promise.resolve()),
  })
  return { world, watchdog }
}

/** Advances the time, beat by beat. */
function pass({ world, watchdog }: ReturnType<typeof watched>, lengthMs: number): void {
  const endsAt = world.elapsed + lengthMs
  while (world.elapsed < endsAt) {
    world.elapsed = Math.min(endsAt, world.elapsed + beatMs)
    watchdog.beat()
  }
}

/** The system's status, then those of the four services by letter: u up, d degraded, - down. */
function shortly({ status, services }: Health): string {
  return `${status} ${Object.values(services).map((service) => ({ up: 'u', degraded: 'd', down: '-' })[service]).join('')}`
}

type Scene = (scene: ReturnType<typeof watched>) => void | Promise<void>

test.for<[title: string, scene: Scene, answer: string]>([
  ['all is well', () => {}, 'healthy uuuu'],
  ['a beat is a little late', ({ world, watchdog }) => {
    world.elapsed += beatMs + loopLagMs - 1
    watchdog.beat()
  }, 'healthy uuuu'],
  ['a beat is late', ({ world, watchdog }) => {
    world.elapsed += beatMs + loopLagMs
    watchdog.beat()
  }, 'degraded uuuu'],
  ['a beat was late, and it is a while ago', (scene) => {
    scene.world.elapsed += beatMs + loopLagMs
    scene.watchdog.beat()
    pass(scene, loopLagSeenMs)
  }, 'healthy uuuu'],
  ['a beat does not come', ({ world }) => void (world.elapsed += beatMs + loopLagMs), 'degraded uuuu'],
  ['a queue has work and makes progress', (scene) => {
    scene.world.lag = 500
    for (let round = 0; round < 2; round++) {
      pass(scene, queueStallMs - beatMs)
      scene.world.handledCount += 1
      // The next beat sees it.
      pass(scene, beatMs)
    }
  }, 'healthy uuuu'],
  ['a queue stands still for a moment', (scene) => {
    scene.world.lag = 1
    pass(scene, queueSlowMs - 1)
  }, 'healthy uuuu'],
  ['a queue stands still for a while', (scene) => {
    scene.world.lag = 1
    pass(scene, queueStallMs - 1)
  }, 'degraded uudd'],
  ['the loop is blocked for longer than a queue may stand still and a write counts', ({ world, watchdog }) => {
    world.lag = 1
    watchdog.beat()
    world.elapsed += 3 * writeGoodMs
  }, 'degraded uuuu'],
  ['the loop was blocked that long, and the queue has not moved yet', ({ world, watchdog }) => {
    world.lag = 1
    watchdog.beat()
    world.elapsed += 3 * writeGoodMs
    watchdog.beat()
  }, 'degraded uuuu'],
  ['the loop was blocked, and then the queue does not move', (scene) => {
    scene.world.lag = 1
    scene.watchdog.beat()
    scene.world.elapsed += queueStallMs
    pass(scene, queueStallMs)
  }, 'unhealthy uu--'],
  ['a queue stalls', (scene) => {
    scene.world.lag = 1
    pass(scene, queueStallMs)
  }, 'unhealthy uu--'],
  ['a queue stalls and a beat is late', (scene) => {
    scene.world.lag = 1
    pass(scene, queueStallMs)
    scene.world.elapsed += 1_000
  }, 'unhealthy uu--'],
  ['a queue has nothing to do', (scene) => pass(scene, 10 * queueStallMs), 'unhealthy ----'],
  ['a queue has nothing to do, and writes go on', async (scene) => {
    pass(scene, 10 * queueStallMs)
    await scene.watchdog.write()
  }, 'healthy uuuu'],
  ['a write failed', async ({ world, watchdog }) => {
    world.isFull = true
    await watchdog.write()
  }, 'unhealthy ----'],
  ['a write failed, and the next did not', async ({ world, watchdog }) => {
    world.isFull = true
    await watchdog.write()
    world.isFull = false
    await watchdog.write()
  }, 'healthy uuuu'],
])('%s', async ([, scene, answer]) => {
  const watching = watched()
  await watching.watchdog.write()
  watching.watchdog.beat()
  await scene(watching)
  expect(shortly(watching.watchdog.health())).toBe(answer)
})

describe('writes', () => {
  test('before the first write check nothing is writable', () => {
    expect(watched().watchdog.health().isWritable).toBe(false)
  })

  test('a check tells how long it took, once one succeeded', async () => {
    let elapsed = 10
    const watchdog = new Watchdog({
      now: () => elapsed, elapsedMs: () => elapsed, consumers: () => [], checkWritable: async () => void (elapsed += 7),
    })
    expect(watchdog.health().writeMs).toBeUndefined()
    await watchdog.write()
    expect(watchdog.health().writeMs).toBe(7)
  })

  test('a running check is not started again, and the last result counts for some time', async () => {
    let calls = 0
    let elapsed = 0
    let hang: Promise<void> = Promise.resolve()
    const watchdog = new Watchdog({ now: () => elapsed, elapsedMs: () => elapsed, consumers: () => [], checkWritable: () => (calls++, hang) })
    await watchdog.write()
    hang = new Promise(() => {})
    void watchdog.write()
    await watchdog.write()
    expect(calls).toBe(2)
    elapsed = writeGoodMs - 1
    expect(watchdog.health().isWritable).toBe(true)
    elapsed = writeGoodMs
    expect(watchdog.health().isWritable).toBe(false)
  })
})

test('says since when a service is not up, and why, until it is up again', async () => {
  const scene = watched()
  const { world, watchdog } = scene
  await watchdog.write()
  const startedMs = world.elapsed
  const cause = () => watchdog.health().causes['detection-service']
  expect(cause()).toEqual({ sinceMs: startedMs, reason: undefined })
  watchdog.beat()
  world.lag = 500
  pass(scene, queueSlowMs)
  expect(cause()).toEqual({ sinceMs: startedMs + queueSlowMs, reason: 'queue_slow' })
  pass(scene, queueStallMs - queueSlowMs)
  const stalled = { sinceMs: startedMs + queueStallMs, reason: 'queue_stalled' }
  expect(cause()).toEqual(stalled)
  pass(scene, 1_000)
  expect(cause()).toEqual(stalled)
  world.handledCount++
  watchdog.beat()
  expect(cause()).toEqual({ sinceMs: world.elapsed, reason: undefined })
  world.isFull = true
  await watchdog.write()
  expect(watchdog.health().causes['connector-service']).toEqual({ sinceMs: world.elapsed, reason: 'not_writable' })
})
