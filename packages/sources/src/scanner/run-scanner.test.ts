import { describe, expect, test } from 'vitest'
import { MockScanner } from '../../test/mock-scanner.ts'
import type { MockFaults } from '../../test/mock-scanner.ts'
import { Inventory, runInterrupted } from '../../test/run-interrupted.ts'
import { createRandom, ScannerWorld } from '../../test/scanner-world.ts'
import { createMemoryDefinitions } from './definitions.ts'
import { stripHtml } from './read-fields.ts'
import { parseScannerState } from './run-scanner.ts'
import { buildBaseUrl, detectDialect, scannerDialects } from './scanner-settings.ts'
import type { ScannerDialect } from './scanner-settings.ts'

/** With all of its assets, and more often interrupted, as a trial. */
const isFull = process.env['TRIPLINE_FULL'] === '1'
const sizes: { readonly [dialect in ScannerDialect]: number } = isFull
  ? { v3: 25_000, v4: 9_999, bulk: 25_000 }
  : { v3: 1_700, v4: 1_700, bulk: 1_700 }
const startMs = Date.UTC(2026, 10, 20, 9)

function open(dialect: ScannerDialect, { seed = 1, assetCount = 1_700, faults = {}, fileRows = 300 }: {
  readonly seed?: number; readonly assetCount?: number; readonly faults?: MockFaults; readonly fileRows?: number
} = {}) {
  const random = createRandom(seed)
  const world = new ScannerWorld({ assetCount, random, nowMs: startMs })
  const mock = new MockScanner({ world, random, faults, fileRows })
  return { dialect, random, world, mock, inventory: new Inventory(), definitions: createMemoryDefinitions() }
}

describe.for(scannerDialects)('%s', (dialect) => {
  test.for([1, 2, 3])('an interrupted run leaves what is true, seed %s', async (seed) => {
    const trial = open(dialect, { seed, assetCount: sizes[dialect] })
    const { deathCount } = await runInterrupted({ ...trial, interruptions: 0.3 })
    expect(deathCount).toBeGreaterThan(0)
    expect(trial.inventory.findDifferences(trial.world)).toEqual([])
  })

  test('the next run asks for what changed, and tells of new exploits once', async () => {
    const trial = open(dialect, { assetCount: sizes[dialect] })
    const first = await runInterrupted({ ...trial, interruptions: 0 })
    const { scanned, exploited } = trial.world.passDay()
    trial.world.nowMs -= 1_000
    trial.mock.servedAssets.clear()
    trial.inventory.records.length = 0
    const second = await runInterrupted({ ...trial, interruptions: 0.2, state: first.state })
    expect(trial.inventory.findDifferences(trial.world)).toEqual([])
    if (dialect === 'bulk') return
    // A console searches by days, which is more than what changed, and never less.
    for (const id of scanned) expect(trial.mock.servedAssets).toContain(id)
    const told = trial.inventory.records.flatMap((record) => (record.kind === 'asset' ? [Number(record.asset.id)] : []))
    expect(new Set(told).size).toBeLessThan(trial.world.assets.length / 10)
    const news = trial.inventory.records.flatMap((record) => (record.kind === 'exploit' && record.isNew ? [record.vulnerability.id] : []))
    expect([...new Set(news)].sort()).toEqual([...exploited].sort())
    trial.inventory.records.length = 0
    await runInterrupted({ ...trial, interruptions: 0, state: second.state })
    expect(trial.inventory.records.filter((record) => record.kind === 'exploit')).toEqual([])
  })

  test.for<[title: string, faults: MockFaults]>([
    ['429 with Retry-After', { rateLimited: 0.2 }], ['500', { failing: 0.2 }], ['garbage', { garbage: 0.2 }], ['broken connections', { broken: 0.2 }], ['slow answers', { slow: 0.2 }],
    ['a clock that is ahead', { skewMs: 7_200_000 }], ['a clock that is behind', { skewMs: -7_200_000 }],
    ['all at once', { rateLimited: 0.05, failing: 0.05, garbage: 0.05, broken: 0.05, slow: 0.05, skewMs: 60_000 }],
  ])('%s', async ([, faults]) => {
    const trial = open(dialect, { assetCount: 1_200, faults })
    const { sleptMs, state } = await runInterrupted({ ...trial, interruptions: 0.1 })
    expect(trial.inventory.findDifferences(trial.world)).toEqual([])
    // Runs are compared by the scanner's clock.
    expect(state.lastStartedAt).toBe(startMs + (faults.skewMs ?? 0))
    if (faults.rateLimited === 0.2) expect(sleptMs % 1_000).toBe(0)
  })

  test('wrong credentials end the run at once', async () => {
    const trial = open(dialect, { assetCount: 10, faults: { unauthorized: true } })
    await expect(runInterrupted({ ...trial, interruptions: 0 })).rejects.toMatchObject({ kind: 'credentials', message: /credentials/ })
    expect(trial.mock.requestCount).toBe(1)
  })

  test('a scanner that only fails is given up after a few attempts', async () => {
    const trial = open(dialect, { assetCount: 10, faults: { failing: 1 } })
    await expect(runInterrupted({ ...trial, interruptions: 0 })).rejects.toMatchObject({ kind: 'unavailable' })
    expect(trial.mock.requestCount).toBe(6)
  })
})

test('a cursor that expires begins the run anew', async () => {
  const trial = open('v4', { assetCount: 1_700, faults: { cursorLife: 1 } })
  // Each death asks for the same cursor again, which is used up.
  const { deathCount } = await runInterrupted({ ...trial, interruptions: 0.05 })
  expect(deathCount).toBeGreaterThanOrEqual(0)
  expect(trial.inventory.findDifferences(trial.world)).toEqual([])
})

test('10,000 assets and more are exported in place of pages, and deltas are pages again', async () => {
  const trial = open('v4', { assetCount: isFull ? 25_000 : 10_000, fileRows: 4_000 })
  const { state } = await runInterrupted({ ...trial, interruptions: 0.2 })
  expect(trial.mock.paths).toContain('POST /export/graphql')
  expect(trial.mock.paths.filter((path) => path === 'POST /vm/v4/integration/assets')).toHaveLength(1)
  expect(trial.inventory.findDifferences(trial.world)).toEqual([])
  trial.world.passDay()
  trial.world.nowMs -= 1_000
  trial.mock.paths.length = 0
  await runInterrupted({ ...trial, interruptions: 0, state })
  expect(trial.mock.paths).not.toContain('POST /export/graphql')
  expect(trial.inventory.findDifferences(trial.world)).toEqual([])
})

test('an export waits for one that runs already', async () => {
  const trial = open('bulk', { assetCount: 100 })
  trial.mock.foreignExportPolls = 3
  const { sleptMs } = await runInterrupted({ ...trial, interruptions: 0 })
  expect(sleptMs).toBeGreaterThanOrEqual(30_000)
  expect(trial.inventory.findDifferences(trial.world)).toEqual([])
})

test('remediations are asked for in parts of 31 days', async () => {
  const trial = open('bulk', { assetCount: 100 })
  const { state } = await runInterrupted({ ...trial, interruptions: 0 })
  for (let day = 0; day < 70; day++) trial.world.passDay()
  trial.mock.paths.length = 0
  await runInterrupted({ ...trial, interruptions: 0.3, state })
  expect(trial.inventory.findDifferences(trial.world)).toEqual([])
})

test.for<[address: string, dialect: ScannerDialect | undefined, base: string | undefined]>([
  ['https://us2.api.insight.rapid7.com', 'v4', 'https://us2.api.insight.rapid7.com/vm/v4'],
  ['https://us2.api.insight.rapid7.com/vm/v4/', 'v4', 'https://us2.api.insight.rapid7.com/vm/v4'],
  ['https://eu.api.insight.rapid7.com/export/graphql', 'bulk', 'https://eu.api.insight.rapid7.com/export/graphql'],
  ['https://scanner.example:3780', 'v3', 'https://scanner.example:3780/api/3'],
  ['https://scanner.example/api/3', 'v3', 'https://scanner.example/api/3'],
  ['https://proxy.example/scanner', undefined, undefined],
  ['https://x.api.insight.rapid7.com.evil.example', undefined, undefined],
])('the dialect of %s', ([address, dialect, base]) => {
  expect(detectDialect(address)).toBe(dialect)
  if (dialect !== undefined) expect(buildBaseUrl({ apiUrl: address }, dialect)).toBe(base)
})

test.for<[html: string, text: string]>([
  ['<p><b>Running</b> version &lt; 2</p>', 'Running version < 2'], ['<script>alert(1)</script>x', 'x'], ['<!-- a --><a href="javascript:x">Update</a>', 'Update'],
  ['a &#60;b&#x3e; &amp;lt; &nope;', 'a <b> &lt; &nope;'], ['a < b', 'a < b'], ['&#0;&#xd800;x', 'x'],
])('text of %s', ([html, text]) => {
  expect(stripHtml(html)).toBe(text)
})

test.for([undefined, null, 7, 'x', [], {}, { run: { dialect: 'x', startedAt: 1 } }, { lastFullAt: 'x' }])('a state of %s is a beginning', (value) => {
  expect(parseScannerState(value)).toEqual({})
})
