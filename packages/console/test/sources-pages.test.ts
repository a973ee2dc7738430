import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000004
status: stable
level: medium
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = {
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'wks-1.example.com',
  User: 'EXAMPLE\\a.meier',
}
/** Names as an attacker writes them. */
const hostile = '<img src=x onerror=alert(1)>\u202e"\'`{{7*7}}'

type Assets = { readonly assets: readonly { readonly id: string; readonly criticality: string; readonly tags: readonly string[] }[] }

describe.skipIf(lacksBrowser)('the pages Assets and Connectors in a browser', () => {
  let world: Console
  let watched: WatchedPage

  let source: Server

  beforeAll(async () => {
    const right = `Basic ${Buffer.from('reader:right').toString('base64')}`
    source = createServer(({ headers }, response) => {
      response.writeHead(headers.authorization === right ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify([{ message: 'polled event' }]))
    })
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
    world = await openConsole({ rule }, ['--egress-allow-cidrs', '127.0.0.0/8', '--egress-allow-insecure'])
    const rows = [
      { hostname: 'wks-1.example.com', ip_addresses: ['192.0.2.7'], type: 'workstation', risk_score: 80, owner: hostile },
      { hostname: 'srv-2.example.com', type: 'server', risk_score: 10, owner: 'ops' },
    ]
    await world.call('/v1/assets/import', { method: 'POST', body: rows })
    await world.ingest([event], 1)
    watched = await openPage(world)
    await logIn(world, watched.page, '/assets')
  })
  afterAll(async () => {
    await world?.close()
    source?.close()
  })

  const waitForRow = async (name: RegExp): Promise<void> => await watched.page.getByRole('row', { name }).waitFor()

  test('assets are listed by risk, and one is opened by keys', async () => {
    const { page } = watched
    await waitForRow(/wks-1/)
    const first = page.getByRole('row').nth(1)
    expect(await first.textContent()).toContain('wks-1.example.com')
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    const panel = page.getByRole('complementary', { name: 'wks-1.example.com' })
    await panel.getByText('192.0.2.7').first().waitFor()
    await panel.getByRole('heading', { name: 'Linked detections' }).waitFor()
    await panel.getByText('No open finding.').waitFor()
    await panel.getByRole('link', { name: '1 open alert' }).waitFor()
    await panel.getByRole('link', { name: 'Suspicious program' }).first().waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('criticality and tags are changed in place', async () => {
    const { page } = watched
    await page.getByLabel('Criticality', { exact: true }).selectOption('critical')
    await page.getByLabel('Tags').fill('office, vip')
    // What is learned of the machine meanwhile raises its version, and is no conflict.
    await world.call('/v1/assets/import', { method: 'POST', body: [{ hostname: 'wks-1.example.com', os: 'Windows 11' }] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The asset is changed.').waitFor()
    const { assets } = await world.call<Assets>('/v1/assets?q=wks-1')
    expect(assets[0]).toMatchObject({ criticality: 'critical', tags: ['office', 'vip'] })
  })

  test('an alert made since shows the criticality, and leads to the asset and back', async () => {
    const { page } = watched
    await world.ingest([{ ...event, User: 'EXAMPLE\\b.huber' }], 2)
    await page.goto(`${world.origin}/alerts?user=EXAMPLE%5Cb.huber`)
    await waitForRow(/wks-1/)
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    const panel = page.getByRole('complementary', { name: 'Suspicious program' })
    await panel.getByText('criticality critical').waitFor()
    await panel.getByRole('link', { name: 'the asset' }).press('Enter')
    await page.getByRole('row', { name: /wks-1/ }).click()
    await page.getByRole('complementary', { name: 'wks-1.example.com' }).getByRole('link', { name: '2 open alerts' }).click()
    await page.getByRole('row', { name: /b\.huber/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/alerts')
    // Of the host alone: a text would find it within other names too.
    expect(new URL(page.url()).searchParams.get('host')).toBe('wks-1.example.com')
    await page.goto(`${world.origin}/assets?q=wks-1`)
    await waitForRow(/wks-1/)
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await page.getByLabel('Tags').waitFor()
  })

  test("another user's change of an asset is shown and not overwritten", async () => {
    const { page } = watched
    const { assets: [asset] } = await world.call<Assets>('/v1/assets?q=wks-1')
    await page.getByLabel('Tags').fill('mine')
    const theirs = { tags: ['theirs', String(Date.now())] }
    await world.call(`/v1/assets/${asset?.id}`, { method: 'PATCH', body: theirs })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('another user changed it meanwhile').first().waitFor()
    await page.locator(`input[value="${theirs.tags.join(', ')}"]`).waitFor()
    const { assets } = await world.call<Assets>('/v1/assets?q=wks-1')
    expect(assets[0]).toMatchObject(theirs)
  })

  test('filters are in the address, and a list without an asset says so', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/assets?q=srv`)
    await waitForRow(/srv-2/)
    expect(await page.getByRole('row', { name: /wks-1/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Critical', exact: true }).click()
    await page.getByText('No asset matches these filters.').waitFor()
    expect(new URL(page.url()).searchParams.get('risk')).toBe('critical')
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a connector is added in four steps, each with an address, and the last shows its first event', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/connectors`)
    await page.getByText('No connector sends events yet.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('n')
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'curl (a first event) Events over HTTP' }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await main.getByLabel('Find a source').fill('rsysl')
    await main.getByRole('button', { name: 'rsyslog Syslog over UDP, TCP or TLS' }).click()
    await main.getByLabel(/^Port/).waitFor()
    await main.getByLabel('Transport').selectOption('tls')
    await main.getByLabel('Private key (PEM)').waitFor()
    await main.getByLabel('Transport').selectOption('udp')
    await main.getByLabel('Private key (PEM)').waitFor({ state: 'detached' })
    await main.getByRole('button', { name: 'Back' }).click()
    await main.getByRole('button', { name: 'curl (a first event) Events over HTTP' }).click()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ type: 'http_ndjson', product: 'curl', step: 'settings' })
    await main.getByLabel('Name').fill(hostile)
    await main.getByLabel('Product of the log source').fill('windows')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await main.getByRole('button', { name: 'Create' }).click()
    await main.getByText('Waiting for the first event').waitFor()
    const command = (await main.locator('pre').textContent()) ?? ''
    const [, url = ''] = /curl '([^']+)'/.exec(command) ?? []
    const [, token = ''] = /Bearer (\S+)'/.exec(command) ?? []
    expect(await findViolationsOfThemes(page)).toEqual([])
    await main.getByLabel('Product', { exact: true }).selectOption('Fluent Bit')
    await main.getByText('Paste this into fluent-bit.yaml:').waitFor()
    expect(await main.locator('pre').textContent()).toContain(token)
    await main.getByRole('button', { name: 'Next' }).click()
    await main.getByText('Waiting for the first event').waitFor()
    // The address alone brings the step back, without the token, which is shown once.
    await page.goBack()
    await page.reload()
    await main.getByText('The token was shown when the connector was created').waitFor()
    expect(await main.locator('pre').textContent()).not.toContain(token)
    await main.getByRole('button', { name: 'Next' }).click()
    const sent = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{"message":"hello"}\n' })
    expect(sent.ok).toBe(true)
    await main.getByText('1 event has arrived.').waitFor()
    await main.getByText('"message": "hello"').waitFor()
    await main.getByRole('button', { name: 'Done' }).click()
    const panel = page.getByRole('complementary', { name: 'onerror' })
    await panel.getByText('Events over HTTP, one a line').waitFor()
    await panel.getByLabel('As it arrived').getByText('{"message":"hello"}').waitFor()
    await panel.getByLabel('As rules see it').getByText('"message": "hello"').waitFor()
    expect(await page.content()).not.toContain(token)
  })

  test('a connector is tested and switched by keys, and deleted after a question', async () => {
    const { page } = watched
    await page.keyboard.press('t')
    await page.getByRole('heading', { name: /^Test, in/ }).waitFor()
    await page.keyboard.press('d')
    await page.getByRole('row', { name: /Off/ }).waitFor()
    await page.keyboard.press('u')
    await page.getByRole('row', { name: /Off/ }).waitFor({ state: 'detached' })
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No connector sends events yet.').waitFor()
    expect(new URL(page.url()).searchParams.get('connector')).toBeNull()
  })

  test('a source that refuses the secret fails at that check, and a right secret passes', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/connectors/new?type=http_poll`)
    const main = page.getByRole('main')
    await main.getByLabel('Name').fill('Polled')
    await main.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${(source.address() as AddressInfo).port}/events`)
    await main.getByLabel('Client id').fill('reader')
    await main.getByLabel('Client secret').fill('wrong')
    await main.getByRole('button', { name: 'Test' }).click()
    const authentication = main.getByRole('listitem').filter({ hasText: 'client_id and client_secret' })
    await authentication.getByLabel('Failed').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await main.getByLabel('Client secret').fill('right')
    await main.getByRole('button', { name: 'Test' }).press('Enter')
    await main.getByRole('listitem').filter({ hasText: 'authenticated' }).getByLabel('Passed').waitFor()
    await main.getByText('polled event').waitFor()
  })

  test('a connector is edited after a test of what is typed; its secret stays, and what is emptied has its default', async () => {
    const { page } = watched
    type Stored = { readonly id: string; readonly name: string; readonly config: { readonly [key: string]: unknown } }
    const config = { url: `http://127.0.0.1:${(source.address() as AddressInfo).port}/events`, client_id: 'reader', client_secret: 'right' }
    const { id } = await world.call<Stored>('/v1/connectors', { method: 'POST', body: { name: 'Feed', type: 'http_poll', config } })
    const read = async (): Promise<Stored> => await world.call<Stored>(`/v1/connectors/${id}`)
    await page.goto(`${world.origin}/connectors?connector=${id}`)
    await page.getByRole('complementary', { name: 'Feed' }).waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Edit the connector' })
    await dialog.getByLabel('Name').fill('Feed of the firewall')
    await dialog.getByLabel('Interval').fill('120s')
    await dialog.getByText('Empty keeps what is stored.').waitFor()
    await dialog.getByText('More settings').click()
    await dialog.getByLabel('Silent after').fill('600s')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByRole('listitem').filter({ hasText: 'authenticated' }).getByLabel('Passed').waitFor()
    expect((await read()).name).toBe('Feed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Feed of the firewall is changed.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const saved = await read()
    expect(saved).toMatchObject({ name: 'Feed of the firewall', config: { polling_interval: '120s', quiet_after: '600s', client_secret: '********' } })
    await page.keyboard.press('e')
    await dialog.getByText('More settings').click()
    await dialog.getByLabel('Silent after').fill('')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await read()).config['quiet_after']).not.toBe('600s')
    const { checks } = await world.call<{ readonly checks: readonly { readonly status: string }[] }>(`/v1/connectors/${id}/test`, { method: 'POST' })
    expect(checks.map(({ status }) => status)).not.toContain('fail')
  })

  test('a copy of a connector begins with its settings and without its secret', async () => {
    const { page } = watched
    const panel = page.getByRole('complementary', { name: 'Feed of the firewall' })
    await panel.waitFor()
    await page.getByLabel('Filter by type').selectOption('Ask an HTTP API at intervals')
    expect(new URL(page.url()).searchParams.get('type')).toBe('http_poll')
    await page.getByRole('row', { name: /Feed of the firewall/ }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('c')
    const main = page.getByRole('main')
    await expect.poll(() => main.getByLabel('Name').inputValue()).toBe('Copy of Feed of the firewall')
    expect(await main.getByLabel('Client id').inputValue()).toBe('reader')
    expect(await main.getByLabel('Client secret').inputValue()).toBe('')
    await page.goBack()
    await panel.waitFor()
  })

  test('what a connector received is shown over time, and the range is in the address', async () => {
    const { page } = watched
    const panel = page.getByRole('complementary', { name: 'Feed of the firewall' })
    await panel.getByRole('heading', { name: 'Events a second' }).waitFor()
    await panel.getByRole('img', { name: /at the end/ }).first().waitFor()
    await panel.getByRole('button', { name: 'Last hour' }).click()
    await page.getByRole('button', { name: 'Last 7 days' }).click()
    await panel.getByRole('heading', { name: /^Events in/ }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('-7d')
    await page.reload()
    await panel.getByRole('button', { name: 'Last 7 days' }).waitFor()
    await panel.getByRole('img', { name: /States of the last 90 days/ }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).searchParams.get('from')).toBeNull()
  })

  test('records that a mapping made too large are sent again once it is mended, by mouse and by keyboard', async () => {
    const { page } = watched
    const list = Array.from({ length: 10_000 }, () => 1)
    // As many values as an event may have: the constant of the mapping is one too many.
    const full = { big: 1, ...Object.fromEntries('abcdefghi'.split('').map((name) => [name, list])), j: list.slice(11) }
    const mapping = 'mappings: [{ when: { big: true }, constants: { vendor: acme } }]'
    await world.call('/v1/settings', { method: 'PATCH', body: { event_mappings: [{ source_id: null, mapping }] } })
    for (const id of ['one', 'two']) {
      await world.call('/ingest/v1/events', { method: 'POST', body: JSON.stringify({ ...full, big: id }) })
    }
    type Failures = { readonly total: number }
    await expect.poll(async () => (await world.call<Failures>('/v1/pipeline/failures')).total).toBe(2)
    await world.call('/v1/settings', { method: 'PATCH', body: { event_mappings: [] } })
    await page.goto(`${world.origin}/pipeline`)
    const failures = page.getByRole('region', { name: 'Failed records' })
    const row = (id: string) => failures.getByRole('row', { name: `"big":"${id}"` })
    await row('one').getByText('the event has more than').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    // A stage that is chosen shows its own failed records alone.
    const stage = (name: RegExp) => page.getByRole('button', { name })
    await stage(/^Enrichment/).click()
    await failures.waitFor({ state: 'detached' })
    const own = (await world.call<{ readonly failures: readonly { readonly stage: string }[] }>('/v1/pipeline/failures')).failures[0]?.stage
    await stage(own === 'detect' ? /^Detection/ : /^Normalisation/).click()
    await row('one').waitFor()
    await expect.poll(() => stage(/^Detection/).innerText()).toMatch(/p50\s+[\d.]+ \S+\s+p95\s+[\d.]+ \S+\s+p99\s+[\d.]+ \S+\s+Lag\s+\d+ events?/)
    await row('one').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('1 record was sent again.').waitFor()
    await row('one').getByText('Sent again').waitFor()
    // It is disabled until the whole page is read again, and a key pressed before that is lost.
    await row('two').getByRole('button', { name: 'Send again', disabled: false }).press('Enter')
    await row('two').getByText('Sent again').waitFor()
    type Metrics = { readonly books: { readonly stored: number; readonly quarantined: object } }
    await expect.poll(async () => {
      const found = await world.call<{ readonly total: number }>('/v1/search', { method: 'POST', body: { query: 'big:(one OR two)' } })
      return found.total
    }).toBe(2)
    expect((await world.call<Metrics>('/v1/pipeline/metrics')).books.quarantined).toEqual({ not_an_event: 2 })
  })

  test('a new connector has a name from the start, and says why none of its events can come', async () => {
    const { page } = watched
    const main = page.getByRole('main')
    await page.goto(`${world.origin}/connectors/new?type=syslog&product=logger&step=settings`)
    await main.getByLabel(/^Port/).fill('514')
    expect(await main.getByLabel('Name').inputValue()).toBe('logger')
    await main.getByRole('button', { name: 'Create' }).click()
    await main.getByRole('alert').getByText('port 514 is not among the ports that the operator allows: 5514-5523').waitFor()
    await main.getByRole('button', { name: 'Next' }).click()
    await main.getByRole('alert').getByText('port 514 is not among the ports').waitFor()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
