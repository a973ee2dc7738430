import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from '../find-violations.ts'
import { lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'
import { waitForRest, waitForRows } from '../wait-for-rest.ts'

const hostCount = 300
/** What an attacker would write where a log states a name. */
const hostile = '<img src=x onerror=alert(1)>\u202e"'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000051
status: stable
level: low
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const createEvent = (host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: host, User: hostile,
})

type Listed = { readonly alerts: readonly { readonly id: string }[] }

describe.skipIf(lacksBrowser)('pages of single alerts and incidents, each by mouse and by keyboard', () => {
  let flows: Flows

  beforeAll(async () => {
    const events = Array.from({ length: hostCount }, (_, host) => createEvent(`wks-${host}.example.com`))
    flows = await openFlows({ rule }, events, hostCount)
    for (const title of ['First incident', 'Second incident']) await flows.world.call('/v1/incidents', { method: 'POST', body: { title } })
  })
  afterAll(async () => await flows?.world.close())

  const list = () => flows.page.locator('[role=grid] > [role=rowgroup]')
  const alertPage = () => flows.page.getByRole('region', { name: 'Suspicious program' })
  const panel = () => flows.page.getByRole('complementary')
  const readPath = (): string => new URL(flows.page.url()).pathname
  const pageOf = (id: string) => `/alerts/${id}`
  const readAlert = async (id: string): Promise<unknown> => await flows.world.call(`/v1/alerts/${id}`)

  test.for(inputs)('by %s: an alert becomes a page, the next follows, and the list is as it was', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/alerts?severity=low')
    await waitForRows(list(), hostCount)
    if (input === 'mouse') for (const at of [1, 2]) await page.getByRole('row').nth(at).getByRole('checkbox').click()
    else for (let chosen = 0; chosen < 2; chosen++) for (const key of ['j', 'x']) await page.keyboard.press(key)
    const bar = page.getByRole('toolbar', { name: '2 selected' })
    await bar.waitFor()
    if (input === 'mouse') {
      await list().hover()
      await page.mouse.wheel(0, 34 * 100)
      await expect.poll(() => list().evaluate((element) => element.scrollTop)).toBeGreaterThan(1_000)
      await waitForRest(list())
      await page.getByRole('row').nth(20).click()
    } else for (const key of ['PageDown', 'PageDown', 'PageDown', 'k', 'Enter']) await page.keyboard.press(key)
    await panel().getByText('Image ends with').waitFor()
    const place = await list().evaluate((element) => element.scrollTop)
    const first = flows.read('alert') ?? ''
    await hands.use('o', panel().getByRole('button', { name: 'Open as a page' }))
    await expect.poll(readPath).toBe(pageOf(first))
    // The address is there before the page.
    await expect.poll(() => page.title()).toBe('Suspicious program - Tripline')
    expect(flows.read('severity')).toBe('low')
    expect(await bar.isVisible()).toBe(false)
    await hands.use(']', alertPage().getByRole('button', { name: 'Next', exact: true }))
    await expect.poll(readPath).not.toBe(pageOf(first))
    const second = readPath().slice('/alerts/'.length)
    await alertPage().getByText('Image ends with').waitFor()
    // What is checked in the list behind it is not meant.
    await hands.use('r', alertPage().getByRole('button', { name: /^Resolve( |$)/ }))
    await page.getByRole('status').getByText('Alert resolved').waitFor()
    expect(await readAlert(second)).toMatchObject({ status: 'resolved' })
    await hands.use('[', alertPage().getByRole('button', { name: 'Previous', exact: true }))
    await expect.poll(readPath).toBe(pageOf(first))
    await hands.use('Escape', alertPage().getByRole('button', { name: 'Back to the list' }))
    await expect.poll(readPath).toBe('/alerts')
    expect(flows.read('alert')).toBe(first)
    await bar.waitFor()
    await expect.poll(() => list().evaluate((element) => element.scrollTop)).toBe(place)
    await expect.poll(() => page.title()).toBe('Alerts - Tripline')
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: the address of an alert, as messages to other programs state it, is its page', async (input) => {
    const { page } = flows
    const { alerts: [alert] } = await flows.world.call<Listed>('/v1/alerts?limit=1&q=wks-7.')
    const { id } = alert!
    // The list of this address does not have the alert; one decides about it all the same.
    const hands = await flows.begin(input, `${pageOf(id)}?severity=critical`)
    await alertPage().getByText('Image ends with').waitFor()
    expect(await page.title()).toBe('Suspicious program - Tripline')
    await hands.press(alertPage().getByRole('button', { name: 'History', exact: true }))
    await expect.poll(() => flows.read('tab')).toBe('history')
    await alertPage().getByText('Image ends with').waitFor({ state: 'detached' })
    await hands.use('f', alertPage().getByRole('button', { name: /^False positive( |$)/ }))
    await page.getByRole('status').getByText('Alert is a false positive').waitFor()
    expect(await readAlert(id)).toMatchObject({ status: 'false_positive' })
    await hands.use('u', page.getByRole('button', { name: 'Undo' }))
    await page.getByRole('status').getByText('Alert is as it was').waitFor()
    await page.reload()
    await page.getByLabel('Add a comment').waitFor()
    expect(readPath() + new URL(page.url()).search).toBe(`${pageOf(id)}?severity=critical&tab=history`)
    await hands.use('Escape', alertPage().getByRole('button', { name: 'Back to the list' }))
    await page.getByText('No alert matches this filter.').waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: an incident becomes a page with its tabs, and the next follows', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/incidents')
    await hands.openRow(page.getByRole('row', { name: 'Second incident' }))
    await hands.use('o', panel().getByRole('button', { name: 'Open as a page' }))
    await expect.poll(readPath).toMatch(/^\/incidents\/./)
    const view = (name: string) => page.getByRole('region', { name })
    for (const [name, tab, text] of [
      ['Timeline', 'timeline', 'opened the incident:'], ['Alerts', 'alerts', 'It has no alerts.'],
      ['Assets', 'assets', 'None of its hosts is a known asset.'], ['Actions', 'actions', 'No playbook has acted.'],
    ] as const) {
      await hands.press(view('Second incident').getByRole('button', { name, exact: true }))
      await view('Second incident').getByText(text).waitFor()
      expect(flows.read('tab')).toBe(tab)
    }
    await hands.use(']', view('Second incident').getByRole('button', { name: 'Next', exact: true }))
    await view('First incident').getByText('No playbook has acted.').waitFor()
    await hands.use('Escape', view('First incident').getByRole('button', { name: 'Back to the list' }))
    await panel().getByText('No playbook has acted.').waitFor()
    expect(readPath()).toBe('/incidents')
    expect(flows.takeUsed()).toEqual([input])
  })

  test('no serious problem of accessibility, in both themes, and nothing is wider than the window', async () => {
    const { page } = flows
    const { alerts: [alert] } = await flows.world.call<Listed>('/v1/alerts?limit=1')
    await flows.begin('mouse', pageOf(alert!.id))
    await alertPage().getByText('Image ends with').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await findViolationsOfThemes(page)).toEqual([])
    const shown = await page.evaluate(() => ({
      made: document.querySelectorAll('#root img, #root script').length, isWide: document.documentElement.scrollWidth > innerWidth,
    }))
    expect(shown).toEqual({ made: 0, isWide: false })
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
