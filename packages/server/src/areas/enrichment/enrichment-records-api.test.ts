import {
  assetListSchema, assetSchema, identityListSchema, importResultSchema, indicatorListSchema,
} from '@tripline/contract'
import type { ImportResultBody } from '@tripline/contract'
import { normalizeEvent } from '@tripline/engine/evaluate'
import type { Role } from '@tripline/model/access/permission'
import { extractObservables } from '@tripline/model/enrichment/observables'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
})

const csv = { 'content-type': 'text/csv' }

async function importFile(kind: string, text: string, type = 'text/csv'): Promise<TestResponse> {
  return await server.call('POST', `/v1/${kind}/import`, { headers: { 'content-type': type }, body: text })
}

/** What became of rows, in the order in which it is counted. */
function countsOf({ body }: TestResponse): string {
  const { rows, created, changed, unchanged, rejected } = importResultSchema.parse(body)
  return [rows, created, changed, unchanged, rejected].join(' ')
}

function errorsOf({ body }: TestResponse): string[] {
  return (body as ImportResultBody).errors.map(({ line, message }) => `${line} ${message}`)
}

async function firstOf(kind: 'assets' | 'identities' | 'indicators'): Promise<{ readonly [field: string]: unknown; readonly id: string }> {
  const { body } = await server.call('GET', `/v1/${kind}`)
  const [first] = (body as { readonly [kind: string]: readonly { readonly id: string }[] })[kind] ?? []
  if (first === undefined) throw new Error(`there are no ${kind}`)
  return first
}

const assetTable = `hostname,ip_addresses,type,criticality,os,risk_score,tags,vulnerabilities.critical,last_scan_at
WEB-1.corp.example,10.0.0.5;2001:DB8::5,Server,HIGH,Debian 13,5000,pci;web,2,2026-11-01
db-1,10.0.0.6,server,critical,,10000,,,
,10.0.0.7,,,,,,,
`

describe('an import of assets', () => {
  test('creates them, and repeating it changes nothing', async () => {
    expect(countsOf(await importFile('assets', assetTable))).toBe('3 3 0 0 0')
    expect(countsOf(await importFile('assets', assetTable))).toBe('3 0 0 3 0')
    expect(countsOf(await importFile('assets', 'hostname,owner\ndb-1,Ann\n'))).toBe('1 0 1 0 0')
    const { body } = await server.call('GET', '/v1/assets?q=web')
    expect(assetListSchema.parse(body).assets).toEqual([
      {
        id: expect.any(String), hostname: 'web-1.corp.example', ip_addresses: ['10.0.0.5', '2001:db8::5'], mac_addresses: [], type: 'server',
        os: 'Debian 13', os_family: '', criticality: 'high', owner: '', tags: ['pci', 'web'], risk_score: 5_000, risk_level: 'high',
        vulnerabilities: { critical: 2, high: 0, medium: 0, low: 0, exploitable: 0 }, open_alerts: 0, last_seen: null,
        last_scan_at: '2026-11-01T00:00:00.000Z', scan_stale: true, risk_action: 'within_7_days', due_at: '2026-11-08T00:00:00.000Z', first_seen: null, last_log_at: null,
        blind_spots: ['no_logs', 'no_scan'], sources: ['import'], findings_due_at: null,
      },
    ])
  })

  test.for<[list: string, text: string]>([
    ['assets', '\0'], ['identities', '\0'], ['indicators', '\0'], ['assets', 'hostname\nweb-1\0\n'],
  ])('refuses a NUL character: %s %j', async ([list, text]) => {
    expect(await importFile(list, text)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_BODY' } } })
  })

  test('imports valid rows and reports the others by line', async () => {
    const answered = await importFile('assets', [
      'hostname,ip_addresses,criticality,risk_score', 'a b,,,', 'web-1,1.2.3,,', ',,low,', 'db-1,,huge,', 'db-2,,,-1', 'db-3', 'db-4,,low,7',
      `${'x'.repeat(257)},,,`, '"tab\there",,,', 'db-5,,,1.5',
    ].join('\n'))
    expect(countsOf(answered)).toBe('10 1 0 0 9')
    expect(errorsOf(answered)).toEqual([
      "2 hostname: 'a b' is not a host name",
      "3 ip_addresses: '1.2.3' is not an IP address",
      "4 the row has neither 'hostname' nor 'ip_addresses'",
      expect.stringContaining('5 criticality: must be one of '),
      '6 risk_score: must be at least 0',
      '7 the row has 1 fields; the header has 4',
      expect.stringContaining('9 hostname: must have at most '),
      '10 hostname: must not contain control characters',
      '11 risk_score: must be a whole number',
    ])
  })

  test.for<[title: string, type: string, text: string, status: number, problem: string]>([
    ['a strange column', 'text/csv', 'hostname,password\nx,y', 400, "unknown column 'password'"],
    ['an open quote', 'text/csv', 'hostname\nweb-1\n"web-2', 400, 'line 3: a quote is not closed'],
    ['no rows', 'text/csv', 'hostname\n', 400, 'the file has no rows'],
    ['an array that breaks off', 'application/json', '[{"hostname":"web-1"},', 400, 'the array has an invalid element at byte 22'],
    ['no UTF-8', 'text/csv', 'latin', 400, 'the file is not valid UTF-8'],
    ['100,001 rows', 'text/csv', `hostname\n${'a\n'.repeat(100_001)}`, 413, 'more than 100000 rows'],
    ['16 MiB and more', 'text/csv', 'x'.repeat(16_777_217), 413, 'more than 16777216 bytes'],
    ['another type', 'application/xml', '<a/>', 415, 'use one of text/csv'],
  ])('a file with %s is refused whole', async ([, type, text, status, problem]) => {
    const body = text === 'latin' ? Uint8Array.from([0x68, 0xff, 0x0a]) : text
    const answered = await server.call('POST', '/v1/assets/import', { headers: { 'content-type': type }, body })
    expect(answered).toMatchObject({ status, body: { error: { message: expect.stringContaining(problem) } } })
    expect((await server.call('GET', '/v1/assets')).body).toMatchObject({ assets: [], total_estimate: 0 })
  })

  test('gives the same from JSON lines or an array', async () => {
    const rows = [{ hostname: 'web-1', ip_addresses: ['10.0.0.5'], vulnerabilities: { critical: 1 } }, { hostname: 'web-2', secret: 1 }]
    const lines = await importFile('assets', rows.map((row) => JSON.stringify(row)).join('\n'), 'application/x-ndjson')
    expect(countsOf(lines)).toBe('2 1 0 0 1')
    expect(errorsOf(lines)).toEqual(["2 unknown field 'secret'"])
    expect(countsOf(await importFile('assets', JSON.stringify(rows), 'application/json'))).toBe('2 0 0 1 1')
  })

  test('is audited per transaction', async () => {
    const rows = Array.from({ length: 700 }, (_, i) => `host-${i}`)
    expect(countsOf(await importFile('assets', `hostname\n${rows.join('\n')}`))).toBe('700 700 0 0 0')
    const entries = (await server.app.state.audit.list(onlyTenant, { where: [{ field: 'action', operator: 'eq', value: 'asset.import' }], limit: 10 })).entries
    expect(entries.map(({ target, diff }) => [target.id, diff])).toEqual([
      ['lines 502 to 701', { created: 200, changed: 0, unchanged: 0 }],
      ['lines 2 to 501', { created: 500, changed: 0, unchanged: 0 }],
    ])
  })
})

const is = (field: string, op: string, value: unknown): string => `filters=${encodeURIComponent(JSON.stringify({ field, op, value }))}`

describe('the list of assets', () => {
  test.for<[query: string, hostnames: string]>([
    ['', 'db-1 web-1.corp.example -'],
    ['sort=hostname', '- db-1 web-1.corp.example'],
    ['sort=criticality:desc,hostname', 'db-1 web-1.corp.example -'],
    ['type=server', 'db-1 web-1.corp.example'],
    ['criticality=high,critical', 'db-1 web-1.corp.example'],
    ['risk_level=critical', 'db-1'],
    ['os=debian%2013', 'web-1.corp.example'],
    ['tag=web', 'web-1.corp.example'],
    ['ip=2001:0db8:0::5', 'web-1.corp.example'],
    ['q=10.0.0.7', '-'],
    ['exploitable=true', ''],
    ['last_scan_from=2026-11-01&last_scan_to=2026-11-02', 'web-1.corp.example'],
    ['size=1&page=2', 'web-1.corp.example'],
    ['limit=1', 'db-1'],
    [is('type', 'eq', 'server'), 'db-1 web-1.corp.example'],
    [is('criticality', 'in', ['high', 'critical']), 'db-1 web-1.corp.example'],
    [is('risk_level', 'ne', 'critical'), 'web-1.corp.example -'],
    [is('os', 'prefix', 'DEB'), 'web-1.corp.example'],
    [is('tag', 'eq', 'web'), 'web-1.corp.example'],
    [is('ip', 'eq', '2001:0db8:0::5'), 'web-1.corp.example'],
    [is('ip', 'exists', true), 'db-1 web-1.corp.example -'],
    [is('exploitable', 'eq', false), 'db-1 web-1.corp.example -'],
    [`risk_level=critical,high&${is('criticality', 'eq', 'high')}`, 'web-1.corp.example'],
  ])('%s', async ([query, hostnames]) => {
    await importFile('assets', assetTable)
    const { body } = await server.call('GET', `/v1/assets?${query}`)
    expect(assetListSchema.parse(body).assets.map(({ hostname }) => hostname || '-').join(' ')).toBe(hostnames)
  })

  test.for<[query: string, code: string, details: object]>([
    [
      'sort=owner', 'INVALID_QUERY_FIELD',
      { field: 'owner', allowed: ['hostname', 'risk_score', 'last_seen', 'criticality', 'open_alerts', 'last_scan_at', 'findings_due_at'] },
    ],
    ['type=toaster', 'INVALID_PARAMETER', { parameter: 'type' }],
    ['ip=1.2.3', 'INVALID_PARAMETER', { parameter: 'ip' }],
    ['page=0', 'INVALID_PARAMETER', { parameter: 'page' }],
    ['filters={}', 'INVALID_PARAMETER', { parameter: 'filters' }],
    [is('owner', 'eq', 'x'), 'INVALID_QUERY_FIELD', { field: 'owner', allowed: expect.arrayContaining(['ip', 'criticality']) }],
    [is('ip', 'eq', '1.2.3'), 'INVALID_PARAMETER', { parameter: 'filters', path: 'filters.value' }],
    [is('risk_level', 'gte', 'high'), 'INVALID_PARAMETER', { parameter: 'filters', path: 'filters.op' }],
    ['page=1&limit=1', 'INVALID_PARAMETER', { parameter: 'limit' }],
  ])('refuses %s', async ([query, code, details]) => {
    expect((await server.call('GET', `/v1/assets?${query}`)).body).toMatchObject({ error: { code, details } })
  })

  test('reports unknown parameters', async () => {
    expect((await server.call('GET', '/v1/assets?colour=red')).body).toMatchObject({ query_warnings: ['unknown_parameter:colour'] })
  })
})

describe('cursors', () => {
  const ids = async (kind: 'assets' | 'identities' | 'indicators', query: string) => {
    const { body } = await server.call('GET', `/v1/${kind}?${query}`)
    const { pagination, [kind]: entries } = body as { pagination: { next_cursor: string | null }; [kind: string]: unknown }
    return { ids: (entries as { id: string }[]).map(({ id }) => id), next: pagination.next_cursor }
  }

  test.for<[kind: 'assets' | 'identities' | 'indicators', sort: string]>([
    ['assets', 'criticality:desc,hostname'], ['assets', 'open_alerts'], ['identities', 'name:desc'], ['identities', 'is_privileged'],
    ['indicators', 'value'], ['indicators', 'valid_until:desc'],
  ])('lead through %s by %s', async ([kind, sort]) => {
    const tables = {
      assets: assetTable, identities: 'name,is_privileged\na,yes\nb,no\nc,yes',
      indicators: 'type,value\nip,192.0.2.1\nip,192.0.2.2\nip,192.0.2.3',
    }
    await importFile(kind, tables[kind])
    const all = (await ids(kind, `sort=${sort}`)).ids
    expect(all).toHaveLength(3)
    const seen: string[] = []
    let page = await ids(kind, `sort=${sort}&limit=1`)
    for (seen.push(...page.ids); page.next !== null; seen.push(...page.ids)) page = await ids(kind, `sort=${sort}&limit=1&cursor=${page.next}`)
    expect(seen).toEqual(all)
  })

  test('a cursor is bound to the filters of its list', async () => {
    await importFile('assets', assetTable)
    const { next } = await ids('assets', 'limit=1&type=server')
    expect((await ids('assets', `limit=1&type=server&cursor=${next}`)).ids).toHaveLength(1)
    for (const query of ['limit=1', 'limit=1&type=workstation', 'limit=1&type=server&tag=web']) {
      expect(await server.call('GET', `/v1/assets?${query}&cursor=${next}`)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_CURSOR' } } })
    }
  })
})

describe('one asset', () => {
  test('is changed with its expected version', async () => {
    await importFile('assets', assetTable)
    const { id } = await firstOf('assets')
    const put = (body: object, etag?: string) =>
      server.call('PUT', `/v1/assets/${id}`, { body, headers: etag === undefined ? {} : { 'if-match': etag } })
    const changed = await put({ owner: 'Ann', tags: ['b', 'a', 'b'] }, '"1"')
    expect(changed).toMatchObject({ status: 200, headers: { etag: '"2"' } })
    expect(assetSchema.parse(changed.body)).toMatchObject({ owner: 'Ann', tags: ['b', 'a'], criticality: 'critical' })
    expect(await put({ owner: 'Bob' }, '"1"')).toMatchObject({ status: 412, body: { error: { code: 'PRECONDITION_FAILED', details: { version: 2 } } } })
    expect(await put({ owner: 'Bob' }, 'W/"2"')).toMatchObject({ status: 412 })
    expect(await put({ hostname: 'WEB-1.corp.example.' })).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect(await put({})).toMatchObject({ status: 400, body: { error: { code: 'INVALID_BODY' } } })
    expect(await put({ id: 'x' })).toMatchObject({ status: 400, body: { error: { message: "the body: unknown field 'id'" } } })
    expect(await put({ hostname: '', ip_addresses: [] })).toMatchObject({ status: 400 })
    expect(await put({ ip_addresses: ['nowhere'] })).toMatchObject({ status: 400 })
    const [entry] = (await server.app.state.audit.list(onlyTenant, { where: [{ field: 'action', operator: 'eq', value: 'asset.update' }], limit: 10 })).entries
    expect(entry).toMatchObject({ target: { type: 'asset', id }, diff: { fields: ['owner', 'tags'] } })
  })

  test('is removed once', async () => {
    await importFile('assets', assetTable)
    const { id } = await firstOf('assets')
    expect(await server.call('DELETE', `/v1/assets/${id}`)).toMatchObject({ status: 204 })
    expect(await server.call('DELETE', `/v1/assets/${id}`)).toMatchObject({ status: 404 })
    expect(await server.call('GET', `/v1/assets/${id}`)).toMatchObject({ status: 404 })
  })
})

test('identities are imported, listed and changed', async () => {
  const table = 'name,email,department,is_privileged,aliases\nAlice,Alice@Example.org,finance,no,CORP\\Alice;S-1-5-21\nroot,,IT,yes,\nbad,nowhere,,,\n'
  const imported = await importFile('identities', table)
  expect(countsOf(imported)).toBe('3 2 0 0 1')
  expect(errorsOf(imported)).toEqual(["4 email: 'nowhere' is not an email address"])
  expect(countsOf(await importFile('identities', table))).toBe('3 0 0 2 1')
  expect(identityListSchema.parse((await server.call('GET', '/v1/identities?department=finance')).body).identities).toEqual([
    {
      id: expect.any(String), name: 'alice', email: 'alice@example.org', department: 'finance', is_privileged: false,
      aliases: ['corp\\alice', 's-1-5-21'], last_seen: null, open_alerts: 0, sources: ['import'],
    },
  ])
  expect((await server.call('GET', '/v1/identities?is_privileged=true')).body).toMatchObject({ identities: [{ name: 'root' }] })
  const { id } = await firstOf('identities')
  expect((await server.call('PUT', `/v1/identities/${id}`, { body: { is_privileged: true } })).body).toMatchObject({ name: 'alice', is_privileged: true })
  expect(await server.call('PUT', `/v1/identities/${id}`, { body: { name: 'mallory' } })).toMatchObject({ status: 400 })
})

test('indicators are imported in normalized form, listed and changed', async () => {
  const table = [
    'type,value,source,confidence,valid_from,valid_until', 'IP,1.2.3[.]4,feed,90,,', 'domain,Evil[.]Example,feed,,,2026-01-01',
    'ip,evil.example,feed,,,', 'url,hxxps://evil[.]example/a,,,,', 'hash,abc,,,,', 'ip,192.0.2.1,feed,101,,',
    'ip,192.0.2.1,feed,,2026-01-02,2026-01-01',
  ].join('\n')
  const imported = await importFile('indicators', table)
  expect(countsOf(imported)).toBe('7 3 0 0 4')
  expect(errorsOf(imported)).toEqual([
    "4 value: 'evil.example' is not of the type ip",
    "6 value: 'abc' is not of the type hash",
    '7 confidence: must be at most 100',
    "8 valid_until: must be after 'valid_from'",
  ])
  const list = async (query: string) => {
    const { indicators } = indicatorListSchema.parse((await server.call('GET', `/v1/indicators?${query}`)).body)
    return indicators.map(({ value, source, confidence, reputation_score }) => [value, source, confidence, reputation_score].join(' '))
  }
  expect(await list('sort=value')).toEqual(['1.2.3.4 feed 90 90', 'evil.example feed 50 50', 'https://evil.example/a import 50 50'])
  expect(await list(`sort=value&${is('confidence', 'lt', 60)}`)).toEqual(['evil.example feed 50 50', 'https://evil.example/a import 50 50'])
  expect(await list(is('type', 'eq', 'url'))).toEqual(['https://evil.example/a import 50 50'])
  expect(await list('valid=false')).toEqual(['evil.example feed 50 50'])
  expect(await list('type=url,ip&source=feed')).toEqual(['1.2.3.4 feed 90 90'])
  const { body } = await server.call('GET', '/v1/indicators?type=domain')
  const [found] = indicatorListSchema.parse(body).indicators
  const changed = await server.call('PUT', `/v1/indicators/${found?.id}`, { body: { valid_until: null, reputation_score: 5 } })
  expect([found?.status, changed.body]).toMatchObject(['expired', { valid_until: null, status: 'valid', reputation_score: 5, confidence: 50 }])
})

test('imported records enrich the next alert', async () => {
  const enrich = async () => {
    const event = { Computer: 'WEB-1', User: 'CORP\\alice', DestinationIp: '192.0.2.77' }
    const subject = extractObservables(normalizeEvent(event, 'auto'), { user: event.User, host: event.Computer }, { valuesMax: 10, lengthMax: 100 })
    return await server.app.enricher.enrich(onlyTenant, subject, server.io.now())
  }
  const { asset_context: unknown } = await enrich()
  expect(unknown).toEqual({ criticality: 'unknown', os: '', ip: '' })
  await importFile('assets', 'hostname,criticality,os,ip_addresses\nweb-1,high,Debian,10.0.0.5')
  await importFile('identities', 'name,department,is_privileged\nalice,finance,yes')
  await importFile('indicators', 'type,value,reputation_score\ncidr,192.0.2.0/24,80')
  expect(await enrich()).toEqual({
    user_context: { department: 'finance', is_privileged: true },
    asset_context: { criticality: 'high', os: 'Debian', ip: '10.0.0.5' },
    threat_intel: { known_malicious: true, reputation_score: 80 },
  })
  for (const kind of ['assets', 'identities', 'indicators'] as const) await server.call('DELETE', `/v1/${kind}/${(await firstOf(kind)).id}`)
  expect((await enrich()).threat_intel).toEqual({ known_malicious: false, reputation_score: 0 })
})

describe('who may', () => {
  test.for<[role: Role, read: number, change: number]>([
    ['viewer', 200, 403],
    ['analyst', 200, 403],
    ['auditor', 200, 403],
    ['engineer', 200, 200],
    ['admin', 200, 200],
  ])('%s: list %i, import %i', async ([role, read, change]) => {
    const token = await server.tokenOf([role])
    for (const kind of ['assets', 'identities', 'indicators']) {
      expect(await server.call('GET', `/v1/${kind}`, { token })).toMatchObject({ status: read })
      const row = { assets: 'hostname\na', identities: 'name\na', indicators: 'type,value\nip,192.0.2.1' }[kind]
      expect(await server.call('POST', `/v1/${kind}/import`, { token, headers: csv, body: row })).toMatchObject({ status: change })
    }
  })

  test('another tenant finds nothing and changes nothing', async () => {
    await importFile('assets', assetTable)
    const { id } = await firstOf('assets')
    const token = await server.tokenOf(['admin'], 'other')
    expect((await server.call('GET', '/v1/assets', { token })).body).toMatchObject({ assets: [] })
    for (const [method, body] of [['GET', undefined], ['PUT', { owner: 'x' }], ['DELETE', undefined]] as const) {
      expect(await server.call(method, `/v1/assets/${id}`, { token, ...(body && { body }) })).toMatchObject({ status: 404 })
    }
  })
})
