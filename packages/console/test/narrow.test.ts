import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { printProgramRule } from './program-rule.ts'

const rule = printProgramRule('00000000-0000-4000-8000-000000000081', 1, 'tool')
const event = {
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'wks-1.example.com',
}

describe.skipIf(lacksBrowser)('pages on a telephone', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    // Machines that events name are written seconds later.
    await world.call('/v1/assets/import', { method: 'POST', body: [{ hostname: 'wks-1.example.com' }] })
    await world.ingest([event], 1)
    watched = await openPage(world)
    await watched.page.setViewportSize({ width: 360, height: 780 })
    await logIn(world, watched.page)
  })
  afterAll(async () => await world?.close())

  test.for([
    ['/alerts', 'Program 1'], ['/rules', 'Program 1'], ['/assets', 'wks-1'], ['/portal/alerts', 'Program 1'], ['/search', 'tool.exe'],
  ] as const)('%s shows rows as cards under their names, and its title', async ([path, name]) => {
    const { page } = watched
    await page.goto(world.origin + path)
    const cell = page.getByRole('gridcell').filter({ hasText: name }).first()
    await cell.waitFor()
    const [title, others, heading] = await Promise.all([
      cell.boundingBox(), page.getByRole('row').nth(1).getByRole('gridcell').last().boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ])
    expect(title!.width).toBeGreaterThan(150)
    expect(heading!.width).toBeGreaterThan(60)
    // The other columns are below the name, and within the window.
    expect(others!.y).toBeGreaterThanOrEqual(title!.y + title!.height)
    expect(others!.x + others!.width).toBeLessThanOrEqual(360)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await findViolations(page)).toEqual([])
  })

  test('the sections of the settings are folded under the one that is open, and fold again by a choice', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/settings/audit`)
    const sections = page.getByRole('navigation', { name: 'Sections of the settings' })
    const fold = sections.getByRole('button')
    expect(await fold.textContent()).toBe('Section: Audit trail')
    expect(await sections.getByRole('link').count()).toBe(0)
    await fold.press('Enter')
    const retention = sections.getByRole('link', { name: 'Retention' })
    await retention.scrollIntoViewIfNeeded()
    const box = await retention.boundingBox()
    expect(box!.x + box!.width).toBeLessThanOrEqual(360)
    expect(await findViolations(page)).toEqual([])
    await retention.press('Enter')
    await sections.getByRole('button', { name: 'Section: Retention', expanded: false }).waitFor()
    expect(await fold.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await sections.getByRole('link').count()).toBe(0)
  })

  test('cards are rows again where there is room, and the navigation unfolds', async () => {
    const { page } = watched
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${world.origin}/alerts`)
    const cells = page.getByRole('row').nth(1).getByRole('gridcell')
    await cells.first().waitFor()
    const tops = await cells.evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().top + cell.clientHeight / 2)))
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4)
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Alerts', { exact: true }).waitFor()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
