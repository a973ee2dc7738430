import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectRequests, findRepeated, findWarnings, leave } from './collect-requests.ts'
import { findViolations, findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { pagePaths, ruleOfPages } from './page-paths.ts'
import { pressSequence } from './press-keys.ts'

/** What an attacker would write where a log states a name. */
const hostile = '<img src=x onerror=alert(1)>\u202e"\'`{{7*7}}'
const rule = `title: "Program ${hostile.replaceAll('\\', '').replaceAll('"', '')}"
id: ${ruleOfPages}
status: stable
level: high
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const createEvent = (host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: host, User: hostile,
  CommandLine: hostile, [hostile]: hostile,
})

/** More than a list loads at first. */
const alertCount = 160

type Operation = { readonly parameters?: readonly { readonly name?: string; readonly in?: string }[] }
type Documented = { readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } } }

const openApi = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/api/console.json'), 'utf8')) as Documented

/** What of a request the OpenAPI document does not have; undefined if nothing. */
function findUndocumented(method: string, url: URL): string | undefined {
  const fits = Object.keys(openApi.paths).filter((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname))
  const operations = fits.flatMap((path) => openApi.paths[path]?.[method.toLowerCase()] ?? [])
  if (operations.length === 0) return `${method} ${url.pathname}`
  const known = operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name))
  const unknown = [...url.searchParams.keys()].filter((name) => !known.includes(name))
  return unknown.length === 0 ? undefined : `${method} ${url.pathname}: ${unknown.join()}`
}

describe.skipIf(lacksBrowser)('every page in a browser', () => {
  let world: Console
  let watched: WatchedPage
  const undocumented = new Set<string>()

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest(Array.from({ length: alertCount }, (_, index) => createEvent(`wks-${index}.example.com`)), alertCount)
    // The newest is the first that lists show.
    await world.ingest([createEvent(hostile)], alertCount + 1)
    watched = await openPage(world)
    watched.page.on('request', (request) => {
      const url = new URL(request.url())
      const problem = url.pathname.startsWith('/v1/') ? findUndocumented(request.method(), url) : undefined
      if (problem !== undefined) undocumented.add(problem)
    })
    await logIn(world, watched.page)
  })
  afterAll(async () => await world?.close())

  test.for(pagePaths)('%s makes nothing of the texts of logs, is no wider than the window, and asks for nothing twice at once', async (path) => {
    const { page } = watched
    await leave(page)
    const requests = await collectRequests(page, async () => {
      await page.goto(world.origin + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    })
    expect(findRepeated(requests)).toEqual([])
    expect(await findWarnings(requests)).toEqual([])
    const shown = await page.evaluate(() => ({
      made: document.querySelectorAll('#root img, #root script, [onerror], [onload]').length,
      isWide: document.documentElement.scrollWidth > innerWidth,
    }))
    expect(shown).toEqual({ made: 0, isWide: false })
    // Themes differ in colours alone, which come from the same tokens: a chart, a matrix and a form stand for the others.
    const isInBothThemes = ['/', '/rules/matrix', '/settings/general'].includes(path)
    expect(await (isInBothThemes ? findViolationsOfThemes : findViolations)(page)).toEqual([])
  })

  test.for<[path: string, ...parts: string[]]>([
    ['/alerts', 'Alerts', 'The bars'],
    ['/search', 'Events', 'Values of the events'],
    ['/pipeline', 'The figures', 'The charts'],
  ])('%s says which of its parts failed', async ([path, ...parts]) => {
    const { page } = watched
    await failEverything(page)
    await page.goto(world.origin + path)
    const readFailed = async (): Promise<readonly string[]> => {
      const texts = await page.getByRole('alert').allInnerTexts()
      return texts.flatMap((text) => /^(.+) could not be loaded: the database is locked$/m.exec(text)?.[1] ?? [])
    }
    await expect.poll(readFailed).toEqual(expect.arrayContaining(parts))
    await page.unrouteAll({ behavior: 'wait' })
  })

  test.for(pagePaths.filter((path) => path !== '/settings/account'))('%s says what failed, and goes on when it works again', async (path) => {
    const { page } = watched
    await failEverything(page)
    await page.goto(world.origin + path)
    await page.getByRole('alert').getByText('the database is locked').first().waitFor()
    // What is not known is no count: such as 0 incidents.
    expect(await page.getByRole('main').innerText()).not.toMatch(/(?<![\d.,])0 \p{L}{3,}/u)
    await page.unrouteAll({ behavior: 'wait' })
    // All buttons at once, without waiting for one: some parts of a page ask again by themselves.
    const tryAgain = (): Promise<number> => page.evaluate(() => {
      const buttons = [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Try again')
      for (const button of buttons) button.click()
      return buttons.length
    })
    await expect.poll(tryAgain).toBe(0)
  })

  test('five cut connections lose no alert and count none twice', async () => {
    const { page, context, problems } = await openPage(world)
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/monitoring/, (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
    await logIn(world, page)
    const { pagination } = await world.call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?limit=1')
    for (let cut = 1; cut <= 5; cut++) {
      await expect.poll(() => sockets.length).toBe(cut)
      await page.getByText(/^Live/).waitFor()
      await sockets[cut - 1]!.close()
      await world.ingest([createEvent(`cut-${cut}-${pagination.total}.example.com`)], pagination.total + cut)
    }
    await page.getByRole('button', { name: '5 new' }).waitFor()
    await page.keyboard.press('.')
    for (let cut = 1; cut <= 5; cut++) await page.getByRole('row', { name: new RegExp(`cut-${cut}-${pagination.total}`) }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('another tenant gets nothing of this one: not by address, in lists, in the palette or by the socket', async () => {
    const acme = { id: 'acme', name: 'Acme', admin: { email: 'ann@acme.example', name: 'Ann' } }
    const { one_time_password: given } = await world.call<{ readonly one_time_password: string }>('/v1/tenants', { method: 'POST', body: acme })
    const password = 'a password of my own'
    const body = JSON.stringify({ email: acme.admin.email, password: given, new_password: password })
    const first = await fetch(`${world.origin}/v1/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(first.status).toBe(200)
    type Ids = { readonly [list: string]: readonly { readonly id: string }[] }
    // Assets and stored events come after the alerts.
    const readId = async (path: string, list: string): Promise<string> => {
      await expect.poll(async () => (await world.call<Ids>(path))[list]?.length).toBeGreaterThan(0)
      return (await world.call<Ids>(path))[list]![0]!.id
    }
    const addresses = [
      `/alerts/${await readId('/v1/alerts?limit=1', 'alerts')}`, `/incidents/${await readId('/v1/incidents?limit=1', 'incidents')}`,
      `/assets/${await readId('/v1/assets?limit=1', 'assets')}`, `/search?event=${await readId('/v1/search?limit=1', 'data')}`,
    ]
    const { page, context, problems } = await openPage(world)
    const frames: string[] = []
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
    await logIn({ origin: world.origin, credentials: { email: acme.admin.email, password } }, page)
    await page.getByText(/^Live/).waitFor()
    for (const address of addresses) {
      await page.goto(world.origin + address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('alert').or(page.getByText('Nothing exists at this address.')).first().waitFor()
      expect(await page.locator('body').innerText(), address).not.toContain('onerror')
    }
    const { pagination } = await world.call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?limit=1')
    await world.ingest([createEvent('theirs.example.com')], pagination.total + 1)
    await page.goto(`${world.origin}/alerts`)
    await page.getByText(/^No alert yet/).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('theirs')
    await page.getByText(/^Live/).waitFor()
    expect(await page.locator('body').innerText()).not.toContain('theirs.example.com')
    expect(frames.filter((frame) => frame.includes('new_alert'))).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  test('on a slow network a change is sent once, and without one all that is open stays', async () => {
    const { page, context, problems } = await openPage(world)
    await logIn(world, page, '/pipeline')
    let sent = 0
    await page.route('**/v1/alerts**', async (route) => {
      if (route.request().method() === 'PUT') sent++
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await pressSequence(page, 'g a')
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('j')
    for (let press = 0; press < 3; press++) await page.keyboard.press('i')
    await page.locator('[role=row][aria-selected=true]').getByText('Investigating').waitFor()
    await page.getByRole('status').getByText('Alert under investigation').waitFor()
    expect(sent).toBe(1)
    // The network is gone: what is there stays, also where code is missing, and goes on when it is back.
    await page.getByLabel('Rule, host, user, command line').fill('written by hand')
    await context.setOffline(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Rule, host, user, command line').inputValue()).toBe('written by hand')
    await pressSequence(page, 'g r')
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    // Requests that still wait would be sent into a context that is closed, which is an error outside of all tests.
    await page.unrouteAll({ behavior: 'wait' })
    // React prints what a boundary caught, here the code that could not be loaded.
    expect(problems.filter((problem) => !/Unable to preload|dynamically imported/.test(problem))).toEqual([])
    await context.close()
  })

  test('every request is in the OpenAPI document', () => {
    expect([...undocumented]).toEqual([])
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})

/** Answers every request of a page but those of its session with an error of the server. */
async function failEverything(page: Page): Promise<void> {
  await page.route('**/v1/**', async (route) => {
    const body = { error: { code: 'INTERNAL_ERROR', message: 'the database is locked', request_id: 'r-1' } }
    await (route.request().url().includes('/v1/auth/') ? route.continue() : route.fulfill({ status: 500, json: body }))
  })
}
