import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const hostile = '<img src=x onerror=alert(1)>'
const rule = `title: Program ${hostile}
id: 00000000-0000-4000-8000-000000000009
status: stable
level: high
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = { _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'wks-1.example.com' }

type Reports = { readonly reports: readonly { readonly id: string; readonly title: string; readonly sha256: string | null }[] }

describe.skipIf(lacksBrowser)('the page Reports in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest([event], 1)
    watched = await openPage(world)
    await logIn(world, watched.page, '/reports')
  })
  afterAll(async () => await world?.close())

  const panel = (name: string) => watched.page.getByRole('complementary', { name })
  const download = async (button: string): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
    const [saved] = await Promise.all([watched.page.waitForEvent('download'), watched.page.getByRole('button', { name: button, exact: true }).click()])
    return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) }
  }

  test('a report is made by keys alone, and its preview appears when it is ready', async () => {
    const { page } = watched
    await page.getByText('No report was made yet.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New report' }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    const isOn = (name: string): Promise<boolean> => page.getByRole('button', { name }).evaluate((button) => button === document.activeElement)
    for (let tabs = 0; tabs < 20 && !(await isOn('Make the report')); tabs++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panel('Executive report').getByText('Alerts by severity').waitFor()
    // The list is read by itself.
    await page.getByRole('row', { name: /Executive report Ready/ }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('its file has the hash that the page shows, and comes in other formats too', async () => {
    const { reports: [report] } = await world.call<Reports>('/v1/reports')
    await panel('Executive report').getByText(report!.sha256!).waitFor()
    const { name, bytes } = await download('Download PDF')
    expect(name).toMatch(/^executive-\d{4}-\d\d-\d\d\.pdf$/)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(report!.sha256)
    const csv = await download('CSV')
    expect([csv.name.endsWith('.csv'), csv.bytes.toString().includes(`Program ${hostile}`)]).toEqual([true, true])
    expect(await watched.page.locator('#root img').count()).toBe(0)
  })

  test('what cannot be made is refused beside the form, with the reason', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'New report' }).click()
    await page.getByLabel('Kind').selectOption('compliance')
    await page.getByLabel('Framework').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Make the report' }).click()
    await page.getByRole('dialog').getByRole('alert').getByText(/collect evidence first/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await world.call<Reports>('/v1/reports')).reports).toHaveLength(1)
  })

  test('a last day in the past ends the range after it', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'New report' }).click()
    await page.getByLabel('Kind').selectOption('soc_weekly')
    await page.getByLabel('First day').fill('2026-01-05')
    await page.getByLabel('Last day').fill('2026-01-11')
    await page.getByRole('button', { name: 'Make the report' }).click()
    await panel('Weekly SOC report').getByText('2026-01-05 – 2026-01-11').waitFor()
    await panel('Weekly SOC report').getByRole('heading', { name: 'Preview' }).waitFor()
    expect((await world.call<Reports>('/v1/reports')).reports[0]).toMatchObject({ from: '2026-01-05T00:00:00.000Z', to: '2026-01-12T00:00:00.000Z' })
  })

  test('the address of a report shows it as a page with its hash and files, and an unknown one says that nothing is there', async () => {
    const { page } = watched
    const { reports } = await world.call<Reports>('/v1/reports')
    const report = reports.find(({ title }) => title === 'Executive report')!
    await page.goto(`${world.origin}/reports?report=${report.id}`)
    await panel('Executive report').waitFor()
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Executive report' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/reports/${report.id}`)
    await page.reload()
    await page.getByText('Alerts by severity').waitFor()
    await page.getByText(report.sha256!).waitFor()
    expect((await download('Download PDF')).bytes.length).toBeGreaterThan(1_000)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Download PDF' }).isVisible()).toBe(false)
    expect(await page.getByText('Alerts by severity').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: 'All reports' }).click()
    await page.getByRole('row', { name: /Executive report/ }).waitFor()
    await page.goto(`${world.origin}/reports/unknown`)
    await page.getByText('Nothing exists at this address.').waitFor()
    expect(await page.getByText('Download').count()).toBe(0)
  })

  test('a control leads to its evidence: what was counted, when, and the page that shows it', async () => {
    const { page } = watched
    type Controls = { readonly controls: readonly { readonly id: string; readonly evidence_count: number }[] }
    await page.goto(`${world.origin}/compliance/iso27001`)
    await page.getByRole('button', { name: 'Collect evidence now' }).click()
    await page.getByText('The evidence is collected.').waitFor()
    const { controls } = await world.call<Controls>('/v1/compliance/iso27001/controls')
    const withEvidence = controls.filter(({ evidence_count: count }) => count > 0)
    expect(withEvidence.length).toBeGreaterThan(3)
    await page.goto(`${world.origin}/compliance/iso27001?control=A.8.15`)
    const shown = page.getByRole('complementary')
    await shown.getByText(/^[0-9a-f]{12}$/).first().waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await shown.getByRole('link', { name: 'Assets and the events they sent' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Assets and exposure' }).waitFor()
    expect(new URL(page.url()).search).toBe('?stale=no_logs')
    await page.goBack()
    await shown.getByRole('link', { name: 'Assets and the events they sent' }).first().waitFor()
  })

  test('a customer makes and reads reports in the portal', async () => {
    const credentials = await addUser(world, { email: 'customer@example.org', roles: ['viewer'], interface: 'portal' })
    const { page, context, problems } = await openPage(world)
    await logIn({ ...world, credentials }, page, '/')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('row', { name: /Executive report/ }).waitFor()
    await page.getByRole('button', { name: 'New report' }).click()
    await page.getByLabel('Kind').selectOption('assets')
    await page.getByLabel('Language').selectOption('ko')
    await page.getByRole('button', { name: 'Make the report' }).click()
    await page.getByText('Requested by').last().waitFor()
    await page.getByRole('complementary').getByRole('heading', { name: 'Preview' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/portal/reports')
    expect(problems).toEqual([])
    await context.close()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
