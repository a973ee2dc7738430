import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

/** Names as an attacker writes them. */
const hostile = '<img src=x onerror=alert(1)>"\'`{{7*7}}'

type Users = { readonly users: readonly { readonly email: string; readonly roles: readonly string[] }[] }

describe.skipIf(lacksBrowser)('the pages Settings and Compliance in a browser', () => {
  let world: Console
  let watched: WatchedPage
  let receiver: Server
  const received: string[] = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(request.headers['webhook-id'] as string)
      request.resume().on('end', () => response.end())
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    world = await openConsole({})
    watched = await openPage(world)
    await logIn(world, watched.page, '/settings/users')
  })
  afterAll(async () => {
    await world?.close()
    receiver?.close()
  })

  const open = async (section: string): Promise<void> => {
    await watched.page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link', { name: section }).click()
  }
  const saved = async (text = 'Saved.'): Promise<void> => await watched.page.getByRole('status').getByText(text).first().waitFor()

  test('a user is added; the one-time password is shown once, and works', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Add a user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a user' })
    await dialog.getByLabel('Email').fill('bob@example.org')
    await dialog.getByLabel('Name').fill(hostile)
    await dialog.getByLabel('Pages').selectOption('portal')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const secret = page.getByRole('dialog', { name: 'One-time password' })
    expect(await secret.locator('code').textContent()).toMatch(/^\S{10,}$/)
    await secret.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row', { name: /bob@example.org/ })
    for (const text of [hostile, 'Analyst', 'Portal', 'Active']) await row.getByText(text, { exact: true }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a user is changed, and removed after a question', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /bob@example.org/ }).getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: /^Edit/ })
    await dialog.getByLabel('Engineer').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /bob@example.org/ }).getByText('Analyst, Engineer').waitFor()
    await page.getByRole('row', { name: /bob@example.org/ }).getByRole('button').click()
    await dialog.getByRole('button', { name: 'Remove user' }).click()
    await page.getByRole('dialog', { name: 'Remove user' }).getByRole('button', { name: 'Remove user' }).click()
    await page.getByRole('row', { name: /bob@example.org/ }).waitFor({ state: 'detached' })
    expect((await world.call<Users>('/v1/users')).users.map(({ email }) => email)).toEqual(['admin@localhost'])
  })

  test('the last administrator stays: what the server refuses stands in the dialog', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /admin@localhost/ }).getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: /^Edit/ })
    await dialog.getByLabel('Administrator').uncheck()
    await dialog.getByLabel('Viewer').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText(/last active admin/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await world.call<Users>('/v1/users')).users[0]).toMatchObject({ roles: ['admin', 'operator'] })
  })

  test('general settings are changed, and wrong ones are refused beside the form', async () => {
    const { page } = watched
    await open('General')
    await page.getByLabel('Time zone', { exact: true }).fill('Nowhere/Land')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText(/IANA/).waitFor()
    await page.getByLabel('Time zone', { exact: true }).fill('Asia/Seoul')
    await page.getByLabel('Your domains, one a line').fill('example.org\nexample.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await saved()
    expect(await world.call('/v1/settings')).toMatchObject({ timezone: 'Asia/Seoul', own_domains: ['example.org', 'example.com'] })
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a role mapping is tried before it is saved', async () => {
    const { page } = watched
    await open('Role mapping')
    await page.getByRole('button', { name: 'Add an entry' }).click()
    await page.getByLabel('Value').fill('soc-analysts')
    await page.getByLabel('Role', { exact: true }).selectOption('analyst')
    await page.getByRole('button', { name: 'Show the role' }).click()
    await page.getByText('Analyst, by entry 1.').waitFor()
    await page.getByLabel('Claims of a token, as JSON').fill('{"groups":["others"]}')
    await page.getByRole('button', { name: 'Show the role' }).click()
    await page.getByText('No entry fits: the token would be refused.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await saved()
    expect(await world.call('/v1/settings')).toMatchObject({ role_mapping: [{ claim: 'groups', value: 'soc-analysts', role: 'analyst' }] })
  })

  test('an API key is shown once, rotated and revoked', async () => {
    const { page } = watched
    await open('API keys')
    await page.getByText('No API key yet.').waitFor()
    await page.getByRole('button', { name: 'Create an API key' }).click()
    await page.getByLabel('Name').fill('Reports')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    const key = (await dialog.locator('code').textContent()) ?? ''
    const answer = await fetch(`${world.origin}/api/v1/alerts`, { headers: { 'x-api-key': key, authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('row', { name: /Reports/ }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /Reports/ }).getByText('Revoked').waitFor()
  })

  test('a key is rotated: the new one works, and so does the old one for a day', async () => {
    const { page } = watched
    const name = `Rotated ${Date.now()}`
    const { key: old } = await world.call<{ readonly key: string }>('/v1/api-keys', { method: 'POST', body: { name, scope: 'read-only' } })
    await page.goto(`${world.origin}/settings/api-keys`)
    await page.getByRole('row', { name }).getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog', { name: 'Rotate' }).getByRole('button', { name: 'Rotate' }).click()
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    const key = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(key).not.toBe(old)
    for (const one of [key, old]) {
      const { status } = await fetch(`${world.origin}/api/v1/alerts`, { headers: { authorization: `Bearer ${one}` } })
      expect(status).toBe(200)
    }
  })

  test('retention asks before it removes anything', async () => {
    const { page } = watched
    await open('Retention')
    const slider = page.getByLabel('Days that events are kept, on a slider')
    // Browsers draw the rail of their own slider white in the dark theme.
    expect(await slider.evaluate((element) => getComputedStyle(element).appearance)).toBe('none')
    await slider.fill('7')
    expect(await page.getByLabel('Days that events are kept', { exact: true }).inputValue()).toBe('7')
    await page.getByText('It is 30 days now: what is older than 7 days is removed.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Keep less?' })
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove what is older' }).click()
    await saved()
    expect(await world.call('/v1/settings')).toMatchObject({ retention: { events_days: 7 } })
  })

  test('incident grouping is switched off and on', async () => {
    const { page } = watched
    await open('Incident grouping')
    await page.getByLabel('Time between two alerts').fill('30m')
    await page.getByLabel('Address', { exact: true }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await saved()
    expect(await world.call('/v1/settings')).toMatchObject({ incident_grouping: { window: '30m', entities: ['host', 'user', 'ip'] } })
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('the audit trail shows what was done, and its chain holds', async () => {
    const { page } = watched
    await open('Audit trail')
    await page.getByRole('row', { name: /Settings: changed/ }).first().waitFor()
    await page.getByRole('row', { name: /User: removed/ }).first().waitFor()
    await page.getByRole('button', { name: 'Verify the chain' }).click()
    await page.getByText(/entries, unbroken\./).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    const search = page.getByRole('searchbox', { name: 'Who, what, on what' })
    for (const [text, found] of [['settings: changed', 1], [world.credentials.email, 2], ['nobody at all', 0]] as const) {
      await search.fill(text)
      await (found === 0
        ? page.getByText('Nothing of this range matches these filters.').waitFor()
        : page.getByRole('row', { name: /Settings: changed/ }).first().waitFor())
      await expect.poll(async () => await page.getByRole('row', { name: /User: removed/ }).count() > 0).toBe(found === 2)
    }
    await search.fill('')
    await page.getByRole('row', { name: /User: removed/ }).first().waitFor()
    await page.getByLabel('Outcome', { exact: true }).selectOption('refused')
    await page.getByRole('row', { name: /Settings: changed/ }).first().waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('refused')
  })

  test('a webhook that may not reach a private address says so', async () => {
    const { page } = watched
    await open('Webhooks')
    await page.getByText('No webhook yet.').waitFor()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
    await dialog.getByLabel('Name').fill('Tickets')
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    expect(received).toEqual([])
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  test('a framework is assessed, a control opened, attested and withdrawn', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/compliance`)
    await page.getByRole('navigation', { name: 'Frameworks' }).getByRole('link').first().waitFor()
    await page.getByRole('button', { name: 'Collect evidence now' }).click()
    await page.getByText('The evidence is collected.').waitFor()
    await page.getByRole('row').nth(1).waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    const panel = page.getByRole('complementary')
    await panel.getByLabel('Address of the proof').fill('https://wiki.example.org/policy')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await panel.getByRole('button', { name: 'Attest' }).click()
    await panel.getByText('https://wiki.example.org/policy').waitFor()
    await panel.getByRole('button', { name: 'Withdraw' }).click()
    await panel.getByLabel('Address of the proof').waitFor()
    await panel.getByLabel('Owner').fill(hostile)
    await panel.getByRole('button', { name: 'Save' }).click()
    await saved()
    // The column of owners has no room beside the panel.
    await page.keyboard.press('Escape')
    await page.getByRole('grid').getByText(hostile).waitFor()
  })

  test('a text that programs read is monospaced', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/settings/rule-pipelines`)
    const families = await page.getByLabel('Rule (YAML)').evaluate((field) => getComputedStyle(field).fontFamily)
    expect(families).toMatch(/^"?JetBrains Mono/)
  })

  test('the sections are lists by what they are about', async () => {
    const lists = watched.page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('list')
    const read = await lists.evaluateAll((all) => all.map((list) => {
      const name = document.getElementById(list.getAttribute('aria-labelledby') ?? '')?.textContent ?? ''
      return `${name}: ${[...list.querySelectorAll('li')].map((item) => item.textContent).join(', ')}`
    }))
    expect(read).toEqual([
      'Personal: Your account',
      'Organization: General, Report branding',
      'People and access: Users, Role mapping, Sign-on, Provisioning, API keys',
      'Alerts and response: Incident grouping, Response times, Automation, Notifications, Webhooks',
      'Detection and context: Rule pipelines, Identities, Indicators, Subdomains',
      'Data and records: Retention, Requests of persons, Audit trail',
    ])
  })

  test('sign-on has its other name as an address too', async () => {
    await watched.page.goto(`${world.origin}/settings/sso`)
    await watched.page.waitForURL(/\/settings\/sign-on$/)
    await watched.page.getByRole('region', { name: 'Sign-on' }).first().waitFor()
    expect(new URL(watched.page.url()).pathname).toBe('/settings/sign-on')
  })

  test('the own sessions say from where they are used, and which is this one', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/settings/account`)
    const row = page.getByRole('table', { name: 'Your sessions' }).getByRole('row').filter({ hasText: 'This one' })
    await row.waitFor()
    expect(await row.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(['Chrome on Linux', '127.0.0.1']))
  })

  test('a viewer sees the own account and nothing to administer', async () => {
    const credentials = await addUser(world, { email: 'viewer@example.org', roles: ['viewer'] })
    const { page, context, problems } = await openPage(world, 'light')
    await logIn({ ...world, credentials }, page, '/settings/account')
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    const names = await page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link').allTextContents()
    expect(names).toEqual(['Your account'])
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText(/^otpauth:/).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.goto(`${world.origin}/settings/users`)
    const refused = page.getByRole('alert').filter({ hasText: /needs the permission administer_tenant/ }).first()
    await refused.getByText(`It is held by ${world.credentials.email}.`).waitFor()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await refused.getByRole('button', { name: 'Copy the id of the request' }).click()
    await expect.poll(async () => {
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      return await refused.getByText(`Request ${copied}`, { exact: true }).count()
    }).toBe(1)
    expect(await findViolationsOfThemes(page)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
