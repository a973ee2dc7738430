import { createdTenantSchema, settingsSchema, tenantListSchema, tokenSchema } from '@tripline/contract'
import { newConnectorSchema } from '@tripline/contract/console/sources/connector'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'

let server: TestServer
let operator: string

beforeEach(async () => {
  server = await openTestServer([])
  operator = await server.tokenOf(['operator'])
})

const acme = { id: 'acme', name: 'Acme', admin: { email: 'ann@acme.example', name: 'Ann' } }
const ownPassword = 'a password of my own'

function asOperator(method: string, path: string, body?: unknown): Promise<TestResponse> {
  return server.call(method, path, { token: operator, body })
}

/** Makes a tenant and has its admin log in. */
async function admitted(): Promise<string> {
  const { one_time_password: password } = createdTenantSchema.parse((await asOperator('POST', '/v1/tenants', acme)).body)
  return tokenSchema.parse((await logIn({ password, new_password: ownPassword })).body).access_token
}

function logIn(body: object): Promise<TestResponse> {
  return server.call('POST', '/v1/auth/login', { token: null, body: { email: acme.admin.email, ...body } })
}

async function isLetIn(token: string): Promise<boolean> {
  return (await server.call('GET', '/v1/auth/me', { token })).status === 200
}

async function entries(tenant: string) {
  return (await server.app.state.audit.list(tenant, { limit: 10 })).entries
}

describe('a new tenant', () => {
  test('has an admin who logs in and sees no other tenant', async () => {
    const token = await admitted()
    const { body } = await server.call('GET', '/v1/users', { token })
    expect(body).toMatchObject({ users: [{ email: acme.admin.email, roles: ['admin'] }] })
    expect((await server.call('GET', '/v1/tenants', { token })).status).toBe(403)
  })

  test('is listed with its plan and audited in both trails, in its own without the operator', async () => {
    await asOperator('POST', '/v1/tenants', { ...acme, plan: 'Enterprise' })
    const { tenants } = tenantListSchema.parse((await asOperator('GET', '/v1/tenants')).body)
    expect(tenants.map(({ id, plan }) => [id, plan])).toEqual([['acme', 'custom'], [onlyTenant, 'custom']])
    const [own] = await entries('acme')
    const actor = { type: 'system', id: 'platform', email: undefined }
    expect(own).toMatchObject({ action: 'tenant.create', actor, ip: undefined })
    const [platform] = await entries(onlyTenant)
    expect(platform).toMatchObject({ action: 'tenant.create', actor: { type: 'user' }, target: { type: 'tenant', id: 'acme' } })
  })

  test('whose admin has an account returns no password', async () => {
    await admitted()
    const second = createdTenantSchema.parse((await asOperator('POST', '/v1/tenants', { ...acme, id: 'second' })).body)
    expect(second.one_time_password).toBeNull()
    const asked = { error: { details: { tenants: ['acme', 'second'] } } }
    expect(await logIn({ password: ownPassword })).toMatchObject({ status: 400, body: asked })
    expect(tokenSchema.parse((await logIn({ password: ownPassword, tenant_id: 'second' })).body).user.tenant_id).toBe('second')
  })

  test.for<[title: string, body: object, status: number]>([
    ['an id that is taken', { ...acme, id: onlyTenant }, 409],
    ['great letters in its id', { ...acme, id: 'Acme' }, 400],
    ['a path as its id', { ...acme, id: '../acme' }, 400],
    ['a dash first', { ...acme, id: '-acme' }, 400],
    ['an empty id', { ...acme, id: '' }, 400],
    ['an id of 64 letters', { ...acme, id: 'a'.repeat(64) }, 400],
    ['no name', { id: 'acme' }, 400],
    ['an unknown plan', { ...acme, plan: 'gold' }, 400],
    ['roles for its admin', { ...acme, admin: { ...acme.admin, roles: ['operator'] } }, 400],
  ])('with %s is refused', async ([, body, status]) => {
    expect((await asOperator('POST', '/v1/tenants', body)).status).toBe(status)
    expect(tenantListSchema.parse((await asOperator('GET', '/v1/tenants')).body).tenants).toHaveLength(1)
  })
})

describe('a disabled tenant', () => {
  test('refuses token, refresh and login until it is enabled', async () => {
    const token = await admitted()
    const cookie = /^[^;]+/.exec((await logIn({ password: ownPassword })).headers['set-cookie'] ?? '')?.[0] ?? ''
    expect(await isLetIn(token)).toBe(true)
    expect((await asOperator('PATCH', '/v1/tenants/acme', { is_active: false })).body).toMatchObject({ is_active: false })
    expect(await isLetIn(token)).toBe(false)
    expect((await logIn({ password: ownPassword })).status).toBe(401)
    expect((await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })).status).toBe(401)
    await asOperator('PATCH', '/v1/tenants/acme', { is_active: true })
    expect(await isLetIn(token)).toBe(true)
    expect((await logIn({ password: ownPassword })).status).toBe(200)
  })

  test('accepts no events of a connector', async () => {
    const token = await admitted()
    const connector = { name: 'Sender', type: 'http_ndjson', enabled: true, config: {} }
    const made = await server.call('POST', '/v1/connectors', { token, body: connector })
    const { ingest } = newConnectorSchema.parse(made.body)
    const send = async () => (await server.call('POST', '/ingest/v1/events', { token: ingest!.token, body: [{ a: 1 }] })).status
    // Streams of other tenants than the first are not there yet; that the sender is accepted is what counts.
    expect(await send()).not.toBe(401)
    await asOperator('PATCH', '/v1/tenants/acme', { is_active: false })
    expect(await send()).toBe(401)
  })

  test('cannot be the operator\'s own', async () => {
    expect(await asOperator('PATCH', `/v1/tenants/${onlyTenant}`, { is_active: false })).toMatchObject({ status: 409 })
  })
})

describe('a change by another process takes effect within five seconds', () => {
  const terms = { expectedVersion: undefined, at: 1 }

  test.for<[title: string, change: (state: TestServer['app']['state'], userId: string) => Promise<unknown>]>([
    ['a tenant switched off', (state) => state.tenants.update('acme', { isActive: false }, terms)],
    ['a user switched off', (state, id) => state.users.update('acme', id, { isActive: false }, terms)],
    ['other roles', (state, id) => state.users.update('acme', id, { roles: ['viewer'] }, terms)],
    ['a user removed', (state, id) => state.users.remove('acme', id)],
    ['sessions ended', (state, id) => state.sessions.revokeAll('acme', id, 1)],
  ])('%s', async ([, change]) => {
    const token = await admitted()
    expect(await isLetIn(token)).toBe(true)
    const [user] = await server.app.state.users.list('acme')
    await change(server.app.state, user!.id)
    server.io.elapsedNowMs += 5_000
    expect(await isLetIn(token)).toBe(false)
  })
})

describe('settings', () => {
  const patched = async (body: object): Promise<TestResponse> => await server.call('PATCH', '/v1/settings', { body })

  test('start with the defaults', async () => {
    const { headers, body } = await server.call('GET', '/v1/settings')
    expect(headers['etag']).toBe('"1"')
    expect(settingsSchema.parse(body)).toEqual({
      plan: 'custom', timezone: 'UTC', retention: { events_days: 30, alerts_days: 400, audit_days: 400 }, min_alert_level: 'low',
      dedup_minutes: 60, event_mappings: [], role_mapping: [], mfa: 'off', allow_endless_api_keys: false, default_api_profile: 'b',
      api_requests_per_minute: 5_000, egress_allow_cidrs: [], session_idle_minutes: 720, session_lifetime_hours: 168,
      own_domains: [], own_networks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
      incident_grouping: { window: '4h', level: 'high', entities: ['host', 'user', 'ip'] },
      response_targets: { critical: null, high: null, medium: null, low: null }, require_close_note: false,
    })
  })

  test.for<[body: object]>([
    [{ timezone: 'Europe/Berlin' }],
    [{ retention: { events_days: 400 } }],
    [{ retention: { audit_days: 365 }, dedup_minutes: 0 }],
    [{ min_alert_level: 'critical', default_api_profile: 'a' }],
    [{ incident_grouping: 'off', require_close_note: true }],
    [{ response_targets: { critical: 30, high: 240, medium: null, low: null } }],
    [{ incident_grouping: { window: '90m', level: 'critical', entities: ['ip'] }, own_networks: ['203.0.113.0/24'], own_domains: ['example.org'] }],
    [{ role_mapping: [{ claim: 'groups', op: 'contains', value: 'SOC-L2', role: 'analyst' }] }],
  ])('%j is kept, the others stay, and the trail tells it', async ([body]) => {
    const before = settingsSchema.parse((await server.call('GET', '/v1/settings')).body)
    const answered = await patched(body)
    expect(answered).toMatchObject({ status: 200, headers: { etag: '"2"' }, body })
    const retention = { ...before.retention, ...(Reflect.get(body, 'retention') as object | undefined) }
    expect((await server.call('GET', '/v1/settings')).body).toEqual({ ...before, ...body, retention })
    const [entry] = await entries(onlyTenant)
    expect(entry).toMatchObject({ action: 'settings.update', target: { type: 'tenant', id: onlyTenant } })
    // In the words of the API, each with its value before and after.
    const flatten = ({ retention: days, ...others }: { retention?: object }): object =>
      ({ ...others, ...Object.fromEntries(Object.entries(days ?? {}).map(([name, value]) => [`retention.${name}`, value])) })
    const said = flatten(body)
    expect(entry?.diff).toEqual(Object.fromEntries(
      Object.entries(said).map(([path, value]) => [path, [Reflect.get(flatten(before), path), value]]),
    ))
  })

  test.for<[title: string, body: object]>([
    ['no time zone', { timezone: 'Middle/Earth' }],
    ['a trail kept too short', { retention: { audit_days: 364 } }],
    ['events kept too long', { retention: { events_days: 401 } }],
    ['a level that is none', { min_alert_level: 'hihg' }],
    ['the platform’s role for a group', { role_mapping: [{ claim: 'groups', op: 'contains', value: 'x', role: 'operator' }] }],
    ['a rate of none', { api_requests_per_minute: 0 }],
    ['networks of the server', { egress_allow_cidrs: ['10.0.0.0/8'] }],
    ['what is no setting', { is_active: true }],
  ])('%s is refused', async ([, body]) => {
    const before = (await server.call('GET', '/v1/settings')).body
    expect((await patched(body)).status).toBe(400)
    expect((await server.call('GET', '/v1/settings')).body).toEqual(before)
  })

  test.for<[roles: readonly Role[], body: object, status: number]>([
    [['admin'], { plan: 'pro' }, 403],
    [['admin'], { plan: 'custom' }, 403],
    [['admin'], { api_requests_per_minute: 1 }, 403],
    [['admin'], { api_requests_per_minute: 1_000_000, dedup_minutes: 1 }, 403],
    [['admin', 'engineer'], { plan: 'free' }, 403],
    [['admin', 'operator'], { plan: 'pro', api_requests_per_minute: 1_000_000 }, 200],
  ])('of operators: %j setting %j is answered with %i', async ([roles, body, status]) => {
    const before = (await server.call('GET', '/v1/settings')).body
    const token = await server.tokenOf(roles)
    expect((await server.call('PATCH', '/v1/settings', { token, body })).status).toBe(status)
    const after = (await server.call('GET', '/v1/settings')).body
    expect(after).toEqual(status === 200 ? { ...settingsSchema.parse(before), ...body } : before)
  })

  test('of operators are changed by them for any tenant', async () => {
    const terms = { plan: 'mdr', api_requests_per_minute: 250 }
    expect((await asOperator('PATCH', `/v1/tenants/${onlyTenant}`, terms)).body).toMatchObject(terms)
    expect((await server.call('GET', '/v1/settings')).body).toMatchObject(terms)
    expect((await asOperator('PATCH', `/v1/tenants/${onlyTenant}`, { api_requests_per_minute: 0 })).status).toBe(400)
  })

  test('of another version are refused', async () => {
    const stale = { body: { dedup_minutes: 1 }, headers: { 'if-match': '"9"' } }
    expect(await server.call('PATCH', '/v1/settings', stale)).toMatchObject({ status: 412 })
  })

  test('for networks are set by operators and visible to the tenant', async () => {
    const networks = { egress_allow_cidrs: ['10.1.0.0/16', 'fd00::/8'] }
    expect((await asOperator('PATCH', `/v1/tenants/${onlyTenant}`, networks)).body).toMatchObject(networks)
    expect((await server.call('GET', '/v1/settings')).body).toMatchObject(networks)
    expect((await asOperator('PATCH', `/v1/tenants/${onlyTenant}`, { egress_allow_cidrs: ['10.1.0.0'] })).status).toBe(400)
  })
})
