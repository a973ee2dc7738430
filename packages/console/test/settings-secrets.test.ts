import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

describe.skipIf(lacksBrowser)('secrets in the settings in a browser', () => {
  let world: Console
  let watched: WatchedPage
  let receiver: Server
  const received: string[] = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']))
      request.resume().on('end', () => response.end())
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    world = await openConsole({}, ['--egress-allow-cidrs', '127.0.0.0/8', '--egress-allow-insecure', '--public-url', 'http://127.0.0.1:8080'])
    watched = await openPage(world)
    await logIn(world, watched.page, '/settings/account')
  })
  afterAll(async () => {
    await world?.close()
    receiver?.close()
  })

  test('a webhook is tested, gets a new secret, and sends again what it sent', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/settings/webhooks`)
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
    const name = `Tickets ${Date.now()}`
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = page.getByRole('dialog', { name: 'Signing secret' })
    const first = await secret.locator('code').textContent()
    await secret.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name }).getByRole('button', { name: 'Deliveries' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The receiver answered: HTTP 200').waitFor()
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog', { name: 'New secret' }).getByRole('button', { name: 'New secret' }).click()
    await secret.waitFor()
    await expect.poll(() => secret.locator('code').textContent()).not.toBe(first)
    await secret.getByRole('button', { name: 'Done' }).click()
    const before = received.length
    await page.getByRole('region', { name: `Deliveries to ${name}` }).getByRole('button', { name: 'Send again' }).first().click()
    await expect.poll(() => received.length).toBeGreaterThan(before)
    await page.getByRole('button', { name: 'Send all of them again' }).click()
    await page.getByText(/deliver(y is|ies are) queued/).first().waitFor()
  })

  test('a key is rotated: the new one works, and so does the old one for a day', async () => {
    const { page } = watched
    const name = `Reports ${Date.now()}`
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

  test('a provider provisions a user with a token that is shown once, until it is revoked', async () => {
    const { page } = watched
    await world.call('/v1/settings', {
      method: 'PATCH', body: { role_mapping: [{ claim: 'groups', op: 'contains', value: 'SOC', role: 'analyst' }] },
    })
    await page.goto(`${world.origin}/settings/provisioning`)
    await page.getByText('http://127.0.0.1:8080/scim/v2').waitFor()
    await page.getByRole('button', { name: 'Issue a token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New token' })
    const token = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    const send = async (path: string, body: object): Promise<{ readonly status: number; readonly id: string }> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
      const response = await fetch(`${world.origin}/scim/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, id: ((await response.json()) as { readonly id: string }).id }
    }
    const { id } = await send('/Users', { userName: `ann-${Date.now()}@acme.example` })
    await send('/Groups', { displayName: 'SOC', members: [{ value: id }] })
    await page.reload()
    const row = page.getByRole('table', { name: 'Users and groups' }).getByRole('row', { name: /^SOC/ })
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['SOC', '', '1', 'Analyst'])
    expect(await page.content()).not.toContain(token)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('table', { name: 'Tokens' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke the token' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('There is no token, so no provider can provision users.').waitFor()
    expect((await send('/Users', { userName: 'bob' })).status).toBe(401)
  })

  test('a password is changed: a wrong one is refused, and the new one logs in', async () => {
    const credentials = await addUser(world, { email: `password-${Date.now()}@example.org`, roles: ['viewer'] })
    const { page, context, problems } = await openPage(world)
    await logIn({ ...world, credentials }, page, '/settings/account')
    const section = page.getByRole('region', { name: 'Password', exact: true })
    const password = 'another password of my own'
    const change = async (current: string): Promise<void> => {
      await section.getByLabel('Your password').fill(current)
      await section.getByLabel('New password').fill(password)
      await section.getByRole('button', { name: 'Change the password' }).click()
    }
    await change('not the password')
    await section.getByRole('alert').waitFor()
    const changed = page.waitForResponse((answer) => answer.url().endsWith('/v1/auth/password') && answer.ok())
    await change(credentials.password)
    await changed
    await context.clearCookies()
    const other = await openPage(world)
    await logIn({ ...world, credentials: { ...credentials, password } }, other.page, '/settings/account')
    await other.page.getByRole('region', { name: 'Password', exact: true }).waitFor()
    expect([...problems, ...other.problems]).toEqual([])
    await context.close()
    await other.context.close()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
