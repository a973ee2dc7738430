import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000041
status: stable
level: medium
tags: [attack.execution, attack.t1204]
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = {
  '_logsource': { category: 'process_creation', product: 'windows' }, 'Image': 'C:\\Tools\\tool.exe', 'Computer': 'wks-7.example.com',
  'User': 'EXAMPLE\\b.huber', 'CommandLine': 'tool.exe /run',
}

describe.skipIf(lacksBrowser)('the palette in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.call('/v1/assets/import', { method: 'POST', body: [{ hostname: 'wks-7.example.com', ip_addresses: ['192.0.2.7'] }] })
    await world.ingest([event], 1)
    await world.call('/v1/views', { method: 'POST', body: { page: 'search', name: 'Logons of yesterday', query: 'q=logon&from=-24h' } })
    watched = await openPage(world)
    await logIn(world, watched.page, '/alerts')
  })
  afterAll(async () => await world?.close())

  /** Opens the palette by its key, and types. */
  const type = async (text: string, { page } = watched) => {
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Pages and actions' })
    await dialog.getByRole('combobox').waitFor()
    await page.keyboard.insertText(text)
    return dialog
  }
  const address = (): URL => new URL(watched.page.url())
  /** Chooses an option by keyboard: arrow keys until it is the one that Enter takes. */
  const take = async (dialog: Awaited<ReturnType<typeof type>>, name: RegExp): Promise<void> => {
    const option = dialog.getByRole('option', { name }).first()
    await option.waitFor()
    while ((await option.getAttribute('aria-selected')) !== 'true') await watched.page.keyboard.press('ArrowDown')
    await watched.page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }

  test('a long name is cut, so that what it is stays in sight', async () => {
    const dialog = await type('x'.repeat(200))
    await dialog.getByRole('option', { name: /^Search events for/ }).waitFor()
    expect(await dialog.getByRole('listbox').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
    await watched.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test.for([
    ['a rule by its title', 'suspicious prog', /^Suspicious program Rules/, '/rules/'],
    ['a host', 'wks-7', /^wks-7\.example\.com · 192\.0\.2\.7 Hosts/, '/assets?asset='],
    ['a user', 'huber', /b\.huber Users/, '/alerts?user=EXAMPLE%5Cb.huber&from=-30d'],
    ['an alert', 'wks-7', /^Suspicious program · wks-7\.example\.com · .+ Alerts/, '/alerts?alert='],
    ['a saved view', 'logons of', /^Logons of yesterday Saved views/, '/search?q=logon&from=-24h'],
    ['an address', '192.0.2.7', /^Assets with the address 192\.0\.2\.7/, '/assets?q=192.0.2.7'],
    ['a hash', '44d88612fea8a8f36de82e1278abb02f', /^Alerts that name 44d88612/, '/alerts?q=44d88612fea8a8f36de82e1278abb02f'],
    ['a technique', 't1204', /^Rules for the technique T1204/, '/rules?technique=T1204'],
    ['the events with a text', 'no such "thing"', /^Search events for/, '/search?q=%22no+such+%5C%22thing%5C%22%22'],
  ] as const)('finds %s', async ([, text, name, place]) => {
    const dialog = await type(text)
    await take(dialog, name)
    await expect.poll(() => address().pathname + address().search).toContain(place)
    await watched.page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('says what Enter does, shows no violation, and begins with what was chosen last', async () => {
    const { page } = watched
    const dialog = await type('wks-7')
    await dialog.getByRole('option', { name: /Hosts/ }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    const first = dialog.getByRole('option').first()
    expect(await first.getAttribute('aria-selected')).toBe('true')
    expect(await first.locator('kbd').last().textContent()).toBe('↵')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const again = await type('')
    expect(await again.getByRole('option').first().textContent()).toMatch(/^Search events for “no such "thing"”Recent/)
    await page.keyboard.press('Escape')
  })

  test('the id of a rule leads to it', async () => {
    const id = '00000000-0000-4000-8000-000000000041'
    const dialog = await type(id)
    await take(dialog, /^Suspicious program Rules/)
    await expect.poll(() => address().pathname).toBe(`/rules/${id}`)
  })

  test('members of the portal find what their pages show alone', async () => {
    const credentials = await addUser(world, { email: 'ann@customer.example', roles: ['viewer'], interface: 'portal' })
    const theirs = await openPage(world)
    await logIn({ origin: world.origin, credentials }, theirs.page)
    const dialog = await type('suspicious', theirs)
    await dialog.getByRole('option', { name: /Alerts$/ }).waitFor()
    expect(await dialog.getByRole('option', { name: /Rules$/ }).count()).toBe(0)
    await theirs.page.keyboard.press('Escape')
    const host = await type('wks-7', theirs)
    await host.getByRole('option', { name: /Hosts/ }).click()
    await expect.poll(() => new URL(theirs.page.url()).pathname).toBe('/portal/assets')
    expect(theirs.problems).toEqual([])
    await theirs.context.close()
  })

  test('what is typed while its code is loaded is in it', async () => {
    const slow = await openPage(world)
    const loaded = Promise.withResolvers<void>()
    await slow.page.route('**/files/palette-*.js', async (route) => {
      await loaded.promise
      await route.continue()
    })
    await logIn(world, slow.page, '/alerts')
    await slow.page.keyboard.press('Control+k')
    const dialog = slow.page.getByRole('dialog', { name: 'Pages and actions' })
    await dialog.waitFor()
    expect(await dialog.getByRole('combobox').count()).toBe(0)
    await slow.page.keyboard.type('suspicious')
    loaded.resolve()
    await dialog.getByRole('option', { name: /^Suspicious program Rules/ }).waitFor()
    expect(await dialog.getByRole('combobox').inputValue()).toBe('suspicious')
    expect(slow.problems).toEqual([])
    await slow.context.close()
  })

  test('what is typed at once is in it', async () => {
    await watched.page.goto(new URL('/alerts', address()).href)
    await watched.page.getByRole('row').nth(1).waitFor()
    await watched.page.waitForLoadState('networkidle')
    await watched.page.keyboard.press('Control+k')
    await watched.page.keyboard.type('suspicious')
    const dialog = watched.page.getByRole('dialog', { name: 'Pages and actions' })
    await dialog.getByRole('option', { name: /^Suspicious program Rules/ }).waitFor()
    expect(await dialog.getByRole('combobox').inputValue()).toBe('suspicious')
    await watched.page.keyboard.press('Escape')
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
