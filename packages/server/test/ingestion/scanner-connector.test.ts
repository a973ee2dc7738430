import { MockScanner } from '@tripline/sources/test/mock-scanner'
import type { MockFaults } from '@tripline/sources/test/mock-scanner'
import { createRandom, ScannerWorld } from '@tripline/sources/test/scanner-world'
import { afterEach, expect, test } from 'vitest'
import { serveScanner } from './far-scanner.ts'
import type { FarServer } from './far-server.ts'
import { readInventory } from './read-inventory.ts'
import { openRunnerWorld } from './runner-world.ts'
import type { RunnerWorld } from './runner-world.ts'

const startMs = Date.UTC(2026, 10, 20)
const intervalMs = 300_000

let far: FarServer
let world: RunnerWorld
afterEach(async () => {
  await world.close()
  await far.close()
})

type Opened = { readonly scanned: ScannerWorld; readonly scanner: MockScanner; readonly paths: Readonly<Record<'v3' | 'v4' | 'bulk', string>> }

async function open(assetCount: number, faults: MockFaults = {}): Promise<Opened> {
  world = await openRunnerWorld({ startMs })
  const random = createRandom(7)
  const scanned = new ScannerWorld({ assetCount, random, nowMs: startMs })
  const scanner = new MockScanner({ world: scanned, random, faults })
  far = await serveScanner(scanner)
  scanner.fileOrigin = far.url
  return { scanned, scanner, paths: { v3: `${far.url}/api/3`, v4: far.url, bulk: far.url } }
}

const dialects = [['v3', 'user:secret'], ['v4', 'key'], ['bulk', 'key']] as const

/** Lets time pass until the scanner rests. */
async function untilRunEnded(): Promise<void> {
  for (let tries = 0; ; tries++) {
    const cursor = await world.state.connectors.cursor('a', 'c1') ?? '{}'
    const { endedAt, state } = JSON.parse(cursor) as { readonly endedAt?: number; readonly state?: { readonly run?: object } }
    if (endedAt !== undefined && state?.run === undefined) return
    if (tries === 2_000) throw new Error(`the run has not ended: ${await world.healthOf()}`)
    await world.time.pass(30_000)
  }
}

test.for(dialects)('a scanner of dialect %s fills the inventory as it is, and then tells what changed', async ([dialect, key]) => {
  const { scanned, scanner, paths } = await open(120)
  await world.add({ api_url: paths[dialect], api_key: key, dialect, poll_interval: intervalMs / 1_000 }, { type: 'vulnerability_scanner' })
  await world.runner.start()
  await untilRunEnded()
  expect(await readInventory(world.state, 'a')).toEqual(scanned.describe())
  expect(world.taken.length).toBeGreaterThan(120)
  await world.time.pass(15_000)
  expect(await world.healthOf()).toMatch(/^healthy 0: /)
  const { scanned: changed } = scanned.passDay()
  scanner.servedAssets.clear()
  await world.time.pass(intervalMs)
  await untilRunEnded()
  expect(await readInventory(world.state, 'a')).toEqual(scanned.describe())
  expect(changed.every((id) => dialect === 'bulk' || scanner.servedAssets.has(id))).toBe(true)
})

test('a run that a restart interrupted goes on, with faults on the way, and no asset is there twice', async () => {
  const { scanned, paths } = await open(1_700, { rateLimited: 0.05, failing: 0.05, garbage: 0.03, broken: 0.03 })
  await world.add({ api_url: paths.v4, api_key: 'key', dialect: 'v4' }, { type: 'vulnerability_scanner' })
  await world.runner.start()
  for (let restart = 0; restart < 3; restart++) {
    await world.time.pass(1_000)
    world = await world.restart()
    await world.runner.start()
  }
  await untilRunEnded()
  expect(await readInventory(world.state, 'a')).toEqual(scanned.describe())
})

test.for<[title: string, faults: MockFaults, key: string, health: string]>([
  ['a wrong key', {}, 'wrong', 'unhealthy 1: the scanner refuses the credentials (401): check api_key'],
  ['a server error', { failing: 1 }, 'key', 'unhealthy 1: the scanner answers 500'],
])('%s makes it unhealthy, and says why', async ([, faults, key, health]) => {
  const { paths } = await open(1, faults)
  await world.add({ api_url: paths.v4, api_key: key, dialect: 'v4' }, { type: 'vulnerability_scanner' })
  await world.runner.start()
  await world.time.pass(60_000)
  expect((await world.healthOf()).replace(/ \d+:/, ' 1:')).toBe(health)
})

test('a plan without scanners stops one that runs', async () => {
  const { scanner, paths } = await open(5)
  await world.add({ api_url: paths.v4, api_key: 'key', dialect: 'v4' }, { type: 'vulnerability_scanner' })
  const tenant = await world.state.tenants.get('a')
  await world.state.tenants.update('a', { settings: { ...tenant?.settings, plan: 'free' } }, { expectedVersion: tenant?.version ?? 1, at: startMs })
  await world.runner.start()
  await world.time.pass(60_000)
  expect(await world.healthOf()).toContain("refused: the plan 'free' has no vulnerability scanner")
  expect(scanner.requestCount).toBe(0)
})
