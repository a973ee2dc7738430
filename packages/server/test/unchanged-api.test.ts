import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith } from '@tripline/state/test/state-samples'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { describe, expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import type { Call, TestResponse } from './open-test-server.ts'

// Changes of every kind of resource: one that changes nothing, and one whose entry on the trail is in the words of the API.

const server = await openTestServer([], { events: memoryEvents() })
const { state } = server.app
const token = await server.tokenOf(['admin', 'operator'])

function call(method: string, path: string, more: Call = {}): Promise<TestResponse> {
  return server.call(method, path, { token, ...more })
}

async function create(path: string, body: object): Promise<string> {
  const { status, headers } = await call('POST', path, { body })
  expect(status).toBe(201)
  return headers['location'] ?? ''
}

async function importOne(list: string, row: object): Promise<string> {
  expect((await call('POST', `/v1/${list}/import`, { body: [row] })).status).toBe(200)
  const { body } = await call('GET', `/v1/${list}`)
  return `/v1/${list}/${Reflect.get((Reflect.get(Object(body), list) as object[])[0]!, 'id')}`
}

await state.alerts.insert(onlyTenant, [newAlertWith({ id: 'a-1' })])
const paths = {
  alert: '/v1/alerts/a-1',
  connector: await create('/v1/connectors', { name: 'Proxy', type: 'http_ndjson', config: { max_eps: 5 } }),
  user: await create('/v1/users', { email: 'bob@example.org', name: 'Bob', roles: ['viewer'] }),
  key: await create('/v1/api-keys', { name: 'Sender', scope: 'read-write' }),
  settings: '/v1/settings',
  tenant: await create('/v1/tenants', { id: 'acme', name: 'Acme' }),
  asset: await importOne('assets', { hostname: 'web-1', owner: 'Ann', risk_score: 7 }),
  identity: await importOne('identities', { name: 'ann', department: 'finance' }),
  indicator: await importOne('indicators', { type: 'domain', value: 'evil.example', confidence: 50 }),
}

type Row = readonly [title: keyof typeof paths, method: 'PUT' | 'PATCH', same: object, change: object, diff: object]
const rows: readonly Row[] = [
  ['alert', 'PUT', { status: 'open', assignee: null }, { status: 'investigating' }, { status: ['open', 'investigating'] }],
  ['connector', 'PUT', { name: 'Proxy', enabled: true, config: { max_eps: 5 } }, { enabled: false }, { enabled: [true, false] }],
  ['user', 'PATCH', { name: 'Bob', roles: ['viewer'], is_active: true }, { is_active: false }, { is_active: [true, false] }],
  ['key', 'PATCH', { name: 'Sender', allowed_cidrs: [] }, { api_profile: 'b', expires_at: '2026-12-24T00:00:00.000Z' },
    { api_profile: ['auto', 'b'], expires_at: ['2027-11-20T10:00:00.000Z', '2026-12-24T00:00:00.000Z'] }],
  ['settings', 'PATCH', { dedup_minutes: 60, retention: { events_days: 30 } },
    { dedup_minutes: 5, retention: { events_days: 7 }, allow_endless_api_keys: true, min_alert_level: 'high', default_api_profile: 'a', api_requests_per_minute: 9 },
    { 'dedup_minutes': [60, 5], 'retention.events_days': [30, 7], 'allow_endless_api_keys': [false, true], 'min_alert_level': ['low', 'high'],
      'default_api_profile': ['b', 'a'], 'api_requests_per_minute': [5_000, 9] }],
  ['tenant', 'PATCH', { name: 'Acme', is_active: true }, { api_requests_per_minute: 7 }, { api_requests_per_minute: [5_000, 7] }],
  ['asset', 'PUT', { owner: 'Ann', risk_score: 7 }, { risk_score: 8, os_family: 'linux', last_seen: '2026-11-20T09:00:00Z' }, { fields: ['os_family', 'risk_score', 'last_seen'] }],
  ['identity', 'PUT', { department: 'finance' }, { is_privileged: true }, { fields: ['is_privileged'] }],
  ['indicator', 'PUT', { confidence: 50 }, { reputation_score: 3 }, { fields: ['reputation_score'] }],
]

async function readTrail() {
  return (await state.audit.list(onlyTenant, { limit: 100 })).entries
}

describe('a change', () => {
  test.for(rows)('of %s that changes nothing succeeds without entry, message or version', async ([name, method, same]) => {
    const { headers: { etag } } = await call('GET', paths[name])
    const before = [await readTrail(), (await server.published('alert.updated')).length]
    const answered = await call(method, paths[name], { body: same })
    expect([answered.status, answered.headers['etag']]).toEqual([200, etag])
    expect([await readTrail(), (await server.published('alert.updated')).length]).toEqual(before)
    expect((await call('GET', paths[name])).headers['etag']).toBe(etag)
    expect((await call(method, paths[name], { body: same, headers: { 'if-match': '"99"' } })).status).toBe(412)
  })

  test.for(rows)('of %s is recorded in the words of the API', async ([name, method, , change, diff]) => {
    expect((await call(method, paths[name], { body: change })).status).toBe(200)
    const [entry] = await readTrail()
    expect(entry?.diff).toEqual(diff)
  })
})
