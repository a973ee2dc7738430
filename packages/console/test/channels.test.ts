import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const hostile = '<img src=x onerror=alert(1)>'
const rule = `title: Program ${hostile}
id: 00000000-0000-4000-8000-000000000019
status: stable
level: high
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = { _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'wks-1.example.com' }

type Routes = { readonly routes: readonly { readonly [name: string]: unknown }[] }

describe.skipIf(lacksBrowser)('notifications in the settings in a browser', () => {
  let world: Console
  let watched: WatchedPage
  let receiver: Server
  const received: string[] = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text)).on('end', () => {
        received.push(body)
        response.end('ok')
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    world = await openConsole(
      { rule }, ['--egress-allow-cidrs', '127.0.0.0/8', '--egress-allow-insecure', '--public-url', 'https://tripline.example'],
    )
    watched = await openPage(world)
    await logIn(world, watched.page, '/settings/channels')
  })
  afterAll(async () => {
    await world?.close()
    receiver?.close()
  })

  const dialog = () => watched.page.getByRole('dialog')
  const openChannel = (name: string) => watched.page.getByRole('table', { name: 'Notifications' }).getByRole('row', { name }).getByRole('button', { name: 'Open' })

  test('a channel is created, and its secret is never shown again', async () => {
    const { page } = watched
    await page.getByText('No channel yet.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'New channel' }).click()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog().getByLabel('Type').selectOption('slack')
    await dialog().getByLabel('Name').fill('SOC')
    await dialog().getByLabel('Webhook address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/very-secret`)
    await dialog().getByRole('button', { name: 'Save' }).click()
    await openChannel('SOC').click()
    await page.getByRole('region', { name: 'SOC', exact: true }).getByRole('button', { name: 'Edit' }).click()
    await dialog().getByText('Set. Leave it empty to keep it.').waitFor()
    expect(await page.content()).not.toContain('very-secret')
    await dialog().getByLabel('Name').fill('SOC chat')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'SOC chat', exact: true }).waitFor()
  })

  test('a test message is sent, and stands in the delivery log', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('The test message was delivered.').waitFor()
    await page.getByRole('table', { name: 'Delivery log of SOC chat' }).getByRole('row', { name: /Test: SOC chat Test Delivered 1 200/ }).waitFor()
    expect(received).toEqual([expect.stringContaining('Test: SOC chat')])
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a route with all its terms is made, read again and changed', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'New route' }).click()
    await dialog().getByLabel('Name').fill('On call')
    await dialog().getByLabel('SOC chat').check()
    await dialog().getByLabel('Which of them').selectOption('severity')
    await dialog().getByLabel('Hold notifications at these hours').check()
    await dialog().getByLabel('From').fill('23:00')
    await dialog().getByLabel('Sunday').uncheck()
    await dialog().getByLabel('Digest (minutes)').fill('5')
    await dialog().getByLabel('Notify others of what stays open').check()
    await dialog().getByRole('group', { name: 'Also notify' }).getByLabel('SOC chat').check()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /On call New alert SOC chat With a filter ?Quiet from 23:00 to 07:00/ }).waitFor()
    expect((await world.call<Routes>('/v1/channel-routes')).routes).toMatchObject([{
      name: 'On call', events: ['alert.created'], filter: { field: 'severity', op: 'in', value: ['critical', 'high'] }, digest_minutes: 5,
      quiet_hours: { from: '23:00', to: '07:00', days: [1, 2, 3, 4, 5, 6], except_severities: ['critical'] }, escalation: { after_minutes: 15 },
    }])
    await page.getByRole('row', { name: /On call/ }).getByRole('button', { name: 'Edit' }).click()
    expect(await dialog().getByLabel('From').inputValue()).toBe('23:00')
    await dialog().getByLabel('Hold notifications at these hours').uncheck()
    await dialog().getByLabel('Digest (minutes)').fill('0')
    await dialog().getByLabel('Notify others of what stays open').uncheck()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(async () => (await world.call<Routes>('/v1/channel-routes')).routes).toMatchObject([{ quiet_hours: null, escalation: null, digest_minutes: 0 }])
  })

  test('a filter that the list does not take is refused beside the form', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /On call/ }).getByRole('button', { name: 'Edit' }).click()
    await dialog().getByLabel('Which of them').selectOption('expression')
    await dialog().getByLabel('Filter expression').fill('{')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().getByRole('alert').getByText('The filter expression is not a JSON object.').waitFor()
    await dialog().getByLabel('Filter expression').fill('{"field":"nothing","op":"eq","value":1}')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().getByRole('alert').getByText(/nothing/).waitFor()
    expect((await world.call<Routes>('/v1/channel-routes')).routes).toMatchObject([{ filter: { field: 'severity' } }])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  test('an alert is in the log of its channel as text, not as markup', async () => {
    const { page } = watched
    await world.ingest([event], 1)
    await expect.poll(() => received.length).toBe(2)
    await page.reload()
    await openChannel('SOC chat').click()
    await page.getByRole('table', { name: 'Delivery log of SOC chat' }).getByText(`[high] New alert: Program ${hostile}`).waitFor()
    expect(await page.locator('#root img').count()).toBe(0)
  })

  test('a channel that a route uses stays until the route is gone', async () => {
    const { page } = watched
    await page.getByRole('region', { name: 'SOC chat', exact: true }).getByRole('button', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await dialog().getByRole('alert').getByText(/route 'On call'/).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('row', { name: /On call/ }).getByRole('button', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No event is routed to a channel, so no one is notified.').waitFor()
    await page.getByRole('region', { name: 'SOC chat', exact: true }).getByRole('button', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No channel yet.').waitFor()
    expect(await world.call('/v1/channels')).toEqual({ channels: [] })
  })

  test('a refused mail server is a result of the test, in the language of the page', async () => {
    await world.call('/v1/channels', { method: 'POST', body: { name: 'Mail', settings: {
      type: 'email', host: '127.0.0.1', port: 1, from: 'soc@example.org', to: ['ann@example.org'],
    } } })
    const credentials = await addUser(world, { email: 'engineer@example.org', roles: ['engineer'] })
    const { page, context, problems } = await openPage(world)
    await logIn({ ...world, credentials }, page, '/settings/channels')
    await page.getByRole('row', { name: /Mail/ }).waitFor()
    // As another tab would; a change of the system's theme must not have this page store its own look over it.
    await page.evaluate(() => localStorage.setItem('tripline.look', JSON.stringify({ language: 'ko' })))
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    }
    await page.reload()
    // A screen reader speaks the language that the page states.
    await page.locator('html[lang=ko]').waitFor({ state: 'attached' })
    await page.getByRole('row', { name: /Mail/ }).getByRole('button').click()
    await page.getByRole('button', { name: '테스트 보내기' }).click()
    await page.getByText(/테스트 메시지를 전달하지 못했습니다/).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
