import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000001
status: stable
level: medium
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: \\tool.exe
  condition: selection
`

/** Hours before it arrives, as in a folder of old logs. */
const happenedAt = new Date(Date.now() - 5 * 3_600_000).toISOString()
const happened = happenedAt.slice(0, 19).replace('T', ' ')

const event = {
  '@timestamp': happenedAt,
  _logsource: { category: 'process_creation', product: 'windows' },
  Image: 'C:\\Tools\\tool.exe',
  Computer: 'wks-1.example.com',
  User: 'EXAMPLE\\a.meier',
}

type Incident = { readonly status: string; readonly resolution_note: string; readonly comments: readonly { readonly content: string }[] }

describe.skipIf(lacksBrowser)('the Incidents page in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest([event], 1)
    watched = await openPage(world)
    await logIn(world, watched.page)
  })
  afterAll(async () => await world?.close())

  const panel = () => watched.page.getByRole('complementary', { name: 'Suspicious program on wks-1.example.com' })
  const read = async (): Promise<Incident> =>
    await world.call<Incident>(`/v1/incidents/${new URL(watched.page.url()).searchParams.get('incident')}`)

  test('an alert becomes an incident by one key, and the message leads to it', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    for (const key of ['j', 'n']) await page.keyboard.press(key)
    await page.getByRole('link', { name: 'Show the incident' }).click()
    await panel().getByRole('link', { name: 'wks-1.example.com' }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/incidents')
    expect(await read()).toMatchObject({ status: 'open' })
  })

  test('it says when the events happened and when the alerts arrived, and tells them in the order of the events', async () => {
    const summary = panel().getByText(/^1 alert, the worst medium: Suspicious program on wks-1.example.com, by /)
    await summary.waitFor()
    expect(await summary.textContent()).toContain(`; events at ${happened} UTC; alerts arrived at `)
    const times = await panel().locator('dl').filter({ hasText: 'Events happened' }).first().textContent()
    expect(times).toContain(`${happened} UTC`)
    expect(times).toMatch(/Alerts arrived.*UTC/)
    await panel().getByRole('button', { name: 'Timeline', exact: true }).click()
    await panel().getByText('In the order in which it was recorded.').waitFor()
    const story = panel().getByRole('listitem').filter({ hasText: happened })
    await expect.poll(() => story.allTextContents()).toEqual([
      expect.stringMatching(new RegExp(`^${happened}.*Suspicious program.*arrived 5h later$`)),
      expect.stringMatching(new RegExp(`added an alert: Suspicious program · event at ${happened} UTC$`)),
    ])
    await panel().getByRole('button', { name: 'All', exact: true }).click()
  })

  test('status changes at once, with undo', async () => {
    const { page } = watched
    await panel().getByLabel('Status').selectOption('contained')
    await page.getByRole('status').getByText('Incident is now: Contained').waitFor()
    expect(await read()).toMatchObject({ status: 'contained' })
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.getByRole('status').getByText('Incident is as it was').waitFor()
    expect(await read()).toMatchObject({ status: 'open' })
  })

  test('a comment is kept, and stands in the timeline', async () => {
    const { page } = watched
    await page.getByLabel('Add a comment').fill('the host is isolated')
    await page.keyboard.press('Control+Enter')
    await panel().getByText('commented: the host is isolated').waitFor()
    expect((await read()).comments).toMatchObject([{ content: 'the host is isolated' }])
  })

  test('no serious problem of accessibility with the panel open', async () => {
    const { page } = watched
    await page.evaluate(axe.source)
    const found = await page.evaluate(async () => {
      const { axe: checker } = window as typeof window & { readonly axe: { readonly run: (options: object) => Promise<AxeResults> } }
      return (await checker.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })).violations
    })
    expect(found.filter(({ impact }) => impact === 'critical' || impact === 'serious').map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })

  test('a tenant that requires a note refuses to close without one, and says so', async () => {
    await world.call('/v1/settings', { method: 'PATCH', body: { require_close_note: true } })
    const { page } = watched
    await panel().getByLabel('Status').selectOption('closed')
    const dialog = page.getByRole('dialog', { name: 'Close the incident' })
    await dialog.getByRole('button', { name: 'Close incident' }).click()
    await dialog.getByText(/is required to close an incident/).waitFor()
    await dialog.getByLabel('What came out of it').fill('a test of the administrators')
    await dialog.getByRole('button', { name: 'Close incident' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ status: 'closed', resolution_note: 'a test of the administrators' })
  })

  test.for<[what: string, user: string, taken: number, offer: string]>([
    ['one incident takes the others', 'b.one', 1, 'Add the other 2 to it'],
    ['several incidents become one', 'c.several', 2, 'Merge the 2 incidents, with all that are selected'],
  ])('of alerts that are in incidents, %s', async ([, user, taken, offer]) => {
    const { page } = watched
    const hosts = [1, 2, 3].map((number) => `${user}-${number}`)
    const { pagination: { total: before } } = await world.call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?limit=1')
    await world.ingest(hosts.map((Computer) => ({ ...event, Computer, User: user })), before + 3)
    const { alerts } = await world.call<{ readonly alerts: readonly { readonly id: string }[] }>(`/v1/alerts?user=${user}`)
    const ids: string[] = []
    for (const { id } of alerts.slice(0, taken)) {
      ids.push((await world.call<{ readonly id: string }>('/v1/incidents', { method: 'POST', body: { title: user, alert_ids: [id] } })).id)
    }
    await page.goto(`${world.origin}/alerts?user=${user}`)
    await page.getByRole('row', { name: new RegExp(`${user}-3`) }).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('alert').getByText(`${taken} of 3 selected`).waitFor()
    await page.getByRole('button', { name: offer }).click()
    await page.getByText('The incident has all 3 alerts').waitFor()
    await page.getByRole('link', { name: 'Show the incident' }).click()
    await page.getByRole('complementary', { name: user }).getByRole('link', { name: `${user}-3` }).first().waitFor()
    const joined = await world.call<{ readonly alert_count: number }>(`/v1/incidents/${ids[0]}`)
    expect(joined.alert_count).toBe(3)
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
