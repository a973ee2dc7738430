import { alertListSchema } from '@tripline/contract/console/alert'
import { mappingResultSchema, settingsSchema } from '@tripline/contract/console/access/tenant'
import type { NewConnectorBody } from '@tripline/contract/console/sources/connector'
import { onlyTenant } from '@tripline/model/tenant'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const telnet = `title: Telnet through the firewall
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f2001
status: test
logsource: { category: firewall }
detection: { selection: { dst_port: 23, action: allow }, condition: selection }
level: high
`

/** Events of a firewall that no table knows. */
const forAcme = `mappings:
  - when: { dev_vendor: acme }
    logsource: { category: firewall }
    rename: { conn.dport: dst_port, verdict: action }
    types: { conn.dport: integer }
    timestamp: { field: seen, format: epoch_s }
`
const forAll = 'mappings:\n  - constants: { tier: gold }\n'

/** 2026-11-20T09:59:00Z, and an id number that a double would round. */
const acmeEvent = '{"dev_vendor":"ACME","conn":{"dport":"23"},"verdict":"allow","seen":1795168740,"flow":9007199254740993}'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([telnet])
})
afterEach(async () => {
  await server.app.state.close()
})

const path = '/v1/settings'
const change = (mappings: readonly object[]) => server.call('PATCH', path, { body: { event_mappings: mappings } })

async function createSource(): Promise<{ readonly id: string; readonly token: string }> {
  const { body } = await server.call('POST', '/v1/connectors', { body: { name: 'Firewall', type: 'http_ndjson', config: {} } })
  const { id, ingest } = body as NewConnectorBody
  return { id, token: ingest?.token ?? '' }
}

async function listAlerts() {
  await server.app.pipeline.untilIdle()
  return alertListSchema.parse((await server.call('GET', '/v1/alerts')).body).alerts
}

async function searchEvents(q: string): Promise<readonly string[]> {
  await server.app.pipeline.untilIdle()
  const { status, body } = await server.call('GET', `/v1/search?q=${encodeURIComponent(q)}`)
  expect(status).toBe(200)
  return (body as { readonly data: readonly object[] }).data.map((event) => JSON.stringify(event))
}

describe('a mapping of events', () => {
  test('of a connector changes what rules, searches and the time of its events read, and no other events', async () => {
    const { id, token } = await createSource()
    expect((await change([{ source_id: id, mapping: forAcme }, { source_id: null, mapping: forAll }])).status).toBe(200)
    await server.call('POST', '/ingest/v1/events', { token, body: `${acmeEvent}\n{"dev_vendor":"other"}\n` })
    await server.call('POST', '/ingest/v1/events', { body: acmeEvent })
    expect(await listAlerts()).toMatchObject([{ rule_title: 'Telnet through the firewall', event_count: 1 }])
    const [found, ...others] = await searchEvents('dst_port:23')
    expect(others).toEqual([])
    expect(found).toContain('2026-11-20T09:59:00.000Z')
    // The event that no entry of the connector takes, and the one of another sender.
    expect(await searchEvents('tier:gold')).toHaveLength(2)
    expect(await searchEvents('dev_vendor:ACME AND flow:9007199254740993')).toHaveLength(2)
    expect(await searchEvents('flow:9007199254740992')).toEqual([])
  })

  test('counts from the next event on, and events stay as they came once it is removed', async () => {
    const { token } = await createSource()
    const send = async () => {
      await server.call('POST', '/ingest/v1/events', { token, body: acmeEvent })
      return (await searchEvents('tier:gold')).length
    }
    expect(await send()).toBe(0)
    await change([{ source_id: null, mapping: forAll }])
    expect(await send()).toBe(1)
    await change([])
    expect(await send()).toBe(1)
  })

  test('is in the settings and the audit trail', async () => {
    const { headers, body } = await change([{ source_id: null, mapping: forAll }])
    expect(settingsSchema.parse(body).event_mappings).toEqual([{ source_id: null, mapping: forAll }])
    expect((await server.call('GET', path)).headers['etag']).toBe(headers['etag'])
    expect((await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries).toMatchObject([
      { action: 'settings.update', diff: { event_mappings: [[], [{ source_id: null, mapping: forAll }]] } },
    ])
  })

  test.for<[title: string, mappings: readonly object[], message: string]>([
    ['a key that does not exist', [{ source_id: null, mapping: 'mappings:\n  - renames: {}' }],
      "'event_mappings[0].mapping': line 2, column 5: mappings[0] has the unknown key 'renames'"],
    ['a text that is no YAML', [{ source_id: null, mapping: 'a: [' }], "'event_mappings[0].mapping': line 1, column"],
    ['two mappings for all', [{ source_id: null, mapping: forAll }, { source_id: null, mapping: forAll }],
      "'event_mappings[1].source_id' has a mapping already"],
    ['an unknown source', [{ source_id: 'none', mapping: forAll }], "'event_mappings[0].source_id' is neither a connector nor a collector"],
    ['a long text', [{ source_id: null, mapping: 'x'.repeat(16_385) }], 'event_mappings.0.mapping: must have at most 16384 characters'],
    ['too many', Array.from({ length: 33 }, (_, i) => ({ source_id: String(i), mapping: forAll })), 'event_mappings: '],
  ])('is refused for %s', async ([, mappings, message]) => {
    const { status, body } = await change(mappings)
    expect(status).toBe(400)
    expect((body as { readonly error: { readonly message: string } }).error.message).toContain(message)
    expect(settingsSchema.parse((await server.call('GET', path)).body).event_mappings).toEqual([])
  })

  test('of a connector of another tenant is refused', async () => {
    const { id } = await createSource()
    const token = await server.tokenOf(['admin'], 'other')
    expect((await server.call('PATCH', path, { token, body: { event_mappings: [{ source_id: id, mapping: forAll }] } })).status).toBe(400)
  })
})

describe('a dry run of a mapping', () => {
  type Row = readonly [title: string, body: (source: string) => object, results: (source: string) => readonly object[]]
  const event: unknown = JSON.parse(acmeEvent.replace(',"flow":9007199254740993', ''))
  const mapped = {
    dev_vendor: 'ACME', conn: {}, dst_port: 23, action: 'allow', seen: 1_795_168_740, '@timestamp': '2026-11-20T09:59:00.000Z',
    _logsource: { category: 'firewall' },
  }
  const asFirewall = { event: mapped, entry: 0, line: 2, logsources: [{ category: 'firewall' }], timestamp: '2026-11-20T09:59:00.000Z' }

  test.for<Row>([
    ['a text', () => ({ mapping: forAcme, events: [event, { other: 1 }] }), () => [
      { ...asFirewall, source_id: null },
      { event: { other: 1 }, entry: null, line: null, source_id: null, logsources: [], timestamp: null },
    ]],
    ['a text for a source, before what is stored for all', (id) => ({ mapping: forAcme, source_id: id, events: [event, { other: 1 }] }),
      (id) => [{ ...asFirewall, source_id: id }, { event: { other: 1, tier: 'gold' }, entry: 0, line: 2, source_id: null }]],
    ['what is stored for a source', (id) => ({ source_id: id, events: [event] }), (id) => [{ ...asFirewall, source_id: id }]],
    ['what is stored for all', () => ({ events: [{ other: 1 }] }), () => [{ event: { other: 1, tier: 'gold' }, entry: 0 }]],
  ])('of %s shows each event and the entry that took it', async ([, body, results]) => {
    const { id } = await createSource()
    await change([{ source_id: id, mapping: forAcme }, { source_id: null, mapping: forAll }])
    const before = await server.call('GET', path)
    const answered = await server.call('POST', `${path}/event-mapping/test`, { body: body(id) })
    expect(mappingResultSchema.parse(answered.body).results).toMatchObject(results(id))
    expect((await server.call('GET', path)).headers['etag']).toBe(before.headers['etag'])
  })

  test.for<[title: string, body: object, message: string]>([
    ['a text that is no mapping', { mapping: 'mappings: 1', events: [{}] }, "'mapping': line 1, column 1: 'mappings' is no list"],
    ['no events', { mapping: forAll, events: [] }, 'events: '],
    ['too many events', { mapping: forAll, events: Array.from({ length: 101 }, () => ({})) }, 'events: '],
  ])('is refused for %s', async ([, body, message]) => {
    const { status, body: answer } = await server.call('POST', `${path}/event-mapping/test`, { body })
    expect(status).toBe(400)
    expect((answer as { readonly error: { readonly message: string } }).error.message).toContain(message)
  })

  test('is for admins', async () => {
    const token = await server.tokenOf(['analyst'])
    expect((await server.call('POST', `${path}/event-mapping/test`, { token, body: { events: [{}] } })).status).toBe(403)
  })
})
