import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from '../find-violations.ts'
import { addUser, lacksBrowser, openConsole, openPage } from '../open-console.ts'
import type { Console } from '../open-console.ts'
import { printProgramRule } from '../program-rule.ts'
import { createHands, inputs, watchInputs } from './hands.ts'

const ruleId = '00000000-0000-4000-8000-000000000061'
const rule = printProgramRule(ruleId, 1, 'tool')
const event = {
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'ours.example.com',
}

/** The tenant that a request is of. */
function readTenant(authorization: string | undefined): string | undefined {
  const [, claims = ''] = /^Bearer [^.]+\.([^.]+)/.exec(authorization ?? '') ?? []
  return /"tenant_id":"([^"]+)"/.exec(Buffer.from(claims, 'base64url').toString())?.[1]
}

describe.skipIf(lacksBrowser)('an account of two tenants, by mouse and by keyboard', () => {
  let world: Console
  let credentials: Console['credentials']

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest([event], 1)
    credentials = await addUser(world, { email: 'both@example.org', roles: ['analyst'] })
    const acme = { id: 'acme', name: 'Acme Corp', admin: { email: credentials.email, name: 'Both' } }
    await world.call('/v1/tenants', { method: 'POST', body: acme })
  })
  afterAll(async () => await world?.close())

  test.for(inputs)('by %s: chooses one at the login and goes on in the other, where nothing of the first is left', async (input) => {
    const { page, context, problems } = await openPage(world)
    const { take } = await watchInputs(page)
    const hands = createHands(page, input)
    await page.goto(`${world.origin}/alerts`)
    await hands.write(page.getByLabel('Email'), credentials.email)
    await hands.write(page.getByLabel('Password'), credentials.password)
    await hands.press(page.getByRole('button', { name: 'Log in', exact: true }))
    await hands.choose(page.getByLabel('Tenant'), 'default')
    await hands.press(page.getByRole('button', { name: 'Log in', exact: true }))
    await page.getByRole('row', { name: /ours\.example\.com/ }).waitFor()
    await hands.openRow(page.getByRole('row', { name: /ours\.example\.com/ }))
    const other = await context.newPage()
    await other.goto(`${world.origin}/alerts`)
    await other.getByRole('row', { name: /ours\.example\.com/ }).waitFor()
    await page.bringToFront()
    const tenants: (string | undefined)[] = []
    const frames: string[] = []
    page.on('request', (request) => {
      if (/\/v1\/(?!auth\/)/.test(request.url())) tenants.push(readTenant(request.headers()['authorization']))
    })
    // What counts is what is asked for from then on.
    page.on('response', (response) => {
      if (response.url().endsWith('/v1/auth/switch')) tenants.length = 0
    })
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
    const item = page.getByRole('menu', { name: 'Tenant and account' }).getByRole('menuitem', { name: 'Acme Corp (acme)' })
    await hands.chooseItem(page.getByRole('button', { name: 'default' }), item)
    await page.getByRole('button', { name: 'Acme Corp' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(take()).toEqual([input])
    await page.getByText(/^Live/).waitFor()
    await world.call('/ingest/v1/events', { method: 'POST', body: JSON.stringify({ ...event, Computer: 'ours-too.example.com' }) })
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await page.getByText(/^No alert/).waitFor()
    expect(await page.locator('body').innerText()).not.toContain('example.com')
    // The button back leads to the address, not to what was read there.
    await page.goBack()
    await page.goBack()
    await page.getByText(/^No alert/).waitFor()
    expect(await page.locator('body').innerText()).not.toContain('example.com')
    expect([...new Set(tenants)]).toEqual(['acme'])
    expect(frames.filter((frame) => frame.includes('example.com'))).toEqual([])
    // Other tabs have lost their session, and go on in the one that there is.
    await other.getByRole('button', { name: 'Acme Corp' }).waitFor()
    expect(await other.locator('body').innerText()).not.toContain('ours.example.com')
    expect(problems).toEqual([])
    await context.close()
  })

  test('a tenant that wants its own login says so, and the page goes on as it was', async () => {
    const { page, context, problems } = await openPage(world)
    await page.route('**/v1/auth/switch', async (route) => {
      const error = { code: 'FORBIDDEN', message: 'log in there', details: { needs: 'sign_on' }, request_id: 'r-1' }
      await route.fulfill({ status: 403, json: { error } })
    })
    await page.goto(`${world.origin}/alerts`)
    await page.getByLabel('Email').fill(credentials.email)
    await page.getByLabel('Password').fill(credentials.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Tenant').selectOption('default')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText(/^Live/).waitFor()
    await page.getByRole('button', { name: 'default' }).click()
    await page.getByRole('menuitem', { name: 'Acme Corp (acme)' }).click()
    await page.getByText('Acme Corp wants a login of its own: log out, then log in there.').waitFor()
    await page.getByText(/^Live/).waitFor()
    await page.getByRole('row', { name: /ours\.example\.com/ }).first().waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('the palette goes on in another tenant', async () => {
    const { page, context, problems } = await openPage(world)
    await page.goto(`${world.origin}/alerts`)
    await page.getByLabel('Email').fill(credentials.email)
    await page.getByLabel('Password').fill(credentials.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Tenant').selectOption('default')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('row', { name: /ours\.example\.com/ }).first().waitFor()
    await page.getByRole('button', { name: 'default' }).click()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('acme')
    await page.getByRole('option', { name: /Go on in another tenant: Acme Corp/ }).click()
    await page.getByRole('button', { name: 'Acme Corp' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
})
