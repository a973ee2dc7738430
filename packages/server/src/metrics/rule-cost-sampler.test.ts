import type { RuleCost } from '@tripline/engine'
import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { RuleCostSampler } from './rule-cost-sampler.ts'

const { costSampleMs, costPauseFactor } = limits.metrics
const usual = {
  title: '', candidates: 0, asked: 0, confirmed: 0, requirement: '', isAnchored: true, isSearchable: true, shortestText: 3,
}

type Spent = readonly [metEvents: number, sampledNs: number]

/** A sampler of one tenant with the given cumulative rule costs: evaluated events and nanoseconds. */
function sampled() {
  const rules = new Map<string, Spent>()
  const world = { elapsed: 0, lookMs: 0, lookCount: 0, looked: [] as string[], rules }
  const costs = (tenant: string): RuleCost[] => {
    world.looked.push(tenant)
    world.elapsed += world.lookMs
    world.lookCount++
    return [...world.rules].map(([id, [metEvents, sampledNs]]) => ({ ...usual, id, metEvents, sampledNs }))
  }
  return { world, sampler: new RuleCostSampler(costs, () => world.elapsed) }
}

/** Samples rule r every ten seconds. */
function lookAt({ world, sampler }: ReturnType<typeof sampled>, spent: readonly Spent[]): void {
  for (const of of spent) {
    world.elapsed += costSampleMs
    world.rules.set('r', of)
    sampler.sampleNext(['a'])
  }
}

test.for<[title: string, spent: (readonly [number, number])[], answer: object | undefined]>([
  ['one sample gives no cost', [[100, 5_000]], undefined],
  ['no event between two samples', [[100, 5_000], [100, 5_000]], undefined],
  ['events between two samples', [[100, 5_000], [200, 15_000]], { nsPerEventP50: 100, nsPerEventP99: 100 }],
  // Three samples fall into the first half minute, three into the next.
  ['half-minute slots are compared', [[0, 0], [10, 100], [10, 100], [20, 9_100]], { nsPerEventP50: 10, nsPerEventP99: 900 }],
  ['a rule that came back counts from 0', [[100, 5_000], [10, 70]], { nsPerEventP50: 7, nsPerEventP99: 7 }],
])('%s', ([, spent, answer]) => {
  const scene = sampled()
  lookAt(scene, spent)
  if (answer === undefined) expect(scene.sampler.getCost('a', 'r')).toBeUndefined()
  else expect(scene.sampler.getCost('a', 'r')).toMatchObject(answer)
})

test('the share is of one core since sampling began', () => {
  const scene = sampled()
  lookAt(scene, [[0, 0], [1_000, 5e8]])
  expect(scene.sampler.getCost('a', 'r')?.cpuSharePercent).toBe(5)
  scene.world.elapsed += 10_000
  expect(scene.sampler.getCost('a', 'r')?.cpuSharePercent).toBe(2.5)
  scene.world.elapsed += 300_000
  expect(scene.sampler.getCost('a', 'r')).toBeUndefined()
})

test.for<[lookMs: number, tenantCount: number]>([[0, 1], [1, 1], [100, 1], [5_000, 1], [20, 100]])(
  'samples of %d ms of %d tenants take at most a hundredth of the time, and each tenant gets its turn',
  ([lookMs, tenantCount]) => {
    const { world, sampler } = sampled()
    world.lookMs = lookMs
    const tenants = Array.from({ length: tenantCount }, (_, index) => `tenant ${index}`)
    while (world.elapsed < 4_000_000) {
      sampler.sampleNext(tenants)
      world.elapsed += 250
    }
    expect(world.lookCount * lookMs).toBeLessThanOrEqual(4_000_000 / costPauseFactor + lookMs)
    expect(new Set(world.looked.slice(0, tenantCount)).size).toBe(tenantCount)
    expect(world.lookCount).toBeGreaterThan(tenantCount)
    expect(world.lookCount).toBeLessThanOrEqual(tenantCount * (1 + 4_000_000 / costSampleMs))
  },
)

test('removed rules are forgotten, and tenants are kept apart', () => {
  const scene = sampled()
  lookAt(scene, [[0, 0], [10, 100]])
  expect(scene.sampler.getCost('b', 'r')).toBeUndefined()
  scene.world.rules.clear()
  scene.world.elapsed += costSampleMs
  scene.sampler.sampleNext(['a'])
  expect(scene.sampler.getCost('a', 'r')).toBeUndefined()
})
