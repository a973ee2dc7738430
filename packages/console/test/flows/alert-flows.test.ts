import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import type { Hands, Input } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'
import { waitForRest, waitForRows } from '../wait-for-rest.ts'

/** More than a list loads at first, and than are changed without a question. */
const alertCount = 320

const printRule = (level: string, id: number): string => `title: Program ${level}
id: 00000000-0000-4000-8000-00000000001${id}
status: stable
level: ${level}
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: \\${level}.exe
  condition: selection
`
const createEvent = (level: string, host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: `C:\\Tools\\${level}.exe`, Computer: host,
  User: 'EXAMPLE\\a.meier', CommandLine: `${level}.exe /run`,
})

type Listed = { readonly alerts: readonly { readonly id: string }[]; readonly pagination: { readonly total: number } }

describe.skipIf(lacksBrowser)('the flows of alerts, each by mouse and by keyboard', () => {
  let flows: Flows

  beforeAll(async () => {
    const hosts = Array.from({ length: alertCount }, (_, host) => createEvent('low', `wks-${host}.example.com`))
    const events = [...inputs.map((input) => createEvent('high', `${input}.example.com`)), ...hosts]
    flows = await openFlows({ high: printRule('high', 1), low: printRule('low', 2) }, events, events.length)
    await flows.world.call('/v1/users', { method: 'POST', body: { email: 'deputy@example.com', name: 'Deputy', roles: ['analyst'] } })
  })
  afterAll(async () => await flows?.world.close())

  const row = (name: RegExp | string) => flows.page.getByRole('row', { name }).first()
  const panel = () => flows.page.getByRole('complementary')
  const said = async (text: RegExp | string): Promise<void> => await flows.page.getByRole('status').getByText(text).first().waitFor()
  const openId = (): string => flows.read('alert') ?? ''
  const readAlert = async (): Promise<unknown> => await flows.world.call(`/v1/alerts/${openId()}`)
  const count = async (query: string): Promise<number> => (await flows.world.call<Listed>(`/v1/alerts?limit=1&${query}`)).pagination.total
  const begin = async (input: Input, parameters: string): Promise<Hands> => {
    const hands = await flows.begin(input, `/alerts${parameters}`)
    await row(/Program/).waitFor()
    return hands
  }

  test.for(inputs)('by %s: a filter is in the address, and a reload shows the same', async (input) => {
    const { page } = flows
    const hands = await begin(input, '')
    await hands.press(page.getByRole('button', { name: 'High', exact: true }))
    await expect.poll(() => flows.read('severity')).toBe('high')
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + inputs.length)
    expect(flows.takeUsed()).toEqual([input])
    await page.reload()
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + inputs.length)
  })

  test.for(inputs)('by %s: open, next, resolve, undo', async (input) => {
    const { page } = flows
    const hands = await begin(input, '?severity=low')
    await hands.openRow(row(/wks-/))
    const first = openId()
    await hands.use('j', panel().getByRole('button', { name: 'Next', exact: true }))
    await expect.poll(openId).not.toBe(first)
    await hands.use('r', panel().getByRole('button', { name: /^Resolve( |$)/ }))
    await said('Alert resolved')
    expect(await readAlert()).toMatchObject({ status: 'resolved', verdict: 'true_positive' })
    await hands.use('u', page.getByRole('button', { name: 'Undo' }))
    await said('Alert is as it was')
    expect(await readAlert()).toMatchObject({ status: 'open', verdict: 'unreviewed' })
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a change by another user is shown and not overwritten', async (input) => {
    const { page } = flows
    const hands = await begin(input, `?severity=high&q=${input}`)
    await hands.use('p', page.getByRole('button', { name: /^Live/ }))
    await page.getByRole('button', { name: 'Paused' }).waitFor()
    await hands.openRow(row(input))
    await panel().getByText('Image ends with').waitFor()
    await flows.world.call(`/v1/alerts/${openId()}`, { method: 'PUT', body: { status: 'false_positive' } })
    await hands.use('r', panel().getByRole('button', { name: /^Resolve( |$)/ }))
    await page.getByRole('alert').getByText('another user changed it meanwhile').waitFor()
    expect(await readAlert()).toMatchObject({ status: 'false_positive' })
    await hands.press(page.getByRole('alert').getByRole('button', { name: 'Do it again' }))
    await said('Alert resolved')
    expect(await readAlert()).toMatchObject({ status: 'resolved' })
    await hands.use('p', page.getByRole('button', { name: 'Paused' }))
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: an alert is assigned to another person', async (input) => {
    const { page } = flows
    const hands = await begin(input, `?severity=high&q=${input}`)
    await hands.openRow(row(input))
    await panel().getByText('Image ends with').waitFor()
    const more = panel().getByRole('button', { name: 'More actions' })
    if (input === 'keyboard') await hands.use('Shift+a', more)
    else await hands.chooseItem(more, page.getByRole('menuitem', { name: 'Assign to…' }))
    const dialog = page.getByRole('dialog', { name: 'Assign to…' })
    await hands.choose(dialog.getByLabel('Assignee'), 'deputy@example.com')
    await hands.press(dialog.getByRole('button', { name: 'Assign' }))
    await said('Alert is assigned to deputy@example.com')
    expect(await readAlert()).toMatchObject({ assignee: 'deputy@example.com' })
    await hands.use('u', page.getByRole('button', { name: 'Undo' }))
    await said('Alert is as it was')
    expect(await readAlert()).toMatchObject({ assignee: null })
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: 300 alerts change after a preview, and back', async (input) => {
    const { page } = flows
    const hands = await begin(input, '?severity=low')
    // The second page is loaded by itself.
    await waitForRows(page.locator('[role=grid] > [role=rowgroup]'), alertCount)
    await hands.use('Control+a', page.getByRole('checkbox', { name: 'Select all loaded rows' }))
    const bar = page.getByRole('toolbar', { name: `${alertCount} selected` })
    await bar.waitFor()
    await hands.use('b', bar.getByRole('button', { name: 'Benign' }))
    const dialog = page.getByRole('dialog', { name: 'Benign' })
    await dialog.getByText(`${alertCount} alerts of 1 rule; ${alertCount} change.`).waitFor()
    await hands.press(dialog.getByRole('button', { name: 'Benign' }))
    await said(`${alertCount} alerts are benign`)
    expect(await count('severity=low&status=resolved')).toBe(alertCount)
    await hands.use('u', page.getByRole('button', { name: 'Undo' }))
    await said(`${alertCount} alerts are as they were`)
    expect(await count('severity=low&status=resolved')).toBe(0)
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: alerts are grouped by host, and a group leads to its alerts', async (input) => {
    const { page } = flows
    const hands = await begin(input, '?severity=high')
    await hands.chooseItem(page.getByRole('button', { name: 'Group by' }), page.getByRole('menuitemradio', { name: 'Host', exact: true }))
    const group = page.getByRole('grid', { name: 'Groups of alerts' }).getByRole('row', { name: `${input}.example.com` })
    await group.waitFor()
    if (input === 'mouse') await group.click()
    else {
      for (let step = 0; step < inputs.length && (await group.getAttribute('aria-selected')) !== 'true'; step++) await page.keyboard.press('j')
      await page.keyboard.press('Enter')
    }
    await expect.poll(() => flows.read('host')).toBe(`${input}.example.com`)
    await row('Program high').waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test('by keyboard: a key decides about all alerts of a group, after a preview, and about no alert of the list behind it', async () => {
    const { page } = flows
    await flows.begin('keyboard', '/alerts?severity=low&group=rule')
    const group = page.getByRole('grid', { name: 'Groups of alerts' }).getByRole('row', { name: /Program low/ })
    await group.waitFor()
    await page.keyboard.press('r')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Resolve' })
    await dialog.getByText(`${alertCount} alerts of 1 rule; ${alertCount} change.`).waitFor()
    await page.keyboard.press('Enter')
    await said(`${alertCount} alerts resolved`)
    await expect.poll(() => group.getByRole('gridcell').nth(3).textContent()).toBe('0')
    await page.keyboard.press('u')
    await said(`${alertCount} alerts are as they were`)
    await expect.poll(() => group.getByRole('gridcell').nth(3).textContent()).toBe(String(alertCount))
    expect(await count('severity=low&status=resolved')).toBe(0)
    expect(flows.takeUsed()).toEqual(['keyboard'])
  })

  test.for(inputs)('by %s: new alerts move nothing while three are selected far down, until they are asked for', async (input) => {
    const { page } = flows
    const hands = await begin(input, '?severity=low')
    const before = await count('')
    await page.getByText(/^Live/).waitFor()
    if (input === 'mouse') for (const at of [1, 2, 3]) await page.getByRole('row').nth(at).getByRole('checkbox').click()
    else for (let chosen = 0; chosen < 3; chosen++) for (const key of ['j', 'x']) await page.keyboard.press(key)
    const list = page.locator('[role=grid] > [role=rowgroup]')
    if (input === 'mouse') {
      await list.hover()
      await page.mouse.wheel(0, 34 * 250)
    } else await page.keyboard.press('End')
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBeGreaterThan(1_000)
    await waitForRest(list)
    const read = async () =>
      await list.evaluate((element) => ({ top: element.scrollTop, text: element.textContent.replaceAll(/\d+[smh]/g, '') }))
    const shown = await read()
    await flows.world.ingest([1, 2].map((index) => createEvent('low', `new-${input}-${index}.example.com`)), before + 2)
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(await read()).toEqual(shown)
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor()
    await hands.use('.', page.getByRole('button', { name: '2 new' }))
    await row(`new-${input}-2`).waitFor()
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a comment stays while the session ends in the middle of it, and is sent after the login', async (input) => {
    const { page } = flows
    const hands = await begin(input, `?q=${input}.`)
    await hands.openRow(row(input))
    await panel().getByText('Image ends with').waitFor()
    await hands.write(page.getByLabel('Add a comment'), `written by ${input}`)
    await page.context().clearCookies()
    const refusal = { error: { code: 'UNAUTHORIZED', message: 'a valid token is needed', request_id: 'r' } }
    await page.route('**/v1/alerts/*', async (route) => await route.fulfill({ status: 401, json: refusal }), { times: 1 })
    await hands.press(panel().getByRole('button', { name: /^Comment/ }))
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await hands.write(dialog.getByLabel('Password'), flows.world.credentials.password)
    await hands.press(dialog.getByRole('button', { name: 'Log in' }))
    await panel().getByRole('listitem').getByText(`written by ${input}`).waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: an exception from an alert says what it would hide, and hides it', async (input) => {
    const { page } = flows
    const host = `wks-${inputs.indexOf(input)}.example.com`
    const hands = await begin(input, `?q=${host}`)
    await hands.openRow(row(host))
    await panel().getByText('Image ends with').waitFor()
    await hands.use('e', panel().getByRole('button', { name: 'Exception' }))
    const dialog = page.getByRole('dialog', { name: 'Exception from this alert' })
    await dialog.getByText('it would have hidden 1 of').waitFor()
    await hands.write(dialog.getByLabel('Reason'), 'a tool of the administrators')
    await hands.press(dialog.getByRole('button', { name: 'Add the exception' }))
    await page.getByText('The exception is in effect.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(flows.takeUsed()).toEqual([input])
    type Tested = { readonly results: readonly { readonly matched: boolean }[] }
    const body = { events: [createEvent('low', host), createEvent('low', 'wks-300.example.com')] }
    const { results } = await flows.world.call<Tested>('/v1/detection/rules/00000000-0000-4000-8000-000000000012/test', { method: 'POST', body })
    expect(results.map(({ matched }) => matched)).toEqual([false, true])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
