import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { printProgramRule } from './program-rule.ts'

/** A list without rows, what it says, and the step that it offers. */
type EmptyList = [path: string, text: string, role: 'button' | 'link', name: string]

const removeAll = 'Remove all filters'
const rule = printProgramRule('00000000-0000-4000-8000-000000000041', 1, 'tool')
const event = {
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'wks-1.example.com',
}
const longAgo = 'from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z'

describe.skipIf(lacksBrowser)('lists without rows in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    watched = await openPage(world)
    await logIn(world, watched.page)
  })
  afterAll(async () => await world?.close())

  test.for<EmptyList>([
    ['/alerts', 'No alert yet.', 'link', 'Connectors'],
    ['/alerts', 'No alert yet.', 'link', 'Rules'],
    ['/alerts?group=host', 'No alert yet.', 'link', 'Connectors'],
    ['/alerts?severity=high', 'No alert matches this filter.', 'button', 'Remove the filter Severity'],
    ['/alerts?severity=high&group=host', 'No alert matches this filter.', 'button', 'Remove the filter Severity'],
    ['/incidents', 'No incident yet.', 'link', 'Alerts'],
    ['/incidents?status=open', 'No incident matches this filter.', 'button', 'Remove the filter Status'],
    ['/search', 'No event has arrived yet.', 'link', 'Connectors'],
    ['/search?q=user:alice', 'No event in this range matches.', 'button', removeAll],
    ['/assets', 'No asset is known yet.', 'link', 'Connectors'],
    ['/assets?q=web-1', 'No asset matches these filters.', 'button', removeAll],
    ['/assets?tab=findings', 'No finding is open.', 'link', 'Connectors'],
    ['/assets?tab=findings&severity=high', 'No finding matches these filters.', 'button', removeAll],
    ['/assets?tab=exposure', 'No scanner has reported a finding yet.', 'link', 'Connectors'],
    ['/rules?q=nothing+like+it', 'No rule matches these filters.', 'button', removeAll],
    ['/connectors', 'No connector sends events yet.', 'button', 'New connector'],
    ['/connectors', 'No connector sends events yet.', 'link', 'Send a first event by hand'],
    ['/connectors?status=healthy', 'No connector sends events yet.', 'button', 'New connector'],
    ['/compliance?q=nothing+like+it', 'No control matches these filters.', 'button', removeAll],
    ['/reports', 'No report was made yet.', 'button', 'New report'],
    ['/reports', 'No report was made yet.', 'link', 'Have reports made on schedule'],
    ['/settings/audit?q=nothing+like+it', 'Nothing of this range matches these filters.', 'button', removeAll],
    [`/settings/audit?${longAgo}`, 'Nothing was recorded in this range.', 'button', 'Last 90 days'],
    ['/settings/api-keys', 'Create one for a program that reads alerts', 'button', 'Create an API key'],
    ['/settings/webhooks', 'Add the address of a program', 'button', 'Add a webhook'],
    ['/settings/channels', 'send a test through it', 'button', 'New channel'],
    ['/settings/channels', 'so no one is notified', 'button', 'New route'],
    ['/settings/channels', 'A channel comes first.', 'button', 'New channel'],
    ['/settings/roles', 'No entry yet: a login at your provider gives no role', 'button', 'Add an entry'],
    ['/connectors/collectors', 'One reads files, the journal and devices where it runs', 'button', 'New collector'],
    ['/settings/automation', 'Add one with the steps', 'button', 'New playbook'],
    ['/settings/requests', 'Enter one when a person asks', 'button', 'New request'],
    ['/settings/rule-pipelines', 'Add one where fields of your events', 'button', 'Add a pipeline'],
    ['/portal/alerts', 'No alert in this range.', 'button', 'Last 90 days'],
    ['/portal/alerts?severity=high', 'No alert matches these filters.', 'button', removeAll],
  ])('%s says "%s" and has the %s "%s"', async ([path, text, role, name]) => {
    const { page } = watched
    await page.goto(world.origin + path)
    const main = page.getByRole('main')
    await main.getByText(text).waitFor()
    // The head of a page may offer the same.
    await main.getByRole(role, { name }).last().waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('/rules says that there is none, and has the button for a new one', async () => {
    const { page } = watched
    await page.route('**/v1/detection/rules?*', async (route) => {
      const body = (await (await route.fetch()).json()) as { readonly pagination: object }
      await route.fulfill({ json: { ...body, rules: [], pagination: { ...body.pagination, total: 0 } } })
    })
    await page.goto(`${world.origin}/rules`)
    await page.getByText('There is no rule yet.').waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: 'New rule' }).count()).toBe(2)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('a stage that has handled nothing states no share and no time', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/pipeline`)
    const stage = page.getByRole('button', { name: /Normalisation/ })
    await stage.waitFor()
    expect((await stage.innerText()).match(/–|100 %|0 ms/g)).toEqual(Array.from({ length: 5 }, () => '–'))
  })

  test.for<[path: string, text: string]>([
    ['/alerts', 'No alert in this range.'],
    ['/search', 'No event in this range.'],
  ])('a range of %s without rows leads to a wider one', async ([path, text]) => {
    await world.ingest([event], 1)
    const { page } = watched
    await page.goto(`${world.origin}${path}?${longAgo}`)
    await page.getByText(text).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Last 90 days' }).click()
    await page.getByRole('row', { name: /wks-1/ }).first().waitFor()
    expect(new URL(page.url()).searchParams.get('from')).toBe('-90d')
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
