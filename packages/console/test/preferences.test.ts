import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000051
status: stable
level: medium
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = {
  '_logsource': { category: 'process_creation', product: 'windows' }, 'Image': 'C:\\Tools\\tool.exe', 'Computer': 'wks-1.example.com',
  'User': 'EXAMPLE\\a.meier', 'CommandLine': 'tool.exe /run', 'ProcessId': 4711,
}

describe.skipIf(lacksBrowser)('what a person prefers, in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest([event], 1)
    watched = await openPage(world)
    await logIn(world, watched.page, '/alerts')
  })
  afterAll(async () => await world?.close())

  const readHeads = async ({ page } = watched): Promise<readonly string[]> => {
    const heads = await page.getByRole('columnheader').allTextContents()
    return heads.filter((head) => head !== '')
  }
  const readWidth = async (title: string): Promise<number> =>
    (await watched.page.getByRole('columnheader', { name: title }).boundingBox())?.width ?? 0

  test('columns are hidden, moved and widened by keyboard, and are kept', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /wks-1/ }).waitFor()
    expect(await readHeads()).toContain('Tactic')
    await page.getByRole('button', { name: 'Columns' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Columns' })
    await form.getByRole('checkbox', { name: 'Tactic' }).press('Space')
    await form.getByRole('button', { name: 'Move User forward' }).press('Enter')
    expect(await findViolationsOfThemes(page)).toEqual([])
    const before = await readWidth('Host')
    await form.getByRole('button', { name: 'Widen Host' }).press('Enter')
    await expect.poll(() => readWidth('Host')).toBeGreaterThan(before + 10)
    await page.keyboard.press('Escape')
    const chosen = await readHeads()
    expect(chosen).not.toContain('Tactic')
    expect(chosen.indexOf('User')).toBe(chosen.indexOf('Host') - 1)
    await page.reload()
    await page.getByRole('row', { name: /wks-1/ }).waitFor()
    expect(await readHeads()).toEqual(chosen)
  })

  test('the edge of a column is drawn by mouse', async () => {
    const { page } = watched
    // What draws comes with the form.
    await page.getByRole('button', { name: 'Columns' }).waitFor()
    const { x, y, width, height } = (await page.getByRole('columnheader', { name: 'Rule' }).boundingBox())!
    await page.mouse.move(x + width + 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 78, y + height / 2, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => readWidth('Rule')).toBeLessThan(width - 60)
  })

  test('the server keeps them: another browser begins with the same, and one with choices of its own keeps these', async () => {
    const { page } = watched
    await page.keyboard.press('-')
    type Kept = { readonly preferences: { readonly density?: string; readonly columns?: object } }
    await expect.poll(async () => (await world.call<Kept>('/v1/me/preferences')).preferences).toMatchObject({
      density: 'compact', columns: { alerts: { hidden: ['tactic'] } },
    })
    const other = await openPage(world)
    await logIn(world, other.page, '/alerts')
    await other.page.getByRole('row', { name: /wks-1/ }).waitFor()
    await expect.poll(() => readHeads(other)).not.toContain('Tactic')
    expect(await other.page.locator('html').getAttribute('data-density')).toBe('compact')
    await other.page.keyboard.press('=')
    await other.page.reload()
    await other.page.getByRole('row', { name: /wks-1/ }).waitFor()
    expect(await other.page.locator('html').getAttribute('data-density')).toBe('default')
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('a table gets its own columns back', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Columns as they were' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => readHeads()).toContain('Tactic')
  })

  test('a field of an event becomes a column of the timeline, and the address holds it', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/search?q=ProcessId:4711`)
    await page.getByRole('row', { name: /tool/ }).click()
    const panel = page.getByRole('complementary', { name: 'Event', exact: true })
    await panel.getByText('ProcessId', { exact: true }).hover()
    await panel.getByRole('button', { name: 'Show ProcessId as a column' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('columns')).toBe('ProcessId')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('columnheader', { name: 'ProcessId' }).waitFor()
    await page.getByRole('gridcell', { name: '4711', exact: true }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a search is saved, shown in the menu of views, and opened from it', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name of the view').fill('The process')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'The process', exact: true }).waitFor()
    await page.goto(`${world.origin}/search?from=-7d`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemradio', { name: 'The process' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('ProcessId:4711')
    expect(new URL(page.url()).searchParams.get('from')).toBe('-7d')
    await page.getByRole('button', { name: 'Delete the view The process' }).click()
    await page.getByRole('button', { name: 'Save view' }).waitFor()
  })

  test('times are shown in the time zone of the tenant where that is chosen', async () => {
    const { page } = watched
    await world.call('/v1/settings', { method: 'PATCH', body: { timezone: 'Asia/Seoul' } })
    await page.goto(`${world.origin}/alerts`)
    await page.getByRole('row', { name: /wks-1/ }).waitFor()
    await page.getByRole('button', { name: /default/i }).click()
    await page.getByRole('menuitem', { name: 'Appearance' }).click()
    const zone = page.getByRole('dialog', { name: 'Appearance' }).getByLabel('Time zone')
    await expect.poll(() => zone.getByRole('option').allTextContents()).toContain('Tenant (Asia/Seoul)')
    await zone.selectOption('tenant')
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /wks-1/ }).click()
    await page.getByRole('complementary').getByText(/GMT\+9/).first().waitFor()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
