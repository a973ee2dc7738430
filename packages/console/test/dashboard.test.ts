import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { printProgramRule } from './program-rule.ts'

const ruleId = '00000000-0000-4000-8000-000000000071'
const rule = printProgramRule(ruleId, 1, 'tool')
const hosts = ['wks-1', 'wks-2', 'wks-3', 'wks-4']
const createEvent = (host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: `${host}.example.com`,
})

describe.skipIf(lacksBrowser)('the Dashboard in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest(hosts.map(createEvent), hosts.length)
    type Alerts = { readonly alerts: readonly { readonly id: string }[] }
    const { alerts } = await world.call<Alerts>('/v1/alerts')
    for (const [index, { id }] of alerts.entries()) {
      const verdict = index === 0 ? 'true_positive' : 'false_positive'
      await world.call(`/v1/alerts/${id}`, { method: 'PUT', body: { verdict } })
    }
    await world.call(`/v1/detection/rules/${ruleId}`, { method: 'PUT', body: { enabled: false } })
    watched = await openPage(world)
    await logIn(world, watched.page, '/?from=-7d')
  })
  afterAll(async () => await world?.close())

  const main = () => watched.page.getByRole('main')
  const chart = () => main().getByRole('region', { name: 'Alerts, events and changes' }).getByRole('img', { name: /Arrow keys/ })

  test('rules that alert most have their share of false positives, and the way to tune them', async () => {
    const rules = main().getByRole('region', { name: 'Rules that alert most' })
    await rules.getByText('75 % false').waitFor()
    await rules.getByRole('link', { name: /^Tune / }).click()
    await watched.page.locator('button[aria-current=page]', { hasText: 'Exceptions' }).waitFor()
    expect(watched.page.url()).toContain(`/rules/${ruleId}`)
    await watched.page.goBack()
    await rules.waitFor()
  })

  test('one cursor over alerts, events and changes reads what happened at a time', async () => {
    await chart().focus()
    await watched.page.keyboard.press('ArrowLeft')
    await main().getByText(/4 alerts \(4 Low\)/).waitFor()
    await main().getByText(/Rule: Program 1 \(admin@/i).waitFor()
    expect(await main().locator('[class*=time-strips_cursor]').count()).toBe(1)
    expect(await findViolationsOfThemes(watched.page)).toEqual([])
    const strip = main().getByRole('img', { name: /changes? in this range/ })
    await chart().blur()
    await main().getByText(/^Point at a time/).waitFor()
    await strip.hover({ position: { x: 4, y: 8 } })
    await main().getByText(/0 alerts/).waitFor()
    expect(await main().locator('[class*=histogram_cursor]').count()).toBe(1)
  })

  test('the address states the range: what is counted leads to its alerts, and a marked span too', async () => {
    const { page } = watched
    expect(await main().getByRole('link', { name: /^Low\s*4$/ }).getAttribute('href')).toContain('from=-7d')
    const { x, y, width } = (await chart().boundingBox())!
    await page.mouse.move(x + width / 2, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + width - 2, y + 20, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/\/alerts\?from=/)
    await page.getByRole('row', { name: /wks-1/ }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Last 7 days' }).click()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('-30d')
  })

  test('sources that went silent are named, with when they sent last', async () => {
    const { page } = watched
    await page.route('**/v1/connectors', async (route) => {
      const health = { last_check: null, message: '', consecutive_failures: 0 }
      const stats = { last_event_at: new Date(Date.now() - 3 * 3_600_000).toISOString() }
      await route.fulfill({ json: { connectors: [{ id: 'c-1', name: 'Firewall', status: 'unhealthy', enabled: true, health, stats }] } })
    })
    await page.goto(`${world.origin}/`)
    const silent = main().getByRole('region', { name: 'Sources that went silent' })
    await silent.getByText('3h').waitFor()
    expect(await silent.getByRole('link', { name: 'Firewall' }).getAttribute('href')).toBe('/connectors?connector=c-1')
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
