/**
 * Measures the console in a real browser against a real server, and writes `bench/results/console.md`:
 *
 *     npm run trial:console -- [--alerts 10000] [--live-minutes 30] [--listed-alerts 1000000] [--events 1000000] [--fresh-minutes 5]
 *
 * First the pages with `--alerts` alerts: largest paint, delay of keys, shifts of layout, frames of a scroll, memory. Then what the
 * page holds while ten alerts a second arrive for `--live-minutes`, the list with `--listed-alerts` over 30 days, for
 * `--fresh-minutes` how old what the dashboard and the list of connectors show is, and searches over `--events`. 0 leaves a part out:
 * its section stays as it is.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { buildSite, logIn, openConsole, openPage } from '../open-console.ts'
import type { Console } from '../open-console.ts'
import { measureFreshness } from './measure-freshness.ts'
import { measureMemory } from './measure-memory.ts'
import { describeMachine, getPercentile, printTable, writeSection } from './write-section.ts'
import type { Row } from './write-section.ts'

const { values } = parseArgs({
  options: {
    'alerts': { type: 'string', default: '10000' },
    'listed-alerts': { type: 'string', default: '1000000' },
    'events': { type: 'string', default: '1000000' },
    'fresh-minutes': { type: 'string', default: '5' },
    'live-minutes': { type: 'string', default: '30' },
  },
})
const counts = {
  alerts: Number(values.alerts), listed: Number(values['listed-alerts']), events: Number(values.events), minutes: Number(values['fresh-minutes']),
  live: Number(values['live-minutes']),
}
const site = buildSite()
const spanMs = 30 * 86_400_000

/** Rows of the document: what is measured, what it was, and the bound. */
const rows: Row[] = []
const note = (name: string | number, value: string | number, bound: string | number): void => {
  rows.push([name, value, bound])
  process.stdout.write(`${name}: ${value} (${bound})\n`)
}

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000005
status: stable
level: medium
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = {
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'wks-000.example.com',
  User: 'a.meier',
}

const sizesText = [
  'What a browser loads before a page shows, in kB compressed with gzip (level 9): the entry, the chunk of the page, all that both',
  "import, and the page's texts in English. The limits are 150 kB of script and 15 kB of style for each page;",
  '`packages/console/test/budget.test.ts` reads the same figures from the manifest of the build and refuses more.',
].join(' ')

writeSection('Sizes', printSizes())
await measurePart('Times of pages', counts.alerts, async () => await inServer(counts.alerts, measurePages))
await measurePart('Memory of a page that is open', counts.live, async () => noteAll(await measureMemory(counts.live * 60_000)))
await measurePart('Times of lists', counts.listed, async () => await inServer(counts.listed, measureLists))
await measurePart('How old figures are', counts.minutes, async () => await inServer(0, measureAges))
await measurePart('Times of searches', counts.events, async () => await inServer(0, measureSearches))

/** Measures a part at its size, and writes its section; a part without a size keeps what it has. */
async function measurePart(title: string, size: number, measure: () => Promise<void>): Promise<void> {
  if (size === 0) return
  rows.length = 0
  await measure()
  writeSection(title, `Measured ${describeMachine('trial:console')}.\n\n${printTable(['what', 'measured', 'bound'], rows)}`)
}

async function measureAges(world: Console): Promise<void> {
  noteAll(await measureFreshness(world, counts.minutes * 60_000))
}

function noteAll(measured: readonly Row[]): void {
  for (const [name = '', value = '', bound = ''] of measured) note(name, value, bound)
}

/** Starts a server whose first tenant has alerts of the last 30 days. */
async function inServer(alertCount: number, measure: (world: Console) => Promise<void>): Promise<void> {
  const world = await openConsole({ rule })
  try {
    if (alertCount > 0) {
      await world.ingest([event], 1)
      fill(join(world.dataDir, 'state.db'), alertCount)
    }
    await measure(world)
  } finally {
    await world.close()
  }
}

/** Copies the row of the one alert over 30 days, four severities, fifty rules and a hundred hosts, while the server runs. */
function fill(stateFile: string, alertCount: number): void {
  const database = new DatabaseSync(stateFile, { timeout: 30_000 })
  const columns = database.prepare("select name from pragma_table_info('alerts')").all().map(({ name }) => String(name))
  const at = `created_at - n * ${Math.floor(spanMs / alertCount)}`
  const changed = new Map([
    ['id', "printf('alert-%08d', n)"], ['created_at', at], ['updated_at', at], ['last_seen_at', at], ['dedup_key', "printf('%d', n)"],
    ['level', '2 + n % 4'], ['host', "printf('wks-%03d.example.com', n % 100)"], ['rule_id', "printf('rule-%02d', n % 50)"],
    ['rule_title', "printf('Suspicious program %02d', n % 50)"],
  ])
  const copied = columns.map((name) => changed.get(name) ?? name)
  database.exec(`begin immediate;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${alertCount - 1})
    insert into alerts (${columns.join(', ')}) select ${copied.join(', ')} from numbers, (select * from alerts limit 1)`)
  const counted = database.prepare("select name from pragma_table_info('alert_counts')").all().map(({ name }) => String(name))
  const sums = counted.map((name) => (name === 'count' ? 'count(*)' : name === 'row_checksum' ? 'null' : name))
  database.exec(`delete from alert_counts;
    insert into alert_counts (${counted.join(', ')}) select ${sums.join(', ')} from alerts group by tenant_id, status, level;
    commit`)
  database.close()
}

async function measurePages(world: Console): Promise<void> {
  const { page, context } = await openPage(world)
  await page.addInitScript(watchPage)
  await logIn(world, page, '/alerts?from=-30d')
  await page.getByRole('row').nth(1).waitFor()
  const paints: number[] = []
  for (let round = 0; round < 5; round++) {
    await page.reload()
    await page.getByRole('row').nth(1).waitFor()
    await page.waitForFunction(() => Reflect.get(window, 'measured').paint > 0)
    paints.push(await page.evaluate(() => Reflect.get(window, 'measured').paint))
  }
  note('Alerts, largest paint, median of 5 warm reloads', `${getPercentile(paints, 0.5).toFixed(0)} ms`, '1,000 ms')
  for (let press = 0; press < 50; press++) {
    await page.keyboard.press(['j', 'Enter', 'j', 'k', 'Escape'][press % 5] ?? 'j')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  }
  const { delays, shift } = await page.evaluate<Measured>(() => Reflect.get(window, 'measured'))
  note('Alerts, delay of 50 keys, p98', delays.length === 0 ? 'below 16 ms' : `${getPercentile(delays, 0.98).toFixed(0)} ms`, '200 ms')
  note('Alerts, shifts of layout', shift.toFixed(4), '0.02')
  await measureScroll(page)
  await context.close()
}

type Measured = { readonly delays: readonly number[]; readonly shift: number }

/** Runs in the page before its scripts: collects paints, delays of input and shifts. */
function watchPage(): void {
  const measured = { paint: 0, delays: [] as number[], shift: 0 }
  Reflect.set(window, 'measured', measured)
  const observe = (type: string, take: (entry: PerformanceEntry) => void, options = {}): void => {
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => take(entry))).observe({ type, buffered: true, ...options })
  }
  observe('largest-contentful-paint', ({ startTime }) => (measured.paint = startTime))
  observe('event', ({ name, duration }) => name === 'keydown' && measured.delays.push(duration), { durationThreshold: 16 })
  observe('layout-shift', (entry) => {
    if (Reflect.get(entry, 'hadRecentInput') !== true) measured.shift += Number(Reflect.get(entry, 'value'))
  })
}

/** Scrolls until all rows are loaded, then 120 px a frame, and reads the time of the main thread from the counters of the browser. */
async function measureScroll(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    const names = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
    return metrics.filter(({ name }) => names.includes(name)).reduce((sum, { value }) => sum + value * 1_000, 0)
  }
  const scrollBy = async (pixels: number): Promise<void> => await page.evaluate(async (distance) => {
    const scroller = [...document.querySelectorAll('[role=grid] *')].find((element) => element.scrollHeight > element.clientHeight + 1_000)
    scroller?.scrollBy(0, distance)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }, pixels)
  for (let step = 0; step < 200; step++) await scrollBy(2_000)
  await page.waitForLoadState('networkidle')
  await scrollBy(-1_000_000)
  const frames: number[] = []
  for (let frame = 0; frame < 120; frame++) {
    const before = await busy()
    await scrollBy(120)
    frames.push((await busy()) - before)
  }
  note('Alerts, script, style and layout of a frame while scrolling, median of 120', `${getPercentile(frames, 0.5).toFixed(1)} ms`, '8 ms')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  note('Alerts, memory after all rows were scrolled to', `${(usedSize / 1_000_000).toFixed(0)} MB`, '80 MB')
  note('Alerts, rows in the page', String(await page.getByRole('row').count()), '80')
}

async function measureLists({ call }: Console): Promise<void> {
  const from = new Date(Date.now() - spanMs).toISOString()
  const label = `with ${counts.listed.toLocaleString('en')} alerts over 30 days, p95 of 40`
  for (const [name, path] of [
    ['Alerts, first page', `alerts?from=${from}&limit=100`],
    ['Alerts, first page of open critical ones', `alerts?from=${from}&limit=100&status=open&severity=critical`],
    ['Alerts, first page by severity', `alerts?from=${from}&limit=100&sort=severity:desc`],
    ['Alerts, histogram', `alerts/summary?from=${from}&buckets=72&by=severity`],
    ['Overview', `overview?from=${from}`],
  ] as const) {
    note(`${name} ${label}`, `${(await time(() => call(`/v1/${path}`), 40)).toFixed(0)} ms`, '2,000 ms')
  }
}

type Pipeline = { readonly books: { readonly stored: number } }

async function measureSearches({ call, origin }: Console): Promise<void> {
  const bodyRows = 5_000
  // A session would end before millions of events are sent.
  const connector = { name: 'Many', type: 'http_ndjson', config: { log_source: { product: 'windows' } } }
  const { ingest } = await call<{ readonly ingest: { readonly token: string } }>('/v1/connectors', { method: 'POST', body: connector })
  const headers = { 'authorization': `Bearer ${ingest.token}`, 'content-type': 'application/x-ndjson' }
  const startedAt = performance.now()
  for (let sent = 0; sent < counts.events; sent += bodyRows) {
    const body = Array.from({ length: bodyRows }, (_, index) => JSON.stringify(createEvent(sent + index))).join('\n')
    for (;;) {
      const answer = await fetch(`${origin}/ingest/v1/events`, { method: 'POST', headers, body })
      if (answer.ok) break
      // A full queue is refused, and sent again.
      if (answer.status !== 429 && answer.status !== 503) throw new Error(`events were answered ${answer.status}: ${await answer.text()}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  // What is searched are all of them, and not what has been stored so far.
  while ((await call<Pipeline>('/v1/pipeline/metrics')).books.stored < counts.events) await new Promise((resolve) => setTimeout(resolve, 1_000))
  const perSecond = Math.round((counts.events / (performance.now() - startedAt)) * 1_000)
  process.stdout.write(`${counts.events} events sent, evaluated and stored, ${perSecond} a second\n`)
  const from = new Date(Date.now() - 7 * 86_400_000).toISOString()
  for (const query of ['', 'host:wks-042.example.com', 'powershell', 'user:u17 AND Image:*cmd.exe']) {
    const name = `Timeline, '${query}' in ${counts.events.toLocaleString('en')} events, first, and p95 of 20 more`
    // As the page asks: a page with a histogram.
    const asked = new URLSearchParams({ ...(query !== '' && { q: query }), from, limit: '100', buckets: '100' })
    const search = () => call(`/v1/search?${asked.toString()}`)
    // What earlier searches found is kept, so the first tells what a new question takes.
    const firstMs = await time(search, 1)
    note(name, `${firstMs.toFixed(0)} ms, ${(await time(search, 20)).toFixed(0)} ms`, '3,000 ms')
  }
}

function createEvent(number: number): object {
  return {
    _logsource: { category: 'process_creation', product: 'windows' }, Computer: `wks-${String(number % 100).padStart(3, '0')}.example.com`,
    User: `EXAMPLE\\u${number % 37}`, Image: `C:\\Windows\\System32\\${['cmd', 'powershell', 'svchost', 'explorer'][number % 4]}.exe`,
    CommandLine: `run ${number}`, timestamp: new Date(Date.now() - (number % 86_400) * 1_000).toISOString(),
  }
}

/** The 95th percentile of the milliseconds of some runs. */
async function time(run: () => Promise<unknown>, runs: number): Promise<number> {
  const durations: number[] = []
  for (let index = 0; index < runs; index++) {
    const startedAt = performance.now()
    await run()
    durations.push(performance.now() - startedAt)
  }
  return getPercentile(durations, 0.95)
}

type Chunk = { readonly file: string; readonly imports?: readonly string[]; readonly css?: readonly string[] }

/** What each page loads before it shows, in kB of gzip: script and style. */
function listSizes(): readonly Row[] {
  const manifest = JSON.parse(readFileSync(join(site, 'manifest.json'), 'utf8')) as { readonly [source: string]: Chunk }
  const listChunks = (source: string, found = new Set<string>()): ReadonlySet<string> => {
    if (!found.has(source)) {
      found.add(source)
      for (const imported of manifest[source]?.imports ?? []) listChunks(imported, found)
    }
    return found
  }
  const measure = (files: Iterable<string>): number =>
    [...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(join(site, file)), { level: 9 }).length, 0)
  const pages = Object.keys(manifest).filter((source) => /^src\/pages\/.+-page\.tsx$/.test(source))
  const sized = pages.map((source) => {
    const texts = `src/i18n/en/${source.split('/')[2] ?? ''}.ts`
    const chunks = [...listChunks('index.html'), ...listChunks(source), ...listChunks(texts)].flatMap((name) => manifest[name] ?? [])
    const sizes = [chunks.map(({ file }) => file), chunks.flatMap(({ css = [] }) => css)].map((files) => measure(files) / 1_000)
    return [source.slice('src/pages/'.length, -'.tsx'.length), ...sizes.map((size) => size.toFixed(1))] as Row
  })
  return sized.toSorted((one, other) => Number(other[1]) - Number(one[1]))
}

function printSizes(): string {
  const lazy = globSync('files/*.js', { cwd: site })
    .map((file): Row => {
      const { length } = gzipSync(readFileSync(join(site, file)), { level: 9 })
      return [file.replace(/^files\/|-[\w-]{8}\.js$/g, ''), (length / 1_000).toFixed(1)]
    })
    .filter(([, size]) => Number(size) >= 10)
    .toSorted((one, other) => Number(other[1]) - Number(one[1]))
  return `${sizesText}

${printTable(['page', 'script', 'style'], listSizes())}

Chunks of 10 kB and more, of which a page loads those that it needs:

${printTable(['chunk', 'script'], lazy)}`
}
