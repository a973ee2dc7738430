import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

describe.skipIf(lacksBrowser)('the focus of the keyboard', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({})
    await addUser(world, { email: 'bob@example.org', roles: ['viewer'] })
    watched = await openPage(world)
    await logIn(world, watched.page, '/settings/users')
  })
  afterAll(async () => await world?.close())

  const expectFocus = async (place: Locator): Promise<void> => {
    await expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true)
  }
  const go = async (path: string): Promise<void> => {
    await watched.page.goto(world.origin + path)
    await watched.page.getByRole('heading', { level: 1 }).waitFor()
  }

  test.each([
    { path: '/settings/users', button: 'Add a user', title: 'Add a user' },
    { path: '/settings/api-keys', button: 'Create an API key', title: 'Create an API key' },
    { path: '/settings/webhooks', button: 'Add a webhook', title: 'Add a webhook' },
    { path: '/settings/channels', button: 'New channel', title: 'New channel' },
    { path: '/settings/requests', button: 'New request', title: 'New request' },
    { path: '/settings/automation', button: 'New playbook', title: 'New playbook' },
    { path: '/reports', button: 'New report', title: 'New report' },
  ])('a dialog gives it back to what opened it: $path', async ({ path, button, title }) => {
    const { page } = watched
    await go(path)
    const opener = page.getByRole('button', { name: button, exact: false }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: title }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: title }).waitFor({ state: 'detached' })
    await expectFocus(opener)
  })

  test('a dialog that a dialog opens gives it back to where the first was opened', async () => {
    const { page } = watched
    await go('/settings/api-keys')
    const opener = page.getByRole('button', { name: 'Create an API key' })
    await opener.click()
    await page.getByLabel('Name').fill('Reports')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New API key' }).getByRole('button', { name: 'Done' }).click()
    await expectFocus(opener)
  })

  test('where what opened it is gone, the page has it', async () => {
    const { page } = watched
    await go('/settings/users')
    await page.getByRole('row', { name: /bob@example.org/ }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove user' }).click()
    await page.getByRole('dialog', { name: 'Remove user' }).getByRole('button', { name: 'Remove user' }).click()
    await page.getByRole('row', { name: /bob@example.org/ }).waitFor({ state: 'detached' })
    await expectFocus(page.getByRole('main'))
  })

  test.each([
    { path: '/settings/general', field: 'Minutes in which matches join one alert', value: '45' },
    { path: '/settings/retention', field: 'Days that events are kept', value: '60' },
    { path: '/settings/grouping', field: 'Time between two alerts', value: '2h' },
    { path: '/settings/response', field: 'Critical (minutes)', value: '30' },
    { path: '/settings/branding', field: 'Name', value: 'Example SOC' },
  ])('a form that is saved keeps it: $path', async ({ path, field, value }) => {
    const { page } = watched
    await go(path)
    await page.getByLabel(field, { exact: true }).fill(value)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').first().waitFor()
    await expectFocus(save)
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe(value)
  })

  test('a form that is refused keeps it, and what was typed', async () => {
    const { page } = watched
    await go('/settings/general')
    await page.getByLabel('Time zone', { exact: true }).fill('Nowhere/Land')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText(/IANA/).waitFor()
    await expectFocus(save)
    expect(await page.getByLabel('Time zone', { exact: true }).inputValue()).toBe('Nowhere/Land')
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
