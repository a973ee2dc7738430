import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser, lacksBrowser, logIn, openPage } from '../open-console.ts'
import { createHands, inputs, watchInputs } from './hands.ts'
import type { Hands } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000041
status: stable
level: medium
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const createEvent = (host: string, user = 'EXAMPLE\\a.meier'): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: host, User: user,
})

type Assets = { readonly assets: readonly object[] }
type Alerts = { readonly alerts: readonly { readonly verdict: string }[]; readonly pagination: { readonly total: number } }
type Users = { readonly users: readonly { readonly email: string; readonly roles: readonly string[] }[] }

/** What a person types after the key of the palette to come to a page. */
const typed = {
  'Dashboard': 'da', 'Alerts': 'al', 'Incidents': 'in', 'Timeline search': 'ti', 'Assets': 'as', 'Rules': 'ru', 'Connectors': 'co',
  'Pipeline': 'pi', 'System health': 'sy', 'Compliance': 'pl', 'Reports': 're', 'Settings': 'se',
} as const

describe.skipIf(lacksBrowser)('the flows of the other pages, each by mouse and by keyboard', () => {
  let flows: Flows
  let source: Server
  const delivered: string[] = []

  beforeAll(async () => {
    const right = `Basic ${Buffer.from('reader:right').toString('base64')}`
    source = createServer(({ headers, method }, response) => {
      if (method === 'POST') delivered.push(String(headers['webhook-id']))
      response.writeHead(method === 'POST' || headers.authorization === right ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify([{ message: 'polled event' }]))
    })
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
    const events = inputs.map((input) => createEvent(`${input}.example.com`))
    flows = await openFlows({ rule }, events, events.length, [
      '--egress-allow-cidrs', '127.0.0.0/8', '--egress-allow-insecure', '--public-url', 'http://127.0.0.1:8080',
    ])
    const hosts = inputs.map((input) => ({ hostname: `${input}.example.com`, type: 'workstation', risk_score: 50 }))
    await flows.world.call('/v1/assets/import', { method: 'POST', body: hosts })
  })
  afterAll(async () => {
    await flows?.world.close()
    source?.close()
  })

  const sourceUrl = (): string => `http://127.0.0.1:${(source.address() as AddressInfo).port}/events`
  const row = (name: RegExp | string) => flows.page.getByRole('row', { name }).first()
  /** Begins a new connector with a source of the catalogue. */
  const addSource = async (hands: Hands, source: string): Promise<void> => {
    await hands.use('n', flows.page.getByRole('button', { name: 'New connector' }).first())
    await hands.press(flows.page.getByRole('main').getByRole('button', { name: source }))
  }

  test.for(inputs)('by %s: a connector is added, and the first event of a real sender is shown', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/connectors')
    await addSource(hands, 'curl (a first event) Events over HTTP')
    const main = page.getByRole('main')
    await hands.write(main.getByLabel('Name'), `Sent by ${input}`)
    await hands.press(main.getByRole('button', { name: 'Create' }))
    await main.getByText('Waiting for the first event').waitFor()
    const command = (await main.locator('pre').textContent()) ?? ''
    const [, url = ''] = /curl '([^']+)'/.exec(command) ?? []
    const [, token = ''] = /Bearer (\S+)'/.exec(command) ?? []
    const headers = { authorization: `Bearer ${token}` }
    // The command has the public address, behind which this server would stand.
    const { pathname, search } = new URL(url)
    expect((await fetch(flows.world.origin + pathname + search, { method: 'POST', headers, body: '{"message":"hello"}\n' })).ok).toBe(true)
    await main.getByText('1 event has arrived.').waitFor()
    await hands.press(main.getByRole('button', { name: 'Next' }))
    await main.getByText('"message": "hello"').waitFor()
    await hands.press(main.getByRole('button', { name: 'Done' }))
    await page.getByRole('complementary', { name: `Sent by ${input}` }).waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a source that refuses the secret fails at that check, and a right secret passes', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, '/connectors')
    await addSource(hands, 'Ask an HTTP API at intervals')
    const main = page.getByRole('main')
    await hands.write(main.getByLabel('Name'), 'Polled')
    await hands.write(main.getByLabel('URL', { exact: true }), sourceUrl())
    await hands.write(main.getByLabel('Client id'), 'reader')
    await hands.write(main.getByLabel('Client secret'), 'wrong')
    await hands.press(main.getByRole('button', { name: 'Test' }))
    await main.getByRole('listitem').filter({ hasText: 'client_id and client_secret' }).getByLabel('Failed').waitFor()
    await hands.write(main.getByLabel('Client secret'), 'right')
    await hands.press(main.getByRole('button', { name: 'Test' }))
    await main.getByRole('listitem').filter({ hasText: 'authenticated' }).getByLabel('Passed').waitFor()
    await hands.press(main.getByRole('button', { name: 'Back' }))
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: the criticality of an asset is changed, and an alert made since shows it', async (input) => {
    const { page, world } = flows
    const hands = await flows.begin(input, '/assets')
    await hands.openRow(row(`${input}.example.com`))
    await hands.choose(page.getByLabel('Criticality', { exact: true }), 'Critical')
    await hands.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('The asset is changed.').waitFor()
    expect((await world.call<Assets>(`/v1/assets?q=${input}`)).assets).toMatchObject([{ criticality: 'critical' }])
    const { pagination: { total } } = await world.call<Alerts>('/v1/alerts?limit=1')
    await world.ingest([createEvent(`${input}.example.com`, `EXAMPLE\\later-${input}`)], total + 1)
    const alerts = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Alerts', exact: true })
    await hands.use('g a', alerts)
    await hands.openRow(row(`later-${input}`))
    await page.getByRole('complementary', { name: 'Suspicious program' }).getByText('criticality critical').waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a key is shown once, works, and is revoked', async (input) => {
    const { page, world } = flows
    const hands = await flows.begin(input, '/settings/api-keys')
    await hands.press(page.getByRole('button', { name: 'Create an API key' }))
    await hands.write(page.getByLabel('Name'), `Key of ${input}`)
    await hands.press(page.getByRole('button', { name: 'Create', exact: true }))
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    const key = (await dialog.locator('code').textContent()) ?? ''
    expect((await fetch(`${world.origin}/api/v1/alerts`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
    await hands.press(dialog.getByRole('button', { name: 'Done' }))
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)
    await hands.press(row(`Key of ${input}`).getByRole('button', { name: 'Revoke' }))
    await hands.press(page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }))
    await row(`Key of ${input}`).getByText('Revoked').waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: the last administrator cannot be locked out', async (input) => {
    const { page, world } = flows
    const hands = await flows.begin(input, '/settings/users')
    await hands.press(row(/admin@localhost/).getByRole('button'))
    const dialog = page.getByRole('dialog', { name: /^Edit/ })
    await hands.tick(dialog.getByLabel('Administrator'))
    await hands.tick(dialog.getByLabel('Viewer'))
    await hands.press(dialog.getByRole('button', { name: 'Save' }))
    await dialog.getByRole('alert').getByText(/last active admin/).waitFor()
    await hands.press(dialog.getByRole('button', { name: 'Cancel' }))
    expect((await world.call<Users>('/v1/users')).users.find(({ email }) => email === 'admin@localhost')?.roles).toContain('admin')
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a webhook sends again what it sent', async (input) => {
    const { page, world } = flows
    const name = `Hook of ${input}`
    await world.call('/v1/webhooks', { method: 'POST', body: { name, url: sourceUrl(), events: ['alert.created'] } })
    const hands = await flows.begin(input, '/settings/webhooks')
    await hands.press(row(name).getByRole('button', { name: 'Deliveries' }))
    await hands.press(page.getByRole('button', { name: 'Send a test' }))
    await page.getByText('The receiver answered: HTTP 200').waitFor()
    const before = delivered.length
    await hands.press(page.getByRole('region', { name: `Deliveries to ${name}` }).getByRole('button', { name: 'Send again' }).first())
    await expect.poll(() => delivered.length).toBeGreaterThan(before)
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a customer answers an alert, and takes the answer back', async (input) => {
    const { world } = flows
    const credentials = await addUser(world, { email: `${input}@customer.example`, roles: ['viewer'], interface: 'portal' })
    const { page, context, problems } = await openPage(world)
    const used = await watchInputs(page)
    await logIn({ ...world, credentials }, page, '/')
    used.take()
    const hands = createHands(page, input)
    await hands.use('g a', page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Alerts', exact: true }))
    await hands.openRow(page.getByRole('row', { name: `${input}.example.com` }).first())
    const panel = page.getByRole('complementary', { name: 'Suspicious program' })
    await hands.press(panel.getByRole('button', { name: 'This was us' }))
    await panel.getByText(`Answered by ${credentials.email}.`).waitFor()
    await hands.use('u', page.getByRole('button', { name: 'Undo' }))
    await panel.getByText(`Answered by ${credentials.email}.`).waitFor({ state: 'detached' })
    expect((await world.call<Alerts>('/v1/alerts')).alerts.map(({ verdict }) => verdict)).not.toContain('benign')
    expect(used.take()).toEqual([input])
    expect(problems).toEqual([])
    await context.close()
  })

  test('by keyboard: the palette leads to every page in four keys', async () => {
    const { page } = flows
    await flows.begin('keyboard', '/alerts')
    for (const [name, letters] of Object.entries(typed)) {
      await page.keyboard.press('Control+k')
      const field = page.getByRole('dialog', { name: 'Pages and actions' }).getByRole('combobox')
      await field.waitFor()
      for (const letter of letters) await page.keyboard.press(letter)
      await expect.poll(() => field.inputValue()).toBe(letters)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: name === 'Settings' ? /./ : name }).waitFor()
      await field.waitFor({ state: 'detached' })
    }
    expect(flows.takeUsed()).toEqual(['keyboard'])
  })

  test.for(inputs)('by %s: a range up to now goes along to the other pages with one, a marked span does not', async (input) => {
    const { page, world } = flows
    const hands = await flows.begin(input, '/?from=-4h')
    const goTo = async (keys: string, name: string, from: string | null): Promise<void> => {
      await hands.use(keys, page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }))
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(flows.read('from')).toBe(from)
    }
    await goTo('g a', 'Alerts', '-4h')
    await page.getByRole('button', { name: 'Last 4 hours' }).waitFor()
    await goTo('g r', 'Rules', null)
    await goTo('g s', 'Timeline', '-4h')
    expect(flows.takeUsed()).toEqual([input])
    await page.goto(`${world.origin}/search?from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await goTo('g a', 'Alerts', null)
  })

  test('by mouse: the palette opens from the head of a page and leads to another', async () => {
    const { page } = flows
    const hands = await flows.begin('mouse', '/alerts')
    await hands.press(page.getByRole('button', { name: /^Go to/ }))
    await hands.press(page.getByRole('dialog', { name: 'Pages and actions' }).getByRole('option', { name: /^Pipeline/ }))
    await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor()
    expect(flows.takeUsed()).toEqual(['mouse'])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
