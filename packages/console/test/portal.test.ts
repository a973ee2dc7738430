import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { pressSequence } from './press-keys.ts'

/** Names as an attacker writes them. */
const hostile = '<img src=x onerror=alert(1)>'

const rule = `title: Suspicious program ${hostile}
id: 00000000-0000-4000-8000-000000000006
status: stable
level: high
description: A program that attackers bring along was started.
falsepositives: [Tests of the administrators]
tags: [attack.execution]
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = {
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'WKS-1.Example.com',
  User: hostile,
}

type Alerts = { readonly alerts: readonly { readonly id: string; readonly verdict: string; readonly status: string }[] }

describe.skipIf(lacksBrowser)('the portal in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest([event], 1)
    const credentials = await addUser(world, { email: 'customer@example.org', roles: ['viewer'], interface: 'portal' })
    watched = await openPage(world)
    await logIn({ ...world, credentials }, watched.page, '/')
  })
  afterAll(async () => await world?.close())

  const readAlert = async () => (await world.call<Alerts>('/v1/alerts')).alerts[0]
  const panel = () => watched.page.getByRole('complementary', { name: 'Suspicious program' })

  test('a customer is led to the overview with its four widgets', async () => {
    const { page } = watched
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/portal\/?$/)
    for (const name of ['Alerts', 'Active incidents', 'Data arriving', 'Detections']) await page.getByRole('region', { name, exact: true }).waitFor()
    await page.getByRole('link', { name: '1 alert needs your answer' }).waitFor()
    const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
    // The number of open alerts stands beside the name.
    expect(names.slice(0, 5).map((name) => name.replace(/\d.*/, ''))).toEqual(['Overview', 'Alerts', 'Timeline', 'Assets', 'Connectors'])
    for (const name of ['Rules', 'Pipeline', 'System health']) expect(names).not.toContain(name)
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('the overview leads to the last report, and rows begin wide', async () => {
    const { page } = watched
    const part = page.getByRole('region', { name: 'Last report' })
    await part.getByText('No report was made yet.').waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset['density'])).toBe('comfortable')
    expect(await page.evaluate(() => localStorage.getItem('tripline.look'))).toBeNull()
    type Report = { readonly id: string; readonly status: string }
    const { id } = await world.call<Report>('/v1/reports', { method: 'POST', body: { kind: 'soc_weekly', format: 'csv', lang: 'en' } })
    await expect.poll(async () => (await world.call<Report>(`/v1/reports/${id}`)).status).toBe('succeeded')
    await page.reload()
    await part.getByText(/^Made /).waitFor()
    await part.getByRole('link').first().click()
    await page.waitForURL(/\/portal\/reports\?report=/)
    await page.goBack()
  })

  test('the logo of the reports stands in place of the name of the program', async () => {
    const { page } = watched
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Default').first().waitFor()
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await world.call('/v1/settings/branding', { method: 'PUT', body: { name: 'Acme SOC', logo: dot } })
    await page.reload()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('img', { name: 'Acme SOC' }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await world.call('/v1/settings/branding', { method: 'PUT', body: { name: '', logo: null } })
  })

  test('it prints without the frame', async () => {
    const { page } = watched
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false)
    expect(await page.getByRole('region', { name: 'Waiting for you' }).isVisible()).toBe(true)
    // Whose figures they are, and of when.
    await page.getByText(/^Default, .+ UTC to .+ UTC$/).waitFor()
    await page.emulateMedia({ media: null })
    expect(await page.getByText(/^Default, .+ UTC to .+ UTC$/).isVisible()).toBe(false)
  })

  test('it prints dark on white, whatever the theme is', async () => {
    const { page } = watched
    const readTheme = async () => await page.evaluate(() => document.documentElement.dataset['theme'])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await page.getByRole('region', { name: 'Waiting for you' }).waitFor()
    expect(await readTheme()).toBe('dark')
    await page.evaluate(() => {
      addEventListener('beforeprint', () => (document.documentElement.dataset['printed'] = document.documentElement.dataset['theme']))
    })
    await page.pdf()
    expect([await page.evaluate(() => document.documentElement.dataset['printed']), await readTheme()]).toEqual(['light', 'dark'])
    await page.emulateMedia({ colorScheme: null })
  })

  test('an alert is answered by keys and one button, and the answer can be taken back', async () => {
    const { page } = watched
    await pressSequence(page, 'g a')
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await panel().getByText('A program that attackers bring along was started.').waitFor()
    await panel().getByText('Tests of the administrators').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await panel().getByRole('button', { name: 'This was us' }).click()
    await page.getByRole('status').getByText('Your analysts have your answer.').waitFor()
    await panel().getByText('Answered by customer@example.org.').waitFor()
    expect(await readAlert()).toMatchObject({ verdict: 'benign', status: 'open' })
    await page.keyboard.press('u')
    await panel().getByText('Answered by customer@example.org.').waitFor({ state: 'detached' })
    expect(await readAlert()).toMatchObject({ verdict: 'unreviewed' })
  })

  test('what a customer may not do is absent, and its address in the console leads to the portal', async () => {
    const { page } = watched
    expect(await page.getByRole('button', { name: /Investigate|Resolve|Assign to me/ }).count()).toBe(0)
    const { id } = (await readAlert())!
    await page.goto(`${world.origin}/alerts/${id}`)
    await panel().waitFor()
    expect(new URL(page.url()).pathname).toBe('/portal/alerts')
  })

  test('six filters are always there, and what they choose is in the address', async () => {
    const { page } = watched
    await page.keyboard.press('Escape')
    for (const label of ['Severity', 'Status', 'Source', 'Tactic', 'Your answer']) await page.getByLabel(label, { exact: true }).waitFor()
    await page.getByLabel('Tactic', { exact: true }).selectOption('execution')
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    await page.getByLabel('Severity', { exact: true }).selectOption('critical')
    await page.getByText('No alert matches these filters.').waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('severity'), searchParams.get('tactic')]).toEqual(['critical', 'execution'])
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('what a link narrows the list by is shown in words, and can be removed', async () => {
    const { page } = watched
    const choice = async (label: string): Promise<string | null> => {
      return await page.getByLabel(label, { exact: true }).locator('option:checked').textContent()
    }
    await page.goto(`${world.origin}/portal`)
    await page.getByRole('link', { name: '1 alert needs your answer' }).click()
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    expect(await Promise.all(['Severity', 'Status', 'Your answer'].map(choice))).toEqual([
      'Critical, High', 'New, Being looked at', 'None yet',
    ])
    await page.getByLabel('Your answer', { exact: true }).selectOption('It was not us')
    await page.getByText('No alert matches these filters.').waitFor()
    await page.goto(`${world.origin}/portal/alerts?host=elsewhere.example.com`)
    await page.getByText('No alert matches these filters.').waitFor()
    await page.getByText('Host: elsewhere.example.com', { exact: true }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove the filter Host: elsewhere.example.com' }).click()
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('host')).toBeNull()
  })

  test('once it is answered, an alert says what follows from the answer', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /Suspicious program/ }).click()
    await panel().getByText(/^Tell us now whether you know this/).waitFor()
    await panel().getByRole('button', { name: 'This was not us' }).click()
    await panel().getByText(/^Leave the machine on, .+ go on from your answer\.$/).waitFor()
    await panel().getByRole('button', { name: 'This was us' }).click()
    await panel().getByText('Nothing more: your analysts know that this was you.').waitFor()
    expect(await panel().getByText(/^Tell us now/).count()).toBe(0)
  })

  test('an asset leads to its open alerts, whatever the case of its name in them is', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/portal/assets?tab=list`)
    await page.getByRole('row', { name: /wks-1\.example\.com/ }).click()
    await page.getByRole('complementary').getByRole('link', { name: '1 open alert' }).click()
    await page.getByRole('row', { name: /Suspicious program .* WKS-1\.Example\.com/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/portal/alerts')
    // Of the host alone: a text would find it within other names too.
    expect(new URL(page.url()).searchParams.get('host')).toBe('wks-1.example.com')
  })

  test('the overview says what its colours mean, and that no connector is set up', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/portal`)
    const stated = [['Alerts', 'High'], ['Detections', 'Made an alert'], ['Data arriving', 'No connector is set up.']] as const
    for (const [name, text] of stated) {
      await page.getByRole('region', { name, exact: true }).getByText(text, { exact: true }).waitFor()
    }
    expect(await page.getByText(/ of 0 connectors/).count()).toBe(0)
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
