import type { PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { pressSequence } from './press-keys.ts'
import { printProgramRule } from './program-rule.ts'

const ruleOf = (number: number, ending: string): string =>
  printProgramRule(`00000000-0000-4000-8000-00000000007${number}`, number, ending)
const createEvent = (host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\tool.exe', Computer: host,
})

describe.skipIf(lacksBrowser)('figures of rules, sources and searches in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ one: ruleOf(1, 'tool'), two: ruleOf(2, 'other') })
    await world.ingest([createEvent('ws-1'), createEvent('ws-2'), createEvent('ws-3')], 3)
    watched = await openPage(world)
    await logIn(world, watched.page, '/alerts')
  })
  afterAll(async () => await world?.close())

  const rows = () => watched.page.getByRole('row', { name: /Program/ })
  const listTitles = async (): Promise<readonly string[]> =>
    (await rows().allTextContents()).map((text) => /Program \d/.exec(text)?.[0] ?? '')
  /** Holds answers about rules back, until what it gives is called. */
  const holdRules = async (): Promise<() => Promise<void>> => {
    const held = Promise.withResolvers<void>()
    await watched.page.route('**/v1/detection/rules?**', async (route) => {
      await held.promise
      await route.continue()
    })
    return async () => {
      held.resolve()
      await watched.page.unrouteAll({ behavior: 'wait' })
    }
  }

  test('the list of rules says what each found, how it is and what to do, and is sorted by that', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules`)
    await expect.poll(listTitles).toEqual(['Program 1', 'Program 2'])
    const [first = '', second = ''] = await rows().allTextContents()
    expect(first).toMatch(/3.*Works.*Keep/)
    expect(second).toMatch(/0.*Nothing like it yet.*Silent/)
    await rows().first().getByTitle('3 matches in all').waitFor()
    await rows().nth(1).getByTitle('No event resembled what it looks for.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('columnheader', { name: 'Health' }).getByRole('button').click()
    await expect.poll(listTitles).toEqual(['Program 2', 'Program 1'])
    expect(new URL(page.url()).searchParams.get('sort')).toBe('health:desc')
  })

  test('the pipeline lists its sources, and compares with the period before', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/pipeline`)
    const sources = page.getByRole('region', { name: 'Sources' })
    await sources.getByRole('row', { name: /^With keys, by users.* 3 100 % 0$/ }).waitFor()
    await page.getByRole('figure').filter({ hasText: 'Time to evaluate an event' }).waitFor()
    // A head and a row: what scrolls sideways must not give up its height.
    expect((await sources.boundingBox())?.height).toBeGreaterThan(70)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Compare with the period before' }).click()
    await page.getByRole('figure').filter({ hasText: 'Ingestion rate' }).getByText('events/s before', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('compare')).toBe('previous')
  })

  test('a search says what it read', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/search?q=Computer:ws-3`)
    await expect.poll(() => page.getByText(/^1 event · read \d of 3, [\d.]+ kB · [\d.]+ ms$/).count()).toBe(1)
  })

  test('a list that takes its time shows lines, and then its rows', async () => {
    const { page } = watched
    const answer = await holdRules()
    await page.goto(`${world.origin}/rules`)
    const lines = page.getByRole('status').filter({ hasText: 'Loading' })
    await lines.waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await answer()
    await rows().first().waitFor()
    await lines.waitFor({ state: 'detached' })
  })

  test('rows that stay while the next are late are dimmed after a second, without a flash before, also without motion', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules`)
    await rows().first().waitFor()
    const answer = await holdRules()
    await page.getByRole('search').getByRole('button', { name: 'Low', exact: true }).click()
    const list = page.locator('[aria-busy=true]').filter({ has: page.getByRole('grid') })
    await list.waitFor()
    expect(await list.evaluate((element) => getComputedStyle(element).transition)).toBe('opacity 0s 1s')
    await expect.poll(() => list.evaluate((element) => getComputedStyle(element).opacity)).toBe('0.6')
    await answer()
    await list.waitFor({ state: 'detached' })
  })

  test('a second Escape leaves the editor, and keys are those of the page again', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules/00000000-0000-4000-8000-000000000071`)
    await page.getByRole('textbox', { name: 'Text of the rule' }).click()
    const isInEditor = (): Promise<boolean> => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement instanceof Element)
    await expect.poll(isInEditor).toBe(true)
    await page.keyboard.press('Escape')
    expect(await isInEditor()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await isInEditor()).toBe(false)
    await pressSequence(page, 'g h')
    await page.getByRole('heading', { level: 1, name: 'System health' }).waitFor()
  })

  test('a stage says that its times are too short for the clock, and states none where nothing was measured', async () => {
    const { page } = watched
    await page.route('**/v1/pipeline/metrics', async (route) => {
      const response = await route.fetch()
      const { stages, ...rest } = (await response.json()) as PipelineMetricsBody
      const normalization = { ...stages.normalization, avg_latency_ms: 0, percentiles_ms: { p50: 0, p95: 0, p99: 0.5 } }
      const enrichment = { ...stages.enrichment, avg_enrichment_time_ms: 0, percentiles_ms: { p50: null, p95: null, p99: null } }
      await route.fulfill({ response, json: { ...rest, stages: { ...stages, normalization, enrichment } } })
    })
    await page.goto(`${world.origin}/pipeline`)
    const stage = (name: RegExp) => page.getByRole('button', { name }).count()
    await expect.poll(() => stage(/^Normalisation .*Mean time < 1 µs p50 < 1 µs p95 < 1 µs p99 500 µs/)).toBe(1)
    expect(await stage(/^Enrichment .*Mean time – .*p50 – p95 – p99 –/)).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
