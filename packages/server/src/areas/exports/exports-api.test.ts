import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { exportRows } from '@tripline/contract/public/export'
import type { ExportResource } from '@tripline/contract/public/export'
import type { Principal } from '@tripline/model/access/principal'
import { onlyTenant } from '@tripline/model/tenant'
import {
  connectorWith, dataSubjectRequestWith, newAlertWith, newDeliveryWith, newIncidentWith, playbookWith, statedAsset, statedIndicator,
  statedPerson, statedSubdomain, webhookEventWith, webhookWith,
} from '@tripline/state/test/state-samples'
import { encodedPowerShell } from '@tripline/detection/test/rules'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { fileFormats } from './print-file.ts'
import { RunningExports } from './running-exports.ts'
import { watchCaller } from './watch-caller.ts'

const resources = Object.keys(exportRows) as ExportResource[]

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})
afterEach(() => server.app.state.close())

/** One of each resource. */
async function fill(): Promise<void> {
  const { alerts, assets, connectors, directoryUsers, incidents, indicators, playbooks, webhooks, webhookDeliveries } = server.app.state
  const at = server.io.nowMs
  await alerts.insert(onlyTenant, ['m1', 'm2', 'm3'].map((id, i) => newAlertWith({
    id, dedupKey: id, ruleTitle: `=cmd|' /C calc'!${i}`, matchedAt: at + i, level: i === 0 ? 'critical' : 'informational',
  })))
  await incidents.insert(onlyTenant, newIncidentWith({}), [], { at, by: 'ann@example.org' })
  await assets.upsert(onlyTenant, [statedAsset({ tags: ['pci', 'dmz'] })], at)
  await directoryUsers.upsert(onlyTenant, [statedPerson({})], at)
  await indicators.upsert(onlyTenant, [statedIndicator({})], at)
  await connectors.insert(onlyTenant, connectorWith({}), undefined)
  await playbooks.insert(onlyTenant, playbookWith({}))
  await server.app.state.subdomains.upsert(onlyTenant, [statedSubdomain({})], at)
  await server.app.state.dataSubjectRequests.insert(onlyTenant, dataSubjectRequestWith({}))
  await webhooks.insert(onlyTenant, webhookWith({}))
  await webhookDeliveries.insert(onlyTenant, [webhookEventWith({})], [newDeliveryWith({})])
  await server.call('PATCH', '/v1/settings', { body: { dedup_minutes: 5 } })
}

async function createKey(scope = 'read-only', profile = 'auto'): Promise<string> {
  const { body } = await server.call('POST', '/v1/api-keys', { body: { name: `${scope} ${profile}`, scope, api_profile: profile } })
  return String(Reflect.get(Object(body), 'key'))
}

const rows = (body: unknown): readonly { readonly [name: string]: unknown }[] => body as readonly { readonly [name: string]: unknown }[]

describe.for(resources)('%s', (resource) => {
  test('is a file in each format, with the same rows', async () => {
    await fill()
    const json = await server.call('GET', `/v1/exports/${resource}`)
    expect(json.headers).toMatchObject({
      'content-type': 'application/json', 'content-disposition': `attachment; filename="${resource}-20261120.json"`,
    })
    expect(rows(json.body).length).toBeGreaterThan(0)
    const lines = await server.call('GET', `/v1/exports/${resource}?format=ndjson`)
    expect(String(lines.body).trimEnd().split('\n').map((line) => JSON.parse(line) as unknown).length).toBe(rows(json.body).length + (resource === 'audit-logs' ? 1 : 0))
    const csv = await server.call('GET', `/v1/exports/${resource}?format=csv`)
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [header = [], ...cells] = parse(String(csv.body)) as string[][]
    expect(header).toEqual(Object.keys(rows(json.body)[0]!))
    expect(cells.length).toBe(rows(json.body).length + (resource === 'audit-logs' ? 2 : 0))
  })

  test('is nothing to another tenant', async () => {
    await fill()
    const token = await server.tokenOf(['admin'], 'acme')
    const { body } = await server.call('GET', `/v1/exports/${resource}`, { token })
    expect(JSON.stringify(body)).not.toMatch(/m1|Okta|alice|192\.0\.2\.7|web-1|evt_1|dedup_minutes|acme\.example|ticket 4711/)
  })

  test('is in both profiles of the public API', async () => {
    await fill()
    const token = await createKey()
    for (const profile of ['a', 'b'] as const) {
      const { status, headers, body } = await server.call('GET', `/api/v1/export/${resource}`, { token, headers: { 'x-api-profile': profile } })
      expect([status, headers['x-api-profile']]).toEqual([200, profile.toUpperCase()])
      const schema = exportRows[resource].toSchema(profile)
      for (const row of rows(body)) expect(schema.safeParse(row).error).toBeUndefined()
      expect(rows(body).length).toBeGreaterThan(0)
    }
  })
})

test('alerts are selected by the filters of their list, a text and a time range', async () => {
  await fill()
  const ids = async (path: string, token?: string) => rows((await server.call('GET', path, token === undefined ? {} : { token })).body).map(({ id }) => id)
  const filters = encodeURIComponent(JSON.stringify({ field: 'severity', op: 'eq', value: 'critical' }))
  expect(await ids(`/v1/exports/alerts?filters=${filters}`)).toEqual(['m1'])
  expect(await ids('/v1/exports/alerts?sort=created_at:asc')).toEqual(['m1', 'm2', 'm3'])
  expect(await ids(`/v1/exports/alerts?from=${new Date(server.io.nowMs + 1).toISOString()}&to=${new Date(server.io.nowMs + 2).toISOString()}`)).toEqual(['m2'])
  expect(await ids('/v1/exports/alerts?q=nothing')).toEqual([])
  const token = await createKey()
  expect(await ids('/api/v1/export/alerts?severity=info', token)).toEqual(['m3', 'm2'])
  expect(await ids('/api/v1/export/alerts?severity=critical&status=OPEN', token)).toEqual(['m1'])
})

test.for<[list: string, path: string, query: string, names: readonly string[]]>([
  ['alerts', '/v1/alerts', '', ['m3', 'm2', 'm1']],
  ['alerts', '/v1/alerts', 'severity=critical&status=open', ['m1']],
  ['alerts', '/v1/alerts', 'severity=critical&status=resolved', []],
  ['incidents', '/v1/incidents', 'status=open&q=Whoami', ['in1']],
  ['incidents', '/v1/incidents', 'assignee=nobody@example.org', []],
  ['assets', '/v1/assets', 'tag=pci&blind_spot=no_logs', ['as1']],
  ['assets', '/v1/assets', 'exploitable=true&tag=pci', []],
  ['detection-rules', '/v1/detection/rules', 'product=WINDOWS&tactic=execution', ['0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001']],
  ['detection-rules', '/v1/detection/rules', 'enabled=false', []],
])('the file of %s is equal to the list at %s?%s', async ([resource, path, query, found]) => {
  await fill()
  const { body: listed } = await server.call('GET', `${path}?${query}`)
  const [entries = []] = Object.values(Object(listed) as object).filter((value): value is { id: string }[] => Array.isArray(value))
  const ids = entries.map(({ id }) => id)
  expect(ids).toEqual(found)
  expect(rows((await server.call('GET', `/v1/exports/${resource}?${query}`)).body).map(({ id }) => id)).toEqual(ids)
})

test('a parameter that the list refuses is refused', async () => {
  for (const path of ['alerts?severity=huge', 'detection-rules?tactic=nothing', 'assets?blind_spot=all', 'incidents?status=gone']) {
    expect((await server.call('GET', `/v1/exports/${path}`)).body, path).toMatchObject({ error: { code: 'INVALID_PARAMETER' } })
  }
})

describe('events', () => {
  const event = (user: string, seconds: number) => ({
    '@timestamp': new Date(server.io.nowMs - seconds * 1_000).toISOString(), '_logsource': { product: 'windows', service: 'security' },
    'EventID': 4688, 'Computer': 'ws-1', 'User': user, 'message': `=${user} logged on`, 'number': 1,
  })
  const ingest = async (): Promise<void> => {
    for (const events of [[event('alice', 30), event('bob', 20)], [event('carol', 10)]]) {
      expect((await server.call('POST', '/ingest/v1/events', { body: events })).status).toBe(202)
    }
  }

  test('that a search finds are a file in each format, oldest first', async () => {
    await ingest()
    const { body, headers } = await server.call('GET', '/v1/exports/events')
    expect(headers).toMatchObject({
      'content-type': 'application/json', 'content-disposition': 'attachment; filename="events-20261120.json"',
    })
    expect(headers['x-query-warnings']).toBeUndefined()
    const found = Object((await server.call('GET', '/v1/search?sort=timestamp:asc')).body) as { data: { id: string; fields: object }[] }
    expect(rows(body)).toMatchObject(found.data.map(({ id, fields }) => ({ id, fields, host: 'ws-1', event_id: 4688, source_type: 'windows' })))
    expect(rows(body).map(({ message }) => message)).toEqual(['=alice logged on', '=bob logged on', '=carol logged on'])
    const lines = String((await server.call('GET', '/v1/exports/events?format=ndjson&q=user:bob')).body).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([rows(body)[1]])
    const [header, ...cells] = parse(String((await server.call('GET', '/v1/exports/events?format=csv')).body)) as string[][]
    expect(header).toEqual(Object.keys(rows(body)[0]!))
    expect(cells.map((row) => row[header!.indexOf('message')])).toEqual(["'=alice logged on", "'=bob logged on", "'=carol logged on"])
  })

  test('are those of the range', async () => {
    await ingest()
    const at = (seconds: number) => new Date(server.io.nowMs - seconds * 1_000).toISOString()
    const { body } = await server.call('GET', `/v1/exports/events?from=${at(25)}&to=${at(10)}`)
    expect(rows(body).map(({ message }) => message)).toEqual(['=bob logged on'])
  })

  test('are nothing to another tenant, and to those who may not export', async () => {
    await ingest()
    const elsewhere = await server.call('GET', '/v1/exports/events', { token: await server.tokenOf(['admin'], 'acme') })
    expect([elsewhere.status, elsewhere.body]).toEqual([200, []])
    expect((await server.call('GET', '/v1/exports/events', { token: await server.tokenOf(['viewer']) })).status).toBe(403)
  })

  test('of an invalid query or range are refused', async () => {
    expect((await server.call('GET', '/v1/exports/events?q=user:(')).body).toMatchObject({ error: { code: 'INVALID_QUERY', details: { column: 7 } } })
    const range = 'from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z'
    expect((await server.call('GET', `/v1/exports/events?${range}`)).body).toMatchObject({ error: { code: 'INVALID_PARAMETER' } })
  })

  test('are on the audit trail with their query', async () => {
    await ingest()
    await server.call('GET', '/v1/exports/events?q=user:bob')
    await server.app.trail.flush()
    const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 2 })
    expect(entries.map(({ action, target, diff }) => [action, target.id, diff])).toEqual([
      ['export.end', 'events', { rows: 1, count: 1 }], ['export.run', 'events', { format: 'json', q: 'user:bob' }],
    ])
  })
})

test('formulas are text in a spreadsheet', async () => {
  await fill()
  const csv = String((await server.call('GET', '/v1/exports/alerts?format=csv')).body)
  expect(csv).toContain(`'=cmd|' /C calc'!0`)
  expect(csv.split('\r\n').every((line) => !/(?:^|,)"?[=+@-]/.test(line))).toBe(true)
})

test.for<[value: unknown, cell: string]>([
  ['=1+1', "'=1+1"], ['+1', "'+1"], ['-1', "'-1"], ['@a', "'@a"], ['\ta', "'\ta"], ['\ra', `"'\ra"`], [-1, '-1'], [true, 'true'], [null, ''],
  ['a,b', '"a,b"'], ['say "x"', '"say ""x"""'], ['two\nlines', '"two\nlines"'], [['a', 'b'], 'a;b'], [{ a: 1 }, '"{""a"":1}"'], ['a=b', 'a=b'],
])('a cell of %j is %s', ([value, cell]) => {
  expect(fileFormats.csv.printRow({ value }, false)).toBe(`${cell}\r\n`)
})

test('who may export what', async () => {
  await fill()
  for (const [role, resource, status] of [
    ['viewer', 'alerts', 403], ['analyst', 'alerts', 200], ['analyst', 'audit-logs', 403], ['auditor', 'audit-logs', 200],
    ['analyst', 'notifications', 403], ['engineer', 'notifications', 200],
  ] as const) {
    const token = await server.tokenOf([role])
    expect((await server.call('GET', `/v1/exports/${resource}`, { token })).status, `${role} ${resource}`).toBe(status)
  }
})

test('an unknown resource is 404, an unknown format 400', async () => {
  const token = await createKey()
  expect((await server.call('GET', '/v1/exports/nothing')).status).toBe(404)
  expect((await server.call('GET', '/api/v1/export/nothing', { token })).status).toBe(404)
  expect((await server.call('GET', '/v1/exports/alerts?format=xml')).body).toMatchObject({ error: { code: 'INVALID_PARAMETER' } })
  expect((await server.call('GET', '/api/v1/export/alerts?format=xml', { token })).status).toBe(400)
})

test('each export is on the audit trail, with its filters and its number of rows', async () => {
  await fill()
  await server.call('GET', '/v1/exports/alerts?format=csv&q=cmd')
  await server.app.trail.flush()
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 2 })
  expect(entries.map(({ action, target, outcome, diff }) => [action, target.id, outcome, diff])).toEqual([
    ['export.end', 'alerts', 'success', { rows: 3, count: 1 }], ['export.run', 'alerts', 'success', { format: 'csv', q: 'cmd' }],
  ])
})

test.for(['revoked', 'expired', 'of a tenant that is inactive'])('an open export breaks off when its key is %s', async (how) => {
  await fill()
  const { body } = await server.call('POST', '/v1/api-keys', {
    body: { name: 'cut', scope: 'read-only', expires_at: new Date(server.io.nowMs + 60_000).toISOString() },
  })
  const { id, key } = Object(body)
  const { body: file } = await server.open('/api/v1/export/alerts', { authorization: `Bearer ${String(key)}` })
  const reader = file?.getReader()
  await reader?.read()
  if (how === 'revoked') expect((await server.call('DELETE', `/v1/api-keys/${String(id)}`)).status).toBe(204)
  else if (how === 'expired') server.io.nowMs += 60_000
  else await server.app.state.tenants.update(onlyTenant, { isActive: false }, { expectedVersion: undefined, at: server.io.nowMs })
  await expect(reader?.closed).rejects.toThrow('has ended')
})

test.for<[how: string, change: object]>([
  ['has a lower role', { roles: ['viewer'] }],
  ['is disabled', { isActive: false }],
])('an open export breaks off when its user %s', async ([, change]) => {
  await fill()
  const { body: file } = await server.open('/v1/exports/alerts', { authorization: `Bearer ${await server.tokenOf(['auditor'])}` })
  const reader = file?.getReader()
  await reader?.read()
  const { users } = server.app.state
  const { id } = (await users.list(onlyTenant)).find(({ roles }) => roles.includes('auditor'))!
  await users.update(onlyTenant, id, change, { expectedVersion: undefined, at: server.io.nowMs })
  await expect(reader?.closed).rejects.toThrow('has ended')
})

test('a logout of a user of an external issuer, who has no session here, ends what the user began', async () => {
  const { users } = server.app.state
  const at = server.io.nowMs
  await users.insert(onlyTenant, {
    id: 'ext', email: 'ext@example.org', name: 'Ext', roles: ['auditor'], isActive: true, interface: 'console',
    externalIssuer: 'https://login.example', permissionsVersion: 1, version: 1, createdAt: at, updatedAt: at,
  })
  const caller: Principal = {
    tenant: onlyTenant, actor: { type: 'user', id: 'ext' }, grants: ['auditor'], ip: undefined, userAgent: undefined, requestId: undefined,
  }
  const { signal, stop } = watchCaller({ state: server.app.state, clock: server.io }, caller, 'export_all')
  const ended = once(signal, 'abort')
  await users.update(onlyTenant, 'ext', { tokensValidFrom: at + 1 }, { expectedVersion: undefined, at: at + 1 })
  await ended
  stop()
  expect(String(signal.reason)).toMatch('has ended')
})

test('one export of a principal runs at a time, and its end lets the next begin', () => {
  const running = new RunningExports()
  const principal = (id: string, tenant = 'a') => ({ tenant, actor: { type: 'api_key', id } as const })
  const end = running.begin(principal('k1'))
  expect(() => running.begin(principal('k1'))).toThrow('an export of yours is running')
  running.begin(principal('k2'))
  running.begin(principal('k1', 'b'))
  end()
  expect(() => running.begin(principal('k1'))).not.toThrow()
})

test('a request for the head ends its export, and so does one that fails', async () => {
  await fill()
  for (let i = 0; i < 2; i++) expect((await server.call('HEAD', '/v1/exports/alerts')).status).toBe(200)
  expect((await server.call('GET', '/v1/exports/alerts?sort=nothing:asc')).status).toBe(400)
  expect((await server.call('GET', '/v1/exports/alerts')).status).toBe(200)
})

test('a file is compressed while it is sent', async () => {
  await fill()
  const { headers, body } = await server.call('GET', '/v1/exports/alerts', { headers: { 'accept-encoding': 'gzip' } })
  expect(headers['content-encoding']).toBe('gzip')
  expect(rows(body).map(({ id }) => id)).toEqual(['m3', 'm2', 'm1'])
})

test('a client that leaves a compressed export lets the next begin', async () => {
  // More than all buffers on the way take, compressed.
  const printNoise = (id: number) => Array.from({ length: 20 }, (_, i) => createHash('sha512').update(`${id} ${i}`).digest('base64')).join('')
  await server.app.state.alerts.insert(onlyTenant, Array.from({ length: 400 }, (_, id) => newAlertWith({
    id: `m${id}`, dedupKey: `m${id}`, ruleTitle: printNoise(id),
  })))
  const token = await createKey()
  const { body, headers } = await server.open('/api/v1/export/alerts?format=csv', { 'authorization': `Bearer ${token}`, 'accept-encoding': 'gzip' })
  expect(headers.get('content-encoding')).toBe('gzip')
  const reader = body!.getReader()
  await reader.read()
  expect((await server.call('GET', '/api/v1/export/alerts', { token })).status).toBe(409)
  await reader.cancel()
  await expect.poll(async () => (await server.call('GET', '/api/v1/export/alerts', { token })).status).toBe(200)
})
