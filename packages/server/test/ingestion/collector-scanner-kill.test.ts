import { killCollectors } from '@tripline/collector/test/collector-process'
import type { findingListSchema } from '@tripline/contract/console/enrichment/asset-activity'
import type { assetListSchema } from '@tripline/contract/console/enrichment/asset'
import { MockScanner } from '@tripline/sources/test/mock-scanner'
import { createRandom, ScannerWorld } from '@tripline/sources/test/scanner-world'
import type { Random } from '@tripline/sources/test/scanner-world'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { CollectorWorld } from '../collectors/collector-world.ts'
import { killServerProcesses } from '../server-process.ts'
import { serveScanner } from './far-scanner.ts'
import type { FarServer } from './far-server.ts'

// A collector that is killed while it reads a scanner. `npm run trial:scanner` runs the same at full size, with delta runs.
const isFull = process.env['TRIPLINE_FULL'] === '1'
/** The least that a source may be told to wait between two runs. */
const pollSeconds = 300

/** How much a scanner has, how often the collector dies, and requests between two deaths at most: all together fewer than those of a run. */
type Trial = { readonly dialect: 'v3' | 'v4' | 'bulk'; readonly assetCount: number; readonly killCount: number; readonly requestsMax: number }
const trials: readonly Trial[] = isFull
  ? [
    { dialect: 'v3', assetCount: 25_000, killCount: 10, requestsMax: 2_000 },
    // One asset more than this is an export.
    { dialect: 'v4', assetCount: 9_999, killCount: 6, requestsMax: 3 },
    { dialect: 'v4', assetCount: 25_000, killCount: 6, requestsMax: 6 },
    { dialect: 'bulk', assetCount: 25_000, killCount: 6, requestsMax: 6 },
  ]
  : [{ dialect: 'v3', assetCount: 600, killCount: 2, requestsMax: 250 }]

let folder: string
let world: CollectorWorld
let far: FarServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-scanner-kill-'))
  world = await CollectorWorld.open(folder)
})
afterEach(async () => {
  killCollectors()
  killServerProcesses()
  await world.close()
  await far.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A mock scanner that tells when it was asked often enough. */
class WatchedScanner {
  readonly #scanner: MockScanner
  #left = Number.POSITIVE_INFINITY
  #reach: (() => void) | undefined

  constructor(scanner: MockScanner) {
    this.#scanner = scanner
  }

  readonly request: MockScanner['request'] = async (sent) => {
    if (--this.#left <= 0) this.#reach?.()
    return await this.#scanner.request(sent)
  }

  /** Waits for the request that is the `count`th from now on. */
  async untilAsked(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#left = count
    this.#reach = resolve
    await promise
  }
}

async function readPages<Body extends { readonly pagination: { readonly next_cursor: string | null } }>(path: string): Promise<readonly Body[]> {
  const pages: Body[] = []
  for (let cursor = ''; ;) {
    const page = await world.call('GET', `${path}limit=200${cursor}`) as Body
    pages.push(page)
    const { next_cursor: next } = page.pagination
    if (next === null) return pages
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

/** What the server answers of its inventory, as `ScannerWorld.describe` tells the truth. */
async function readInventory(): Promise<ReadonlyMap<string, string>> {
  const assets = (await readPages<z.infer<typeof assetListSchema>>('/v1/assets?')).flatMap((page) => page.assets)
  const findings = (await readPages<z.infer<typeof findingListSchema>>('/v1/findings?status=open&')).flatMap((page) => page.findings)
  const open = Map.groupBy(findings, (finding) => finding.asset_id)
  return new Map(assets.map(({ id, hostname, risk_score: score }) => [
    /^host-(\d+)\./.exec(hostname)?.[1] ?? hostname, JSON.stringify([hostname, score, (open.get(id) ?? []).map((one) => one.vulnerability_id).sort()]),
  ]))
}

/** Waits until the server has the ends of as many runs. */
async function untilRuns(count: number): Promise<void> {
  await world.waitFor(async () => await world.count('is_full:true') + await world.count('is_full:false'), (ended) => ended >= count)
  await world.settle()
}

async function killAtRandom(scanner: WatchedScanner, { killCount, requestsMax }: Trial, random: Random): Promise<void> {
  for (let kill = 0; kill < killCount; kill++) {
    await scanner.untilAsked(1 + Math.floor(random() * requestsMax))
    await world.collector.stop('SIGKILL')
    if (kill === 1) {
      await world.stopServer('SIGKILL')
      await world.startServer()
    }
    world.collector.start()
  }
}

test.for(trials)('$assetCount assets in dialect $dialect are those of the scanner, although the collector is killed $killCount times', { timeout: isFull ? 3_600_000 : 300_000 }, async (trial) => {
  const { dialect, assetCount } = trial
  const random = createRandom(19)
  const truth = new ScannerWorld({ assetCount, random, nowMs: Date.now() })
  const mock = new MockScanner({ world: truth, random })
  const scanner = new WatchedScanner(mock)
  far = await serveScanner(scanner)
  mock.fileOrigin = far.url
  const address = { api_url: far.url, api_key: dialect === 'v3' ? 'user:secret' : 'key', dialect }
  await world.enrol({ scanner: { type: 'vulnerability_scanner', ...address, poll_interval: pollSeconds } })
  world.collector.start()
  await killAtRandom(scanner, trial, random)
  await untilRuns(1)
  expect(await readInventory()).toEqual(truth.describe())
  if (!isFull) return
  const { scanned } = truth.passDay()
  mock.servedAssets.clear()
  await untilRuns(2)
  expect(await readInventory()).toEqual(truth.describe())
  const figures = { dialect, assets: assetCount, kills: trial.killCount, changed: scanned.length, askedAgain: mock.servedAssets.size }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  // An export is whole each time; the others ask for what changed, a console by days.
  if (dialect !== 'bulk') expect(mock.servedAssets.size).toBeLessThan(assetCount / 2)
})
