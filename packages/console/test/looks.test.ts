import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const ruleOf = (number: number, title: string, ending: string): string => `title: ${title}
id: 00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}
status: stable
level: high
tags: [attack.privilege-escalation, attack.command-and-control, attack.t1059]
logsource: { category: process_creation, product: windows }
detection:
  selection: { Image|endswith: \\${ending}.exe }
  condition: selection
`

const createEvent = (user: string, program = 'tool', host = 'wks-1.example.com'): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: `C:\\${program}.exe`, Computer: host, User: user,
  CommandLine: `${program}.exe /run\r\n\t/quiet`,
})
const users = ['EXAMPLE\\a.meier', 'NT AUTHORITY\\SYSTEM', 'A-LONG-NAME-OF-A-DOMAIN\\administrator']
/** As many matches of one rule have two digits. */
const manyEvents = Array.from({ length: 12 }, () => createEvent('EXAMPLE\\svc', 'other'))

/** The line that an element stands on: elements in a line have one middle. */
const middle = async (element: Locator): Promise<number> => {
  const { y, height } = (await element.boundingBox()) ?? { y: -1, height: 0 }
  return Math.round(y + height / 2)
}
const left = async (element: Locator): Promise<number> => Math.round((await element.boundingBox())?.x ?? -1)
const isCut = async (element: Locator): Promise<boolean> =>
  await element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

describe.skipIf(lacksBrowser)('what pictures of pages must not lose', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ one: ruleOf(1, 'Program', 'tool'), two: ruleOf(2, 'Another program', 'other') })
    watched = await openPage(world)
    await logIn(world, watched.page)
  })
  afterAll(async () => await world?.close())

  const open = async (path: string, width = 1440): Promise<void> => {
    const { page } = watched
    await page.setViewportSize({ width, height: 900 })
    await page.goto(world.origin + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  const rows = (name: RegExp): Locator => watched.page.getByRole('row', { name })

  test('the exposure of a new tenant claims nothing of assets that are not there, and leads to no empty list', async () => {
    await open('/assets?tab=exposure')
    const { page } = watched
    for (const name of ['Worst by risk', 'Blind spots'])
      await page.getByRole('region', { name }).getByText('No asset is known yet.').waitFor()
    await page.getByRole('region', { name: 'Exploitable and overdue' }).getByText('No scanner has reported a finding yet.').waitFor()
    expect(await page.getByRole('link', { name: 'Show all' }).count()).toBe(0)
  })

  test('a name of 29 letters is whole in the list of assets', async () => {
    await world.call('/v1/assets/import', { method: 'POST', body: [{ hostname: 'srv-bak-01.site-0.example.com' }] })
    await open('/assets')
    const name = watched.page.getByRole('gridcell', { name: 'srv-bak-01.site-0.example.com' })
    await name.waitFor()
    expect(await isCut(name)).toBe(false)
  })

  test('the first steps speak of the command once it is there', async () => {
    await open('/')
    const steps = watched.page.getByRole('region', { name: 'Send the first event' }).getByRole('listitem')
    await expect.poll(async () => await steps.nth(1).textContent()).toBe('A command appears here. Run it in a terminal to send an event.')
  })

  test('a chart says in which zone its times are, and what its values count in how long', async () => {
    await world.ingest([...users.map((user) => createEvent(user)), ...manyEvents], 2)
    await open('/pipeline')
    const chart = (title: string): Locator => watched.page.getByRole('figure').filter({ hasText: title })
    await expect.poll(() => chart('Ingestion rate').innerText()).toMatch(/events\/s[^]*UTC/)
    expect(await chart('Events that failed to normalise').innerText()).toMatch(/per 1m/)
    await watched.page.getByRole('button', { name: 'Lag 0 events', exact: false }).first().waitFor()
  })

  test('a chart is drawn anew in the theme of the system', async () => {
    const { page } = watched
    await page.emulateMedia({ colorScheme: 'dark' })
    await open('/pipeline')
    const canvas = page.locator('figure canvas').first()
    const draw = async (): Promise<string> => await canvas.evaluate((drawn: HTMLCanvasElement) => drawn.toDataURL())
    // No newer data, which would be drawn anew too.
    await page.route('**/v1/pipeline/**', () => undefined)
    const dark = await draw()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(draw).not.toBe(dark)
    await page.unrouteAll({ behavior: 'wait' })
    await page.emulateMedia({ colorScheme: null })
  })

  test.for([1280, 1024])('%i pixels wide, each figure of a stage stands in one line', async (width) => {
    await open('/pipeline', width)
    const stage = watched.page.getByRole('button', { name: /^Detection/ })
    const heights = await stage.locator('dl > div').evaluateAll((figures) => figures.map(({ clientHeight }) => clientHeight))
    expect(new Set(heights).size).toBe(1)
  })

  test('a range without an end says since when it is', async () => {
    await open('/alerts?from=2026-11-29T00:00:00Z')
    await expect.poll(() => watched.page.getByRole('button', { name: 'Since 2026-11-29 00:00:00 UTC' }).count()).toBe(1)
  })

  test('bars say how much the highest is, and in how long, over round times', async () => {
    await open('/search')
    const peak = watched.page.getByText(/^\d+ at most in \d+m$/)
    await expect.poll(() => peak.textContent()).toBe(`${users.length + manyEvents.length} at most in 15m`)
    const ticks = await watched.page.locator('[class*=histogram_tick]').allTextContents()
    expect(ticks.length).toBeGreaterThan(2)
    expect(ticks.filter((tick) => !/^(?:0[0369]|1[258]|21):00$/.test(tick))).toEqual([])
  })

  test.for([1440, 1280, 1024])('%i pixels wide, no account loses its name to its domain', async (width) => {
    await open('/alerts', width)
    const { page } = watched
    for (const name of ['\\a.meier', '\\SYSTEM']) {
      const shown = page.getByText(name, { exact: true })
      await shown.waitFor()
      expect(await isCut(shown)).toBe(false)
      const cell = await page.getByRole('gridcell').filter({ hasText: name }).boundingBox()
      const box = await shown.boundingBox()
      expect(box?.y).toBeLessThan((cell?.y ?? 0) + 6)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0) + 1)
    }
  })

  test('a tactic is whole, and says how many others there are', async () => {
    await open('/alerts')
    const cells = watched.page.getByRole('gridcell').filter({ hasText: 'Privilege escalation +1' })
    await cells.first().waitFor()
    expect(await isCut(cells.first())).toBe(false)
    await cells.first().getByTitle('Privilege escalation, Command and control').waitFor()
  })

  test.for([1280, 1440])('what can be done about an alert takes two lines at %i pixels, all of the same height', async (width) => {
    await open('/alerts', width)
    const { page } = watched
    await rows(/SYSTEM/).first().click()
    const panel = page.getByRole('complementary', { name: /^Program/ })
    const actions = panel.getByRole('button', { name: 'Investigate' }).locator('..').locator(':scope > :not([popover])')
    await panel.getByRole('button', { name: 'More actions' }).waitFor()
    await panel.getByRole('button', { name: 'Exception' }).waitFor()
    const boxes = await actions.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => ({ y, height })))
    expect(new Set(boxes.map(({ y }) => y)).size).toBeLessThanOrEqual(2)
    expect(new Set(boxes.map(({ height }) => height)).size).toBe(1)
    const [alerts, asset] = ['Its alerts', 'The asset'].map((name) => panel.getByRole('link', { name }).first()) as [Locator, Locator]
    await asset.waitFor()
    await expect.poll(async () => await middle(alerts) - await middle(asset)).toBe(0)
  })

  test('the keys below a panel stand in one line', async () => {
    await open('/alerts', 1280)
    await rows(/SYSTEM/).first().click()
    const panel = watched.page.getByRole('complementary', { name: /^Program/ })
    await panel.getByText('next, previous').waitFor()
    expect(await middle(panel.getByText(/close$/))).toBe(await middle(panel.getByText('next, previous')))
  })

  test('the count of incidents stands beside their filters', async () => {
    await open('/incidents')
    const filters = watched.page.getByRole('search')
    await filters.getByText(/^\d+ incidents?$/).waitFor()
    expect(await middle(filters.getByText(/^\d+ incidents?$/))).toBe(await middle(filters.getByRole('searchbox')))
  })

  test('the bars of all rules begin at one line, however many digits follow', async () => {
    await open('/rules')
    const { page } = watched
    await rows(/Another program/).waitFor()
    const [one, other] = [rows(/^\D*Program/), rows(/Another program/)].map((row) => row.getByRole('gridcell').locator('svg').last())
    expect(await one?.count()).toBe(1)
    expect(await left(one as Locator)).toBe(await left(other as Locator))
    expect(await isCut(page.getByRole('gridcell', { name: 'windows · process_creation' }).first())).toBe(false)
  })

  test.for([
    ['/search?q=tool', 1024], ['/search?q=tool&from=2026-11-01T00:00:00Z&to=2026-11-29T23:59:59Z', 1440],
  ] as const)('the title of %s is whole beside all that stands in its head at %i', async ([path, width]) => {
    await open(path, width)
    const { page } = watched
    await page.getByRole('link', { name: 'Make a rule' }).waitFor()
    expect(await isCut(page.getByRole('heading', { level: 1 }))).toBe(false)
    const buttons = await page.getByRole('heading', { level: 1 }).locator('..').getByRole('button').all()
    const ends = await Promise.all(buttons.map(async (button) => await button.boundingBox()))
    expect(ends.filter((box) => (box?.x ?? width) + (box?.width ?? 1) > width)).toEqual([])
  })

  test('an event of several lines is one line of the log', async () => {
    await open('/search?q=quiet&layout=log')
    const line = watched.page.getByRole('row').first()
    await line.waitFor()
    expect(await line.textContent()).toContain('.exe /run /quiet')
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
