import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { RiskCache } from './risk-cache.ts'

/** A cache over a number that counts its computations, and the clock. */
function open(alertCount = 1) {
  const world = { now: 1_000, computedCount: 0, isBroken: false, hold: Promise.resolve(), failures: 0 }
  const cache = new RiskCache({
    now: () => world.now, onFailure: () => void world.failures++,
    compute: async () => {
      const value = ++world.computedCount
      const { isBroken, now: at } = world
      await world.hold
      if (isBroken) throw new Error('the disk is gone')
      return { value, alertCount, at }
    },
  })
  return { world, cache }
}

test('what is computed is kept until alerts change', async () => {
  const { cache } = open()
  expect([await cache.get('a'), await cache.get('a')]).toEqual([1, 1])
  cache.invalidate('a')
  expect([await cache.get('a'), await cache.get('a'), await cache.get('b')]).toEqual([2, 2, 3])
})

test('alerts count less with age, so it is computed again after a while', async () => {
  const { world, cache } = open()
  await cache.get('a')
  world.now += limits.risk.ageMs
  expect(await cache.get('a')).toBe(2)
})

test('requests share a computation, but not one that began before a change', async () => {
  const { world, cache } = open()
  const holding = Promise.withResolvers<void>()
  world.hold = holding.promise
  const before = [cache.get('a'), cache.get('a')]
  cache.invalidate('a')
  const after = [cache.get('a'), cache.get('a')]
  holding.resolve()
  expect(await Promise.all([...before, ...after])).toEqual([1, 1, 2, 2])
})

test('of many alerts it is computed after a rest, while requests get what there was', async () => {
  const alertCount = limits.risk.atOnceMax + 1
  const { world, cache } = open(alertCount)
  await cache.get('a')
  cache.invalidate('a')
  expect([await cache.get('a'), world.computedCount]).toEqual([1, 1])
  world.now += alertCount * limits.risk.restMsOfAlert + 1
  expect([await cache.get('a'), world.computedCount]).toEqual([1, 2])
  await world.hold
  await expect.poll(() => cache.get('a')).toBe(2)
})

test('one that fails is tried again', async () => {
  const { world, cache } = open()
  world.isBroken = true
  await expect(cache.get('a')).rejects.toThrow('the disk is gone')
  world.isBroken = false
  expect(await cache.get('a')).toBe(2)
})

test('a bounded number of tenants is kept', async () => {
  const { world, cache } = open()
  for (let i = 0; i <= limits.risk.tenantsMax; i++) await cache.get(`t${i}`)
  await cache.get(`t${limits.risk.tenantsMax}`)
  expect(world.computedCount).toBe(limits.risk.tenantsMax + 1)
  await cache.get('t0')
  expect(world.computedCount).toBe(limits.risk.tenantsMax + 2)
})
