import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../find-violations.ts'
import { addUser, lacksBrowser } from '../open-console.ts'
import { pressOften } from '../press-keys.ts'
import { inputs } from './hands.ts'
import type { Hands, Input } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'

const hostCount = 60

const ofFirstRule = JSON.stringify({ field: 'rule_id', op: 'eq', value: '00000000-0000-4000-8000-000000000071' })
const printRule = (name: string, id: number): string => `title: Program ${name}
id: 00000000-0000-4000-8000-00000000007${id}
status: stable
level: low
tags: [attack.execution, attack.t1059]
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\${name}.exe }, condition: selection }
`
const createEvent = (name: string, host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: `C:\\Tools\\${name}.exe`, Computer: host,
  User: 'EXAMPLE\\a.meier', parent: { name: 'cmd.exe', hashes: { md5: 'd41d8cd98f00b204e9800998ecf8427e' } },
  facts: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`fact${index}`, index])),
})

describe.skipIf(lacksBrowser)('what a panel of an alert offers, each by mouse and by keyboard', () => {
  let flows: Flows

  beforeAll(async () => {
    const hosts = Array.from({ length: hostCount }, (_, host) => `wks-${host}.example.com`)
    const events = [...hosts.map((host) => createEvent('one', host)), ...inputs.map((input) => createEvent('two', `${input}.example.com`))]
    flows = await openFlows({ one: printRule('one', 1), two: printRule('two', 2) }, events, events.length)
  })
  afterAll(async () => await flows?.world.close())

  const row = (name: RegExp | string) => flows.page.getByRole('row', { name }).first()
  const panel = () => flows.page.getByRole('complementary')
  const count = async (query: string): Promise<number> => {
    type Listed = { readonly pagination: { readonly total: number } }
    const parameters = query.replace('rule=1', `filters=${encodeURIComponent(ofFirstRule)}`)
    return (await flows.world.call<Listed>(`/v1/alerts?limit=1&${parameters}`)).pagination.total
  }
  const logInAs = async (credentials: object): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${flows.world.origin}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(credentials) })
    return ((await answer.json()) as { readonly access_token: string }).access_token
  }
  const change = async (id: string, token: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    expect((await fetch(`${flows.world.origin}/v1/alerts/${id}`, { method: 'PUT', headers, body: JSON.stringify(body) })).status).toBe(200)
  }
  const openPanel = async (input: Input, host: string): Promise<Hands> => {
    const hands = await flows.begin(input, `/alerts?q=${host}`)
    await hands.openRow(row(host))
    await panel().getByText('Image ends with').waitFor()
    return hands
  }

  test.for(inputs)('by %s: each value of the event leads to the timeline: alone, without it, as a column, and everywhere', async (input) => {
    const { page } = flows
    const host = `${input}.example.com`
    for (const [name, parameter, text] of [
      ['Events of the host with User = EXAMPLE\\a.meier', 'q', `host:"${host}" AND User:"EXAMPLE\\\\a.meier"`],
      ['Events of the host without User = EXAMPLE\\a.meier', 'q', `host:"${host}" AND NOT User:"EXAMPLE\\\\a.meier"`],
      ['Events of the host with User as a column', 'columns', 'User'],
      ['Events of that day with User = EXAMPLE\\a.meier', 'q', 'User:"EXAMPLE\\\\a.meier"'],
    ] as const) {
      const hands = await openPanel(input, host)
      await hands.press(panel().getByRole('link', { name, exact: true }))
      await expect.poll(() => flows.read(parameter)).toBe(text)
      expect(new URL(page.url()).pathname).toBe('/search')
      await page.getByRole('main').getByText(name.includes('without') ? 'No event' : host).first().waitFor()
      expect(flows.takeUsed()).toEqual([input])
    }
  })

  test('nested objects fold: small ones are open, large ones are not', async () => {
    const hands = await openPanel('keyboard', 'keyboard.example.com')
    await panel().getByText('d41d8cd98f00b204e9800998ecf8427e').waitFor()
    expect(await panel().getByText('facts.fact7').isVisible()).toBe(false)
    await hands.press(panel().getByText('facts 12 fields'))
    await panel().getByText('facts.fact7').waitFor()
    expect(await findViolations(flows.page)).toEqual([])
  })

  test.for(inputs)('by %s: a false positive offers an exception, with what it would have hidden', async (input) => {
    const { page } = flows
    const host = `wks-5${inputs.indexOf(input)}.example.com`
    const hands = input === 'mouse' ? await openPanel(input, host) : await flows.begin(input, `/alerts?q=${host}`)
    await row(host).waitFor()
    if (input === 'keyboard') await page.keyboard.press('j')
    if (input === 'keyboard') await page.keyboard.press('f')
    else await hands.press(panel().getByRole('button', { name: /^False positive( |$)/ }))
    const offer = page.getByRole('status').getByRole('button', { name: /^Add an exception/ })
    await offer.getByText('it would have hidden 1 alert of the last 30 days, 0 of them true positives.').waitFor()
    await hands.use('e', offer)
    await page.getByRole('dialog', { name: 'Exception from this alert' }).getByText('it would have hidden 1 of').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test.for(inputs)('by %s: a decision about a group says what changes, and leaves alone what is decided', async (input) => {
    const { page, world } = flows
    // Those of the flow before.
    const closed = await count('rule=1&status=false_positive,resolved')
    expect(closed).toBe(2)
    const hands = await flows.begin(input, '/alerts?group=rule')
    const group = page.getByRole('grid', { name: 'Groups of alerts' }).getByRole('row', { name: /Program one/ })
    await group.waitFor()
    await hands.press(group.getByRole('button', { name: 'Decide about all alerts of Program one' }))
    const item = page.getByRole('menuitem', { name: 'Resolve' })
    await item.waitFor()
    if (input === 'mouse') await item.click()
    else for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    const dialog = page.getByRole('dialog', { name: 'Resolve' })
    await dialog.getByText(`${hostCount} alerts of 1 rule; ${hostCount - closed} change. ${closed} are not open and stay as they are.`).waitFor()
    await hands.press(dialog.getByRole('button', { name: 'Resolve' }))
    await page.getByRole('status').getByText(`${hostCount - closed} alerts resolved`).waitFor()
    expect(await count('rule=1&status=false_positive')).toBe(closed)
    await hands.use('u', page.getByRole('button', { name: 'Undo' }))
    await page.getByRole('status').getByText(`${hostCount - closed} alerts are as they were`).waitFor()
    expect(await world.call('/v1/alerts?limit=1&status=resolved')).toMatchObject({ pagination: { total: 0 } })
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: who else changed an alert stands in its row, and in its history', async (input) => {
    const { page, world } = flows
    const host = `wks-4${inputs.indexOf(input)}.example.com`
    const ana = await addUser(world, { email: `ana-${input}@example.com`, roles: ['analyst'] })
    const token = await logInAs(ana)
    const hands = await openPanel(input, host)
    await page.getByText(/^Live/).waitFor()
    const id = flows.read('alert') ?? ''
    await change(id, token, { status: 'investigating', notes: 'this is mine' })
    await row(host).getByText(new RegExp(`^changed by ana-${input} \\d+s ago$`)).waitFor()
    await hands.press(panel().getByRole('button', { name: 'History', exact: true }))
    await panel().getByRole('listitem').getByText(`ana-${input}@example.com · Status: Open → Investigating · comment`).waitFor()
    // Without live updates the refusal tells it.
    await hands.use('p', page.getByRole('button', { name: /^Live/ }))
    await page.getByRole('button', { name: 'Paused' }).waitFor()
    await flows.begin(input, `/alerts?q=${host}`)
    await hands.use('p', page.getByRole('button', { name: /^(?:Live|Reconnecting)/ }))
    await hands.openRow(row(host))
    await panel().getByText('Image ends with').waitFor()
    await change(id, token, { status: 'false_positive' })
    await hands.use('r', panel().getByRole('button', { name: /^Resolve( |$)/ }))
    await page.getByRole('alert').getByText('another user changed it meanwhile').waitFor()
    expect(await world.call(`/v1/alerts/${id}`)).toMatchObject({ status: 'false_positive' })
    await row(host).getByText(new RegExp(`^changed by ana-${input} \\d+s ago$`)).waitFor()
  })

  test('by keyboard: alerts that are passed by are not asked for, and the neighbours are there before they are', async () => {
    const { page } = flows
    await flows.begin('keyboard', '/alerts')
    await row(/Program/).waitFor()
    await page.waitForLoadState('networkidle')
    const [asked, answered]: [string[], string[]] = [[], []]
    const noteIn = (paths: string[]) => (request: Request): void => {
      const { pathname } = new URL(request.url())
      if (/^\/v1\/(?:alerts|events)\/./.test(pathname)) paths.push(pathname)
    }
    page.on('request', noteIn(asked))
    page.on('requestfinished', noteIn(answered))
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await panel().getByText('Image ends with').waitFor()
    const first = flows.read('alert') ?? ''
    const readAlerts = (): readonly string[] => answered.flatMap((path) => /^\/v1\/alerts\/([^/]+)$/.exec(path)?.[1] ?? [])
    await expect.poll(() => readAlerts().some((id) => id !== first)).toBe(true)
    asked.length = 0
    await page.keyboard.press('j')
    await expect.poll(() => flows.read('alert')).not.toBe(first)
    const second = flows.read('alert') ?? ''
    expect(readAlerts()).toContain(second)
    await panel().getByText('Image ends with').waitFor()
    expect(asked.filter((path) => path.includes(second) && path.includes('/v1/alerts'))).toEqual([])
    asked.length = 0
    await pressOften(page, 'j', 40)
    await page.getByText(/^42 of /).waitFor()
    await panel().getByText('Image ends with').waitFor()
    expect(asked.length).toBeLessThanOrEqual(12)
  })

  test('a request that the server refuses for now waits, says so, and leaves the page as it is', async () => {
    const { page } = flows
    await flows.begin('keyboard', '/alerts')
    await row(/Program/).waitFor()
    const refusal = { error: { code: 'RATE_LIMITED', message: 'too many requests', request_id: 'r' } }
    await page.route('**/v1/alerts?*', async (route) => {
      await route.fulfill({ status: 429, json: refusal, headers: { 'retry-after': '2' } })
    }, { times: 1 })
    await page.keyboard.press('.')
    const head = page.getByRole('banner').or(page.getByRole('main'))
    await head.getByText('waiting: too many requests').first().waitFor()
    expect(await row(/Program/).isVisible()).toBe(true)
    await head.getByText('waiting: too many requests').first().waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').getByText('too many').count()).toBe(0)
  })

  test.for(inputs)('by %s: an alert leads to a new rule that begins from it', async (input) => {
    const hands = await openPanel(input, `${input}.example.com`)
    const id = flows.read('alert')
    const item = flows.page.getByRole('menuitem', { name: 'New rule from this alert' })
    await hands.chooseItem(panel().getByRole('button', { name: 'More actions' }), item)
    await expect.poll(() => flows.read('from_alert')).toBe(id)
    expect(new URL(flows.page.url()).pathname).toBe('/rules/new')
    expect(flows.takeUsed()).toEqual([input])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
