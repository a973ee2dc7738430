import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, switchTheme } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { typeWithoutPause } from './press-keys.ts'
import { waitForRest } from './wait-for-rest.ts'

const levels = ['critical', 'high', 'medium', 'low'] as const
const hostsOfRule = 250
const rowCount = levels.length * hostsOfRule

const rules = Object.fromEntries(
  levels.map((level, index) => [
    level,
    `title: Program ${level}
id: 00000000-0000-4000-8000-00000000000${index}
status: stable
level: ${level}
tags: [attack.execution]
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: \\${level}.exe
  condition: selection
`,
  ]),
)

const logsource = { category: 'process_creation', product: 'windows' }
const createEvent = (level: string, host: string, rest: object = {}): object => ({
  _logsource: logsource,
  Image: `C:\\Tools\\${level}.exe`,
  Computer: host,
  User: 'EXAMPLE\\a.meier',
  CommandLine: `${level}.exe /run`,
  ...rest,
})

/** Texts that try to become markup, script or another text. */
const hostile = [
  '<img src=x onerror=alert(1)>', '"><script>alert(2)</script>', "javascript:alert(3)//'", '{{constructor.constructor("alert(4)")()}}',
  'evil\u202egpj.exe', '\u0000null', '<svg/onload=alert(5)>', 'a'.repeat(20_000),
]

describe.skipIf(lacksBrowser)('the Alerts page in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole(rules)
    const events = Array.from({ length: hostsOfRule }, (_, host) =>
      levels.map((level) => createEvent(level, `wks-${host}.example.com`)),
    ).flat()
    await world.ingest(events, rowCount)
    watched = await openPage(world)
  })
  afterAll(async () => await world?.close())

  const find = (name: RegExp | string) => watched.page.getByRole('row', { name }).first()
  const current = () => watched.page.locator('[role=row][aria-selected=true]')
  const readStatus = async (id: string): Promise<unknown> => {
    type Read = { status: string; verdict: string; assignee: string | null }
    const { status, verdict, assignee } = await world.call<Read>(`/v1/alerts/${id}`)
    return { status, verdict, assignee }
  }
  const openId = (): string => new URL(watched.page.url()).searchParams.get('alert') ?? ''

  test('a wrong password is refused without saying what was wrong, and a right one opens the address that was asked for', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts?severity=critical`)
    await page.getByLabel('Email').fill(world.credentials.email)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Email, password or code is wrong.').waitFor()
    await logIn(world, page, '/alerts?severity=critical')
    await find(/Critical/).waitFor()
    expect(await page.getByRole('row', { name: /High/ }).count()).toBe(0)
  })

  test('filters are in the address, and a reload shows the same', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'High', exact: true }).click()
    await page.keyboard.press('/')
    // One step of the history, which a pause would end.
    await typeWithoutPause(page, 'wks-7.')
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    expect(page.url()).toBe(`${world.origin}/alerts?severity=critical,high&q=wks-7.`)
    await page.reload()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.url()).toBe(`${world.origin}/alerts?severity=critical`)
  })

  test('by keyboard alone: open, next, resolve, undo', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await find(/Program/).waitFor()
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
    const panel = page.getByRole('complementary')
    await panel.getByText('Image ends with').waitFor()
    const first = openId()
    await page.keyboard.press('j')
    await expect.poll(openId).not.toBe(first)
    const id = openId()
    await page.keyboard.press('r')
    await page.getByRole('status').getByText('Alert resolved').waitFor()
    expect(await readStatus(id)).toMatchObject({ status: 'resolved', verdict: 'true_positive' })
    await page.keyboard.press('u')
    await page.getByText('Alert is as it was').waitFor()
    expect(await readStatus(id)).toMatchObject({ status: 'open', verdict: 'unreviewed' })
    await page.keyboard.press('Escape')
    await expect.poll(openId).toBe('')
  })

  test('comments are written by keyboard and by mouse, and stand in the alert', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts?q=wks-11.`)
    await find(/wks-11\./).waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    const panel = page.getByRole('complementary')
    await panel.getByText('Image ends with').waitFor()
    await page.keyboard.press('c')
    await expect.poll(() => page.getByLabel('Add a comment').evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('written by keyboard')
    await page.keyboard.press('Control+Enter')
    await panel.getByRole('listitem').getByText('written by keyboard').waitFor()
    await page.getByLabel('Add a comment').fill('written by mouse')
    await panel.getByRole('button', { name: /^Comment/ }).click()
    await panel.getByRole('listitem').getByText('written by mouse').waitFor()
    type Commented = { readonly comments: readonly { readonly content: string }[] }
    const { comments } = await world.call<Commented>(`/v1/alerts/${openId()}`)
    expect(comments.map(({ content }) => content)).toEqual(['written by keyboard', 'written by mouse'])
  })

  test('the link of an alert is copied by key and by mouse, and opens it in another tab', async () => {
    const { page, context } = watched
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin })
    await page.goto(`${world.origin}/alerts?q=wks-12.`)
    await find(/wks-12\./).waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    const panel = page.getByRole('complementary')
    await panel.getByText('Image ends with').waitFor()
    const readClipboard = async (): Promise<string> => await page.evaluate(async () => await navigator.clipboard.readText())
    await page.keyboard.press('m')
    await expect.poll(readClipboard).toBe(`${world.origin}/alerts/${openId()}`)
    await page.evaluate(async () => await navigator.clipboard.writeText(''))
    await panel.getByRole('button', { name: 'Copy the link' }).click()
    await expect.poll(readClipboard).toBe(`${world.origin}/alerts/${openId()}`)
    const other = await context.newPage()
    await other.goto(await readClipboard())
    await other.getByRole('region', { name: /^Program/ }).getByText('Image ends with').waitFor()
    expect(new URL(other.url()).pathname).toBe(`/alerts/${openId()}`)
    await other.close()
    await page.keyboard.press('Escape')
  })

  test('a change by another user is shown and not overwritten', async () => {
    const { page } = watched
    await page.getByRole('button', { name: /^Live/ }).click()
    await page.getByRole('button', { name: 'Paused' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').getByText('Image ends with').waitFor()
    const id = openId()
    await world.call(`/v1/alerts/${id}`, { method: 'PUT', body: { status: 'false_positive' } })
    await page.keyboard.press('r')
    await page.getByRole('alert').getByText('another user changed it meanwhile').waitFor()
    expect(await readStatus(id)).toMatchObject({ status: 'false_positive' })
    await current().getByText('False positive').waitFor()
    await page.getByRole('button', { name: 'Paused' }).click()
    await page.keyboard.press('Escape')
  })

  test('new alerts move nothing: they wait behind a counter until they are asked for', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await find(/Program/).waitFor()
    await page.getByText(/^Live/).waitFor()
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
    const list = page.locator('[role=grid] > [role=rowgroup]')
    await list.evaluate((element) => {
      element.scrollTop = 34 * 400
    })
    await waitForRest(list)
    const read = async () =>
      await list.evaluate((element) => ({ top: element.scrollTop, text: element.textContent.replaceAll(/\d+[smh]/g, '') }))
    const before = await read()
    await world.ingest([createEvent('high', 'new-1.example.com'), createEvent('low', 'new-2.example.com')], rowCount + 2)
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(await read()).toEqual(before)
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor()
    expect(await page.title()).toBe('2 new - Alerts - Tripline')
    await page.keyboard.press('.')
    await find(/new-2\.example\.com/).waitFor()
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor()
  })

  test('the navigation counts what is open, and follows what is closed', async () => {
    const { page } = watched
    const link = page.getByRole('link', { name: 'Alerts', exact: true })
    const count = async (): Promise<number> =>
      (await world.call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?status=open&limit=1')).pagination.total
    const before = await count()
    const described = (): Promise<readonly (string | null)[] | undefined> =>
      link.evaluate((element) => element.ariaDescribedByElements?.map(({ textContent }) => textContent))
    await expect.poll(described).toEqual([`${before.toLocaleString('en')} open`])
    const { alerts: [alert] } = await world.call<{ readonly alerts: readonly { readonly id: string }[] }>('/v1/alerts?status=open&limit=1')
    await world.call(`/v1/alerts/${alert!.id}`, { method: 'PUT', body: { status: 'resolved' } })
    await expect.poll(described).toEqual([`${(before - 1).toLocaleString('en')} open`])
  })

  test('texts of events stay texts, and break no layout', async () => {
    const { page } = watched
    const events = hostile.map((text, index) =>
      createEvent('medium', `${text} ${index}`, { User: text, CommandLine: text, [text.slice(0, 60)]: text }),
    )
    await world.ingest(events, rowCount + 2 + hostile.length)
    await page.goto(`${world.origin}/alerts`)
    await find(/Program medium/).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    for (let index = 0; index < hostile.length; index++) {
      await page.getByRole('complementary').getByText('Image ends with').waitFor()
      const made = await page.evaluate(() => ({
        elements: document.querySelectorAll('#root img, #root script, [onerror], [onload]').length,
        isWide:
          document.documentElement.scrollWidth > innerWidth ||
          document.querySelector('aside')!.scrollWidth > document.querySelector('aside')!.clientWidth,
      }))
      expect(made).toEqual({ elements: 0, isWide: false })
      await page.keyboard.press('j')
    }
    await page.keyboard.press('Escape')
  })

  test.for(['dark', 'light'] as const)('accessibility in the %s theme, with the panel closed and open', async (theme) => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await find(/Program/).waitFor()
    await switchTheme(page, theme)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').getByText('Image ends with').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a key changes the theme, and the pages keep it', async () => {
    const { page, context } = await openPage(world)
    await logIn(world, page)
    await page.keyboard.press('Shift+D')
    await page.locator('html[data-theme=light]').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
    await context.close()
  })

  test('few elements stand for many rows', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await find(/Program/).waitFor()
    const list = page.locator('[role=grid] > [role=rowgroup]')
    await expect.poll(async () => {
      await list.evaluate((element) => void (element.scrollTop += 4_000))
      return Number(await page.locator('[role=row]').last().getAttribute('aria-rowindex'))
    }).toBeGreaterThan(600)
    expect(await page.locator('[role=row]').count()).toBeLessThanOrEqual(80)
  })

  test('groups lead to their alerts, which change in one request, with a preview and undo', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await page.getByRole('button', { name: 'Group by' }).click()
    await page.getByRole('menuitemradio', { name: 'Rule', exact: true }).click()
    await find(/Program critical/).click()
    await page.getByRole('grid', { name: 'Alerts', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?rule=00000000-0000-4000-8000-000000000000')
    await find(/Program critical/).waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Resolve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resolve' })
    await dialog.getByText(/alerts of \d+ rules?; .+ change/).waitFor()
    await dialog.getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('status').getByText(/alerts resolved/).waitFor()
    const resolved = async (): Promise<number> =>
      (await world.call<{ pagination: { total: number } }>('/v1/alerts?severity=critical&status=resolved&limit=1')).pagination.total
    expect(await resolved()).toBeGreaterThanOrEqual(100)
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.getByText(/alerts are as they were/).waitFor()
    expect(await resolved()).toBe(0)
  })

  test('a span of the histogram becomes the range, and back leads out of it', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await find(/Program/).waitFor()
    const chart = page.getByRole('img', { name: /most at/ })
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-.*Z$/)
    await find(/Program/).waitFor()
    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('an ended session opens the login over the page, and the page goes on after it', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts?severity=low`)
    await find(/Program low/).waitFor()
    await page.context().clearCookies()
    await page.route(
      '**/v1/alerts/*',
      async (route) => {
        await route.fulfill({
          status: 401,
          json: { error: { code: 'UNAUTHORIZED', message: 'a valid token is needed', request_id: 'r' } },
        })
      },
      { times: 1 },
    )
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(world.credentials.password)
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').getByText('Image ends with').waitFor()
    expect(page.url()).toContain('/alerts?severity=low&alert=')
  })

  test('by keyboard alone: an exception from an alert says what it would have hidden, and then hides it', async () => {
    const { page } = watched
    const rulePath = '/v1/detection/rules/00000000-0000-4000-8000-000000000002'
    type Listed = { readonly pagination: { readonly total: number } }
    const { pagination: { total } } = await world.call<Listed>('/v1/alerts?severity=medium&limit=1')
    await page.goto(`${world.origin}/alerts?severity=medium&q=wks-9.`)
    await find(/wks-9\./).waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('complementary').getByText('Image ends with').waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Exception from this alert' })
    await dialog.getByText(`it would have hidden 1 of ${total} alerts of the rule.`).waitFor()
    await dialog.getByText(/^Of \d+ events that are kept of these alerts, it excludes 1\.$/).waitFor()
    // What is left out widens the exception to all hosts.
    await dialog.getByLabel('Computer').press('Space')
    await dialog.getByText(`it would have hidden ${total} of ${total} alerts of the rule.`).waitFor()
    await dialog.getByLabel('Computer').press('Space')
    await dialog.getByText('would have hidden 1 of').waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByLabel('Reason').focus()
    await page.keyboard.type('an administration tool')
    await page.keyboard.press('Enter')
    await page.getByText('The exception is in effect.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const events = ['wks-9.example.com', 'wks-10.example.com'].map((host) => createEvent('medium', host))
    type Tested = { readonly results: readonly { readonly matched: boolean }[] }
    const { results } = await world.call<Tested>(`${rulePath}/test`, { method: 'POST', body: { events } })
    expect(results.map(({ matched }) => matched)).toEqual([false, true])
  })

  test('what is typed after the key of the palette reaches no key of the page', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await find(/Program/).waitFor()
    await page.keyboard.press('Control+k')
    const input = page.getByRole('dialog', { name: 'Pages and actions' }).getByRole('combobox')
    await input.waitFor()
    await page.keyboard.type('rul')
    await expect.poll(() => input.inputValue()).toBe('rul')
    expect(await current().count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor()
  })

  test('with a response target the list shows when alerts are due, and finds those that are overdue', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/settings/response`)
    await page.getByLabel('High (minutes)').fill('1440')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.goto(`${world.origin}/alerts?severity=high&status=open`)
    await find(/in \d+ ?h/).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${world.origin}/alerts?status=open,investigating&due=overdue`)
    await page.getByText(/^No alert matches/).first().waitFor()
  })

  test('logging out in one tab logs out all', async () => {
    const { page, context } = watched
    const other = await context.newPage()
    await other.goto(`${world.origin}/alerts`)
    await other.getByRole('heading', { name: 'Alerts' }).waitFor()
    await other.getByRole('button', { name: /default/i }).click()
    await other.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in to Tripline' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(0)
    await other.close()
  })

  test('nothing went wrong meanwhile: no error, no violation of the policy, no dialog, no request to elsewhere', () => {
    expect(watched.problems).toEqual([])
  })
})
