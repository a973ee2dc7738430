import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { serveScanner } from './serve-scanner.ts'
import type { Scanned } from './serve-scanner.ts'

const dayMs = 86_400_000

/** Two machines as a scanner finds them: one with what can be exploited and is overdue, one with what has time. */
function createScanned(): Scanned {
  const scannedAt = Date.now() - dayMs
  return {
    machines: [
      { id: '1', hostname: 'srv-1.example.com', riskScore: 12_000, scannedAt, open: { 'open-door': 20, 'old-tls': 2 } },
      { id: '2', hostname: 'srv-2.example.com', riskScore: 400, scannedAt, open: { 'old-tls': 2 } },
    ],
    vulnerabilities: { 'open-door': { severity: 'critical', exploitCount: 3 }, 'old-tls': { severity: 'high', exploitCount: 0 } },
  }
}

type Findings = { readonly findings: readonly { readonly vulnerability_id: string; readonly status: string }[] }

describe.skipIf(lacksBrowser)('the page Assets in a browser, with what a scanner found', () => {
  const scanned = createScanned()
  let world: Console
  let watched: WatchedPage
  let scanner: Server

  const findings = async (): Promise<readonly string[]> =>
    (await world.call<Findings>('/v1/findings')).findings.map(({ vulnerability_id: id, status }) => `${id} ${status}`).toSorted()
  const panel = (name: string) => watched.page.getByRole('complementary', { name })
  const section = (name: string) => watched.page.getByRole('region', { name, exact: true })

  beforeAll(async () => {
    const far = await serveScanner(scanned)
    scanner = far.server
    world = await openConsole({}, ['--egress-allow-cidrs', '127.0.0.0/8', '--egress-allow-insecure'])
    const config = { api_url: far.url, api_key: 'key', dialect: 'v4' }
    await world.call('/v1/connectors', { method: 'POST', body: { name: 'Scanner', type: 'vulnerability_scanner', config } })
    while ((await findings()).length < 3) await new Promise((resolve) => setTimeout(resolve, 100))
    watched = await openPage(world)
    await logIn(world, watched.page, '/assets')
  })
  afterAll(async () => {
    await world?.close()
    scanner?.close()
  })

  test('the list tells risk, findings, what is overdue, blind spots and the age of the scan', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /Critical 12,000 srv-1\.example\.com .*2 \/ 1.* No events Overdue 1d/ }).waitFor()
    const names = await page.getByRole('row').allTextContents()
    expect(names.findIndex((text) => text.includes('srv-1'))).toBeLessThan(names.findIndex((text) => text.includes('srv-2')))
    await page.getByRole('button', { name: 'Overdue', exact: true }).click()
    await page.getByRole('row', { name: /srv-2/ }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('overdue')).toBe('true')
    await page.getByLabel('Filter by type').selectOption('Workstation')
    await page.getByText('No asset matches these filters.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove all filters' }).click()
    await page.getByRole('row', { name: /srv-2/ }).waitFor()
  })

  test('an asset shows its findings with exploits, dates and proof, the worst first, and its risk', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /srv-1/ }).click()
    const shown = panel('srv-1.example.com')
    const list = shown.getByRole('listitem').filter({ hasText: /Title of|open-door|old-tls/ })
    await expect.poll(() => list.first().textContent()).toMatch(/Critical.*3 exploits.*overdue since \d{4}-/)
    await expect.poll(() => list.nth(1).textContent()).toMatch(/High.*due \d{4}-/)
    await list.first().locator('summary').click()
    await list.first().getByText('443/tcp').waitFor()
    await shown.getByText(/^12,000 since \d{4}-/).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('the view of exposure lists the worst, what is exploitable and overdue, and blind spots; each opens its asset', async () => {
    const { page } = watched
    await page.getByRole('navigation', { name: 'Views of assets' }).getByRole('button', { name: 'Exposure' }).click()
    await section('Worst by risk').getByRole('button', { name: /Critical srv-1.*1 exploitable.*12,000/ }).waitFor()
    await section('Exploitable and overdue').getByRole('button', { name: /Critical .*srv-1/ }).waitFor()
    expect(await section('Exploitable and overdue').getByRole('button').count()).toBe(1)
    await section('Blind spots').getByRole('button', { name: /srv-2.*No events/ }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await section('Blind spots').getByRole('button', { name: /srv-2/ }).click()
    await panel('srv-2.example.com').getByRole('heading', { name: 'Findings' }).waitFor()
    await page.reload()
    await panel('srv-2.example.com').waitFor()
    await page.keyboard.press('Escape')
    await panel('srv-2.example.com').waitFor({ state: 'detached' })
  })

  test('all findings are listed, and one opens its asset by keys', async () => {
    const { page } = watched
    await section('Exploitable and overdue').getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('row', { name: /Critical .*srv-1\.example\.com 3 overdue since/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: 'Exploitable', exact: true }).click()
    await page.getByRole('button', { name: 'Overdue', exact: true }).click()
    await page.getByText('3 findings').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await panel('srv-1.example.com').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a score that changes is drawn over time', async () => {
    const { page } = watched
    await world.call('/v1/assets/import', { method: 'POST', body: [{ hostname: 'srv-1.example.com', risk_score: 900 }] })
    await page.goto(`${world.origin}/assets?q=srv-1`)
    await page.getByRole('row', { name: /Low 900 srv-1/ }).click()
    await panel('srv-1.example.com').getByRole('img', { name: /Risk score: 900 at the end, 12,000 at most/ }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a customer sees first where they are exposed', async () => {
    const credentials = await addUser(world, { email: 'customer@example.org', roles: ['viewer'], interface: 'portal' })
    const { page, context, problems } = await openPage(world)
    await logIn({ ...world, credentials }, page, '/')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assets' }).click()
    await page.getByRole('region', { name: 'Worst by risk' }).getByRole('button', { name: /srv-1|srv-2/ }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    expect(problems).toEqual([])
    await context.close()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
