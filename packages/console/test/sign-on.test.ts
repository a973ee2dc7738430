import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { client, findFreePort, openProvider, openSamlProvider, passProvider } from './open-provider.ts'

const pictures = process.env['TRIPLINE_PICTURES']
const logInAtOrganization = { name: 'Log in with your organization' }

/** The console and the provider have different sites, so that cookies are left out where browsers leave them out. */
describe.skipIf(lacksBrowser)('sign-on in a browser', () => {
  let origin: string
  let world: Console
  let provider: Awaited<ReturnType<typeof openProvider>>
  let samlProvider: Awaited<ReturnType<typeof openSamlProvider>>
  let admin: WatchedPage
  let bob: Console['credentials']
  const all: WatchedPage[] = []

  /** A browser of its own, which reaches the console and the provider alone: the provider's pages ask for a font elsewhere. */
  const open = async (): Promise<WatchedPage> => {
    const watched = await openPage({ ...world, origin })
    await watched.context.route((url) => url.hostname !== 'localhost' && url.hostname !== '127.0.0.1', (route) => route.abort())
    all.push(watched)
    return watched
  }

  beforeAll(async () => {
    const port = await findFreePort()
    origin = `http://localhost:${port}`
    provider = await openProvider(`${origin}/v1/auth/oidc/callback`, {
      ann: { name: 'Ann Lee', email: 'ann@acme.example', email_verified: true, groups: ['soc', 'all'] },
      cook: { name: 'Cook', email: 'cook@acme.example', groups: ['kitchen'] },
    })
    const options = ['--egress-allow-cidrs', '127.0.0.0/8', '--egress-allow-insecure', '--public-url', origin]
    world = await openConsole({}, options, { listenPort: port })
    bob = await addUser(world, { email: 'bob@acme.example', roles: ['analyst'] })
    admin = await open()
    await logIn({ ...world, origin }, admin.page, '/settings/sign-on')
  })
  afterAll(async () => {
    await world?.close()
    provider?.close()
    samlProvider?.close()
  })

  const save = async (page: Page): Promise<void> => {
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await (await answered).text()).not.toContain(client.secret)
  }
  const takePicture = async (page: Page, name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
  }
  const tryLogin = async (): Promise<void> => {
    await admin.page.getByRole('button', { name: 'Log in as a test' }).click()
    await passProvider(admin.page, provider.issuer, 'ann')
    await admin.page.getByRole('region', { name: 'Test login' }).getByText('Claims that came').waitFor()
  }

  test('is offered on no login page before it is enabled', async () => {
    const { page } = await open()
    const answered = page.waitForResponse(`${origin}/v1/auth/sign-on`)
    await page.goto(origin)
    expect(await (await answered).json()).toEqual({ is_available: false, asks_organization: false })
    await page.getByLabel('Password').waitFor()
    expect(await page.getByRole('button', logInAtOrganization).count()).toBe(0)
  })

  test('is set up, and a secret is stored that no page shows again', async () => {
    const { page } = admin
    await page.getByText(`${origin}/v1/auth/oidc/callback`).waitFor()
    await page.getByRole('button', { name: 'Log in as a test' }).and(page.locator(':disabled')).waitFor()
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.getByLabel('Client ID').fill(client.id)
    await page.getByLabel('Client secret').fill(client.secret)
    await page.getByLabel('Email domains, one a line').fill('ACME.example')
    await save(page)
    await page.getByText('One is stored. Leave this empty to keep it.').waitFor()
    expect(await page.getByLabel('Client secret').inputValue()).toBe('')
    expect(await world.call('/v1/settings/sso')).toMatchObject({
      enabled: false, issuer: provider.issuer, client_id: client.id, has_client_secret: true, email_domains: ['acme.example'],
    })
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a test login shows the claims, fails without a mapping of roles, and succeeds with one', async () => {
    const { page } = admin
    await tryLogin()
    expect(new URL(page.url()).pathname).toBe('/settings/sign-on')
    const region = page.getByRole('region', { name: 'Test login' })
    await region.getByText('no entry of the role mapping fits the user').waitFor()
    await region.getByText('"soc"').waitFor()
    await world.call('/v1/settings', {
      method: 'PATCH', body: { role_mapping: [{ claim: 'groups', op: 'contains', value: 'soc', role: 'analyst' }] },
    })
    await region.getByRole('button', { name: 'Log in as a test' }).click()
    await page.waitForURL(`${origin}/settings/sign-on`)
    await region.getByText('Succeeded').waitFor()
    await region.getByText('Ann Lee, ann@acme.example').waitFor()
    await region.getByText('Analyst').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    expect((await world.call<{ readonly users: readonly object[] }>('/v1/users')).users).toHaveLength(2)
    await takePicture(page, 'settings')
  })

  test('is enforced after a question, for which an administrator for emergencies is needed', async () => {
    const { page } = admin
    await page.getByLabel('Users can log in at the provider').check()
    await page.getByLabel('Users must log in at the provider').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Refuse passwords?' })
    await dialog.getByRole('button', { name: 'Refuse passwords' }).click()
    await dialog.getByRole('alert').getByText(/choose an active admin with an own password/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const kept = page.getByLabel('Administrator for emergencies')
    expect(await kept.locator('option').allTextContents()).toEqual(['None', 'admin@localhost'])
    await kept.selectOption('admin@localhost')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await takePicture(page, 'question')
    await dialog.getByRole('button', { name: 'Refuse passwords' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => world.call('/v1/settings/sso')).toMatchObject({ enabled: true, enforced: true })
  })

  test('a user logs in at the provider, and stays logged in', async () => {
    const { page } = await open()
    await page.goto(origin)
    await page.getByRole('button', logInAtOrganization).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await takePicture(page, 'login')
    await page.getByRole('button', logInAtOrganization).click()
    await passProvider(page, provider.issuer, 'ann')
    await page.getByRole('navigation').first().waitFor()
    await page.reload()
    await page.getByRole('navigation').first().waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    expect((await world.call<{ readonly users: readonly object[] }>('/v1/users')).users).toContainEqual(
      expect.objectContaining({ email: 'ann@acme.example', name: 'Ann Lee', roles: ['analyst'], issuer: provider.issuer }),
    )
  })

  test('a user whose session ended logs in in another tab, and what was typed stays', async () => {
    const { page, context } = await open()
    await page.goto(origin)
    await page.getByRole('button', logInAtOrganization).click()
    await passProvider(page, provider.issuer, 'ann')
    await page.getByRole('navigation').first().waitFor()
    await page.goto(`${origin}/search`)
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.fill('host:wks-7')
    await context.clearCookies()
    await page.route('**/v1/search?*', (route) => route.fulfill({ status: 401, json: { error: { code: 'UNAUTHORIZED', message: 'ended' } } }))
    await query.press('Enter')
    const overlay = page.getByRole('dialog', { name: 'Your session has ended' })
    await overlay.getByText('It opens in a tab of its own.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await takePicture(page, 'overlay')
    const opened = context.waitForEvent('page')
    await overlay.getByRole('button', logInAtOrganization).click()
    await passProvider(await opened, provider.issuer, 'ann')
    await overlay.waitFor({ state: 'detached' })
    expect(await query.inputValue()).toBe('host:wks-7')
  })

  test('a user whom the mapping gives no role is refused in words', async () => {
    const { page } = await open()
    await page.goto(origin)
    await page.getByRole('button', logInAtOrganization).click()
    await passProvider(page, provider.issuer, 'cook')
    await page.getByText('Your account at your organization gives you no role here.').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await takePicture(page, 'refused')
  })

  test('a password is refused with the way to go, but that of the administrator for emergencies', async () => {
    const { page } = await open()
    await page.goto(origin)
    await page.getByLabel('Email').fill(bob.email)
    await page.getByLabel('Password').fill(bob.password)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText(/Your organization requires its own login/).waitFor()
    await logIn({ ...world, origin }, page)
    expect(new URL(page.url()).pathname).toBe('/alerts')
  })

  test('the times of sessions are changed', async () => {
    const { page } = admin
    await page.getByLabel('Minutes after which an unused session ends').fill('30')
    await page.getByLabel('Hours after which every session ends').fill('8')
    await page.getByRole('button', { name: 'Save the times' }).click()
    await expect.poll(() => world.call('/v1/settings')).toMatchObject({ session_idle_minutes: 30, session_lifetime_hours: 8 })
  })

  test('on a server with several tenants the login page asks for the organization', async () => {
    await world.call('/v1/tenants', { method: 'POST', body: { id: 'other', name: 'Other' } })
    const { page } = await open()
    await page.goto(origin)
    await page.getByRole('button', logInAtOrganization).click()
    await page.getByLabel('Email or organization').fill('ann@nowhere.example')
    await takePicture(page, 'organization')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Your organization has no login of its own here.').waitFor()
    await page.getByRole('button', logInAtOrganization).click()
    await page.getByLabel('Email or organization').fill('ann@acme.example')
    await page.getByRole('button', { name: 'Continue' }).click()
    await passProvider(page, provider.issuer, 'ann')
    await page.getByRole('navigation').first().waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
  })

  test('a provider that speaks SAML is set up and tried, and its users log in, though it posts from another site', async () => {
    samlProvider = await openSamlProvider()
    const { page } = admin
    await page.goto(`${origin}/settings/sign-on`)
    await page.getByLabel('Protocol of the provider').selectOption('SAML 2.0')
    await page.getByText(/^http:.*\/acs$/).waitFor()
    await page.getByLabel('Entity ID of the provider').fill(samlProvider.issuer)
    await page.getByLabel('Login URL').fill(samlProvider.loginUrl)
    await page.getByLabel('Certificates').fill(samlProvider.cert)
    await page.getByLabel('Users must log in at the provider').uncheck()
    await save(page)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await takePicture(page, 'saml')
    const region = page.getByRole('region', { name: 'Test login' })
    await region.getByText('There was no test login at this provider.').waitFor()
    await region.getByRole('button', { name: 'Log in as a test' }).click()
    await region.getByText('Succeeded').waitFor()
    await region.getByText('Ann Lee, ann@acme.example').waitFor()
    const user = await open()
    await user.page.goto(origin)
    await user.page.getByRole('button', logInAtOrganization).click()
    await user.page.getByLabel('Email or organization').fill('ann@acme.example')
    await user.page.getByRole('button', { name: 'Continue' }).click()
    await user.page.getByRole('navigation').first().waitFor()
    await user.page.reload()
    await user.page.getByRole('navigation').first().waitFor()
    expect(await user.page.getByLabel('Password').count()).toBe(0)
  })

  test('nothing was asked of other servers, and no page failed', () => {
    const expected = [provider.issuer, samlProvider.loginUrl, 'fonts.googleapis.com']
    const isExpected = (problem: string): boolean => expected.some((text) => problem.split('\n', 1)[0]?.includes(text))
    const found = all.flatMap(({ problems }) => problems).filter((problem) => !isExpected(problem))
    expect(found).toEqual([])
  })
})
