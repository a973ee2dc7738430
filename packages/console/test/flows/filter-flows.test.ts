import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../find-violations.ts'
import { lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import type { Hands } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000061
status: stable
level: low
tags: [attack.execution]
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const createEvent = (host: number): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: `wks-${host}.example.com`,
})

describe.skipIf(lacksBrowser)('chips of filters, each by mouse and by keyboard', () => {
  let flows: Flows

  beforeAll(async () => {
    flows = await openFlows({ rule }, Array.from({ length: 4 }, (_, host) => createEvent(host)), 4)
    const { call } = flows.world
    const { alerts } = await call<{ readonly alerts: readonly { readonly id: string }[] }>('/v1/alerts?limit=2')
    await call('/v1/incidents', { method: 'POST', body: { title: 'With an alert', alert_ids: [alerts[0]!.id] } })
    await call('/v1/incidents', { method: 'POST', body: { title: 'Assigned', assignee: 'admin@localhost' } })
  })
  afterAll(async () => await flows?.world.close())

  const chip = (name: string): Locator => flows.page.getByRole('search').getByRole('group', { name, exact: true })
  const editor = (name: string): Locator => flows.page.getByRole('dialog', { name: `Change the filter ${name}` })
  /** Opens the editor of a chip: by keyboard with Backspace from the empty search field. */
  const openEditor = async (hands: Hands, name: string): Promise<Locator> => {
    const edit = chip(name).getByRole('button').first()
    if (hands.input === 'mouse') await hands.press(edit)
    else {
      await flows.page.keyboard.press('/')
      await flows.page.keyboard.press('Backspace')
      await expect.poll(() => edit.evaluate((element) => element === document.activeElement)).toBe(true)
      await flows.page.keyboard.press('Enter')
    }
    await editor(name).waitFor()
    return editor(name)
  }
  const countRows = async (): Promise<number> => (await flows.page.getByRole('row').count()) - 1

  test.for(inputs)('by %s: a chip opens its editor, which has the other values, and takes one that is typed', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/alerts?host=wks-1.example.com')
    await expect.poll(countRows).toBe(1)
    const values = await openEditor(hands, 'Host')
    await hands.press(values.getByRole('button', { name: /^wks-2\.example\.com/ }))
    await expect.poll(() => flows.read('host')).toBe('wks-2.example.com')
    await values.waitFor({ state: 'hidden' })
    await chip('Host').getByText('wks-2.example.com').waitFor()
    await openEditor(hands, 'Host')
    await hands.write(editor('Host').getByLabel('Another value'), 'wks-3.example.com')
    await page.keyboard.press('Enter')
    await expect.poll(() => flows.read('host')).toBe('wks-3.example.com')
    await expect.poll(countRows).toBe(1)
    expect(flows.takeUsed().filter((used) => used !== 'keyboard')).toEqual(input === 'mouse' ? ['mouse'] : [])
  })

  test.for(inputs)('by %s: a filter with several values takes more and less of them in its editor', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/alerts?status=open')
    await expect.poll(countRows).toBe(4)
    const values = await openEditor(hands, 'Status')
    await hands.press(values.getByRole('button', { name: 'Resolved' }))
    await expect.poll(() => flows.read('status')).toBe('open,resolved')
    await hands.press(values.getByRole('button', { name: /^Open/ }))
    await expect.poll(() => flows.read('status')).toBe('resolved')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await values.waitFor({ state: 'hidden' })
  })

  test('by keyboard: Backspace in the empty search field goes to the last chip, and on a chip removes it', async () => {
    const { page } = flows
    await flows.begin('keyboard', '/alerts?host=wks-1.example.com&status=open')
    const isFocused = async (name: string): Promise<boolean> =>
      await chip(name).getByRole('button').first().evaluate((element) => element === document.activeElement)
    await page.keyboard.press('/')
    await page.keyboard.press('Backspace')
    await expect.poll(() => isFocused('Host')).toBe(true)
    expect(flows.read('host')).toBe('wks-1.example.com')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => isFocused('Status')).toBe(true)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Backspace')
    await expect.poll(() => flows.read('host')).toBe(null)
    expect(flows.read('status')).toBe('open')
    await expect.poll(() => page.getByRole('searchbox').evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(flows.takeUsed()).toEqual(['keyboard'])
  })

  test.for(inputs)('by %s: a list that filters empty names each, and removes one or all', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/alerts?severity=critical&host=none.example.com&q=nothing')
    await page.getByText('No alert matches these 3 filters.').waitFor()
    const list = page.getByRole('main')
    await hands.press(list.getByRole('button', { name: 'Remove the filter Text' }))
    await page.getByText('No alert matches these 2 filters.').waitFor()
    await hands.press(list.getByRole('button', { name: 'Remove all filters' }))
    await expect.poll(countRows).toBe(4)
    await flows.begin(input, '/incidents?severity=critical&assignee=nobody@example.com')
    await page.getByText('No incident matches these 2 filters.').waitFor()
    await hands.press(list.getByRole('button', { name: 'Remove the filter Severity' }))
    await page.getByText('No incident matches this filter.').waitFor()
    await hands.press(list.getByRole('button', { name: 'Remove the filter Assignee' }).last())
    await expect.poll(countRows).toBe(2)
  })

  test.for(inputs)('by %s: incidents are filtered by tactic and assignee, and the chip changes which', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/incidents')
    await expect.poll(countRows).toBe(2)
    await hands.press(page.getByRole('button', { name: 'Filter', exact: true }))
    await hands.press(page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Execution' }))
    await page.getByRole('row', { name: 'With an alert' }).waitFor()
    await expect.poll(countRows).toBe(1)
    await flows.begin(input, '/incidents?assignee=admin@localhost')
    await page.getByRole('row', { name: 'Assigned' }).waitFor()
    const values = await openEditor(hands, 'Assignee')
    await hands.press(values.getByRole('button', { name: 'Unassigned' }))
    await page.getByRole('row', { name: 'With an alert' }).waitFor()
    await expect.poll(countRows).toBe(1)
    expect(flows.read('assignee')).toBe('none')
  })

  test.for(inputs)('by %s: chips of rules and assets open their editors as well', async (input) => {
    const hands = await flows.begin(input, '/rules?product=linux')
    await hands.press((await openEditor(hands, 'Product')).getByRole('button', { name: /^windows/ }))
    await flows.page.getByRole('row', { name: 'Suspicious program' }).waitFor()
    expect(flows.read('product')).toBe('windows')
    await flows.begin(input, '/assets?tag=a')
    const tags = await openEditor(hands, 'Tag')
    await hands.write(tags.getByLabel('Another value'), 'b')
    await flows.page.keyboard.press('Enter')
    await expect.poll(() => flows.read('tag')).toBe('b')
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
