import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { printProgramRule } from './program-rule.ts'

const idOf = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`
const ruleOf = (number: number, ending: string): string => printProgramRule(idOf(number), number, ending)
const hosts = ['ws-1', 'ws-2', 'ws-3']
const events = hosts.map((host, index) => ({
  '@timestamp': new Date(Date.now() - 60_000 * (1 + index)).toISOString(),
  '_logsource': { category: 'process_creation', product: 'windows' },
  'Image': 'C:\\tool.exe',
  'Computer': host,
  'CommandLine': 'one\n"two", three',
}))

describe.skipIf(lacksBrowser)('what lists and the server do in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ one: ruleOf(1, 'tool'), two: ruleOf(2, 'tool'), three: ruleOf(3, 'other') })
    await world.ingest(events, 2 * hosts.length)
    watched = await openPage(world)
    await logIn(world, watched.page, '/alerts')
  })
  afterAll(async () => await world?.close())

  /** Exports the list of the open page, and returns the file. */
  const exportAs = async (item: 'Export as CSV' | 'Export as JSON'): Promise<{ readonly name: string; readonly text: string }> => {
    const { page } = watched
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()])
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  }

  test.for<[path: string, name: string, count: number, column: string]>([
    ['/alerts?host=ws-2', 'alerts', 2, 'title'],
    ['/incidents?severity=critical', 'incidents', 0, 'title'],
    ['/rules?q=Program%203', 'detection-rules', 1, 'title'],
    ['/assets', 'assets', hosts.length, 'hostname'],
    ['/search?q=Computer:ws-3', 'events', 1, 'host'],
  ])('%s is exported as it is shown', async ([path, name, count, column]) => {
    const { page } = watched
    await page.goto(world.origin + path)
    const csv = await exportAs('Export as CSV')
    expect(csv.name).toMatch(new RegExp(`^${name}-\\d{8}\\.csv$`))
    // Line feeds within a cell stand alone.
    const [header = '', ...rows] = csv.text.trimEnd().split('\r\n')
    expect([header.split(',').includes(column), rows.length]).toEqual([true, count])
    await page.getByText(`Exported ${count} row${count === 1 ? '' : 's'} as ${csv.name}.`).waitFor()
    const json = JSON.parse((await exportAs('Export as JSON')).text) as readonly { readonly [name: string]: string }[]
    expect(json.length).toBe(count)
    for (const [index, row] of json.entries()) expect(rows[index]).toContain(row[column])
  })

  test('an export that breaks off saves nothing, and one can be stopped by keyboard', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await page.route('**/v1/exports/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    await page.getByText(/The export ended after 0 rows, and nothing was saved/).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    // An answer that does not come.
    await page.route('**/v1/exports/**', () => undefined)
    await page.getByRole('button', { name: 'Export', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Export as CSV' }).waitFor()
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('progressbar', { name: 'Export' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Stop the export' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Stopped after 0 rows; nothing was saved.').waitFor()
    // Its handler never ends.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  })

  test('rules that are off are tried in one backtest, and then switched on', async () => {
    const { page } = watched
    const ids = [idOf(1), idOf(3)]
    await world.call('/v1/detection/rules/bulk', { method: 'POST', body: { ids, set: { enabled: false } } })
    const polls: string[] = []
    page.on('request', (request) => {
      if (/\/v1\/detection\/backtests\/./.test(request.url())) polls.push(request.url())
    })
    await page.goto(`${world.origin}/rules?enabled=false`)
    await page.getByRole('row', { name: /Program 3/ }).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar').getByRole('button', { name: 'Switch on', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Switch on after a backtest' })
    await dialog.getByText('3 matches in the last 7 days. Rules without a match: 1.').waitFor()
    await dialog.getByText('Program 1').waitFor()
    const hosts = dialog.getByRole('region', { name: 'Hosts with most of them' })
    expect((await hosts.getByRole('listitem').allTextContents()).toSorted()).toEqual(['ws-11Except it', 'ws-21Except it', 'ws-31Except it'])
    expect(await findViolations(page)).toEqual([])
    await hosts.getByRole('button', { name: 'Except it: ws-1' }).press('Enter')
    await dialog.getByText('2 matches in the last 7 days. Rules without a match: 1.').waitFor()
    await dialog.getByText(/^Tried without ws-1\. No exception is saved.*Without exceptions there were 3 matches\.$/).waitFor()
    expect(await findViolations(page)).toEqual([])
    // A message tells of the end; without one the page would look every second.
    expect(polls.length).toBeLessThanOrEqual(6)
    await dialog.getByRole('button', { name: 'Switch on 2 rules' }).click()
    await page.getByText(/2 rules/).first().waitFor()
    await expect.poll(async () => {
      const { rules } = await world.call<{ readonly rules: readonly object[] }>('/v1/detection/rules?enabled=false')
      return rules.length
    }).toBe(0)
  })

  test('the self-test shows how each stage went, and leaves no alert', async () => {
    const { page } = watched
    const count = async (): Promise<number> =>
      (await world.call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?limit=1')).pagination.total
    const before = await count()
    await page.goto(`${world.origin}/health`)
    await page.getByRole('region', { name: 'Process and disk' }).getByText('Version').waitFor()
    await page.getByRole('button', { name: 'Run the self-test' }).click()
    const box = page.getByRole('region', { name: 'Self-test' })
    await box.getByText(/^Passed at /).waitFor()
    expect(await box.getByRole('row', { name: /Passed/ }).count()).toBe(4)
    expect(await findViolations(page)).toEqual([])
    expect(await count()).toBe(before)
  })

  test('nothing was refused by the policy, and nothing failed on the way', () => {
    expect(watched.problems).toEqual([])
  })
})
