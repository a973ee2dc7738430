import { encodedPowerShell } from '@tripline/detection/test/rules'
import { isAllowed, roles } from '@tripline/model/access/permission'
import type { Role } from '@tripline/model/access/permission'
import type { AuditEntry } from '@tripline/model/audit'
import { onlyTenant } from '@tripline/model/tenant'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../http/route.ts'
import { generateApiKey } from '../../access/keys/api-key.ts'
import { computeTotpCode } from '../../access/login/totp.ts'
import { sealTotpSecret } from '../../access/login/totp-secret.ts'
import { limits } from '../../limits.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { Call } from '../../../test/open-test-server.ts'

// What is on the trail after each outcome of a request, beside the changes that audit-api.test.ts and others look at.

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const address = '192.0.2.7'
const server = await openTestServer([encodedPowerShell], { events: memoryEvents() })

/** What is recorded by an action, in the order of the entries. */
async function recordedBy(act: () => Promise<unknown>, tenant = onlyTenant): Promise<readonly AuditEntry[]> {
  const { trail, state } = server.app
  await trail.flush()
  const before = (await state.audit.list(tenant, { limit: 1 })).entries
  await act()
  await trail.flush()
  const entries = (await state.audit.list(tenant, { limit: 500 })).entries
  return entries.filter(({ seq }) => seq > (before[0]?.seq ?? 0)).toReversed()
}

const filters = encodeURIComponent(JSON.stringify({ field: 'status', op: 'eq', value: 'open' }))
const notAQuery = encodeURIComponent('user:(')

type Row = readonly [title: string, method: string, path: string, call: Call, status: number, entry: object | undefined]

describe('a request is on the trail with outcome, principal and address', () => {
  const search = { action: 'search.run', actor: { type: 'user', email: expect.any(String) }, ip: address }
  const list = (name: string, details: object) => ({ ...search, outcome: 'success', target: { type: 'list', id: name }, diff: { list: name, count: 1, ...details } })
  const connectorTest = { action: 'connector.test', ip: address }
  const backtest = { action: 'rule.backtest', ip: address }
  test.for<Row>([
    ['a list with a text', 'GET', '/v1/alerts?q=web', {}, 200, list('alerts', { text: 'web', found: 0 })],
    ['a list with filters', 'GET', `/v1/alerts?filters=${filters}`, {}, 200, list('alerts', { filters: expect.stringContaining('status'), found: 0 })],
    ['a list by page', 'GET', '/v1/alerts?q=web&page=1&size=10', {}, 200, list('alerts', { text: 'web' })],
    ['rules with a text', 'GET', '/v1/detection/rules?q=powershell', {}, 200, list('rules', { text: 'powershell', found: 1 })],
    ['assets with a text', 'GET', '/v1/assets?q=web', {}, 200, list('assets', { text: 'web', found: 0 })],
    ['risks with a text', 'GET', '/v1/risk?q=web', {}, 200, list('risks', { text: 'web', found: 0 })],
    ['vulnerabilities with a text', 'GET', '/v1/findings?q=openssl', {}, 200, list('findings', { text: 'openssl', found: 0 })],
    ['groups of alerts with a text', 'GET', '/v1/alerts/groups?by=host&q=web', {}, 200, list('alert_groups', { text: 'web', found: 0 })],
    ['identities with a text', 'GET', '/v1/identities?q=ann', {}, 200, list('identities', { text: 'ann', found: 0 })],
    ['indicators with a text', 'GET', '/v1/indicators?q=evil', {}, 200, list('indicators', { text: 'evil', found: 0 })],
    ['a later page of a list', 'GET', '/v1/alerts?q=web&page=2&size=10', {}, 200, undefined],
    ['a plain list', 'GET', '/v1/alerts', {}, 200, undefined],
    ['a list by a simple filter', 'GET', '/v1/alerts?status=open', {}, 200, undefined],
    ['a list with filters that fail', 'GET', '/v1/alerts?filters=x', {}, 400, { ...search, outcome: 'failed', diff: { list: 'alerts', reason: 'invalid_parameter', count: 1 } }],
    ['a search', 'GET', '/v1/search?q=user:ann', {}, 200, { ...search, outcome: 'success', diff: { query: 'user:ann', found: 0 } }],
    ['a failed search', 'GET', `/v1/search?q=${notAQuery}`, {}, 400, { ...search, outcome: 'failed', diff: { query: 'user:(', reason: 'invalid_query', count: 1 } }],
    ['a failed search in a body', 'POST', '/v1/search', { body: { query: 'user:(' } }, 400, { ...search, outcome: 'failed' }],
    ['a search with an invalid cursor', 'GET', '/v1/search?q=a&cursor=x', {}, 400, { ...search, outcome: 'failed', diff: { reason: 'invalid_cursor' } }],
    ['a backtest', 'POST', `/v1/detection/rules/${ruleId}/backtest`, { body: {} }, 200, { ...backtest, outcome: 'success', target: { type: 'rule', id: ruleId }, diff: { matches: 0, count: 1 } }],
    ['a backtest that fails', 'POST', '/v1/detection/rules/new/backtest', { body: { definition: 'title: x' } }, 400, { ...backtest, outcome: 'failed', target: { type: 'rule', id: 'new' }, diff: { reason: 'invalid_rule' } }],
    ['a backtest of an unknown rule', 'POST', '/v1/detection/rules/made-up/backtest', { body: {} }, 404, { ...backtest, outcome: 'failed', diff: { reason: 'not_found' } }],
    ['a connector test', 'POST', '/v1/connectors/new/test', { body: { type: 'http_ndjson', config: {} } }, 200, { ...connectorTest, outcome: 'success', target: { type: 'connector', id: 'new' } }],
    ['a connector test of a source that fails', 'POST', '/v1/connectors/new/test', { body: { type: 'http_poll', config: { url: 'http://10.0.0.1/x' } } }, 200, { ...connectorTest, outcome: 'failed', diff: { status: 'unhealthy' } }],
    ['a connector test that is invalid', 'POST', '/v1/connectors/made-up/test', { body: {} }, 404, { ...connectorTest, outcome: 'failed', diff: { reason: 'not_found' } }],
    ['a wrong password for a second factor', 'POST', '/v1/auth/totp/remove', { body: { code: '000000', password: 'wrong' } }, 401, { action: 'user.verify_password', outcome: 'failed', diff: { reason: 'unauthorized' }, ip: address }],
    ['a page of a foreign origin', 'GET', '/v1/ws/monitoring', { token: null, headers: { origin: 'https://evil.example' } }, 403,
      { action: 'request.refuse', outcome: 'refused', actor: { type: 'anonymous' }, target: { id: 'GET /v1/ws/monitoring' }, ip: address }],
    ['a token that is not valid', 'GET', '/v1/alerts', { token: 'abc' }, 401, undefined],
  ])('%s: %s %s', async ([, method, path, call, status, entry]) => {
    const entries = await recordedBy(async () => {
      expect((await server.call(method, path, { address, ...call })).status).toBe(status)
    })
    expect(entries).toMatchObject(entry === undefined ? [] : [entry])
  })
})

describe('a list that is filtered', () => {
  // Lists of the platform itself, and what belongs to one incident, tell nothing that was looked for; searches have rows above.
  const unrecorded = new Set(['/v1/audit', '/v1/webhooks', '/v1/webhooks/:id/deliveries', '/v1/channels/:id/deliveries', '/v1/collectors', '/v1/incidents/:id/timeline',
    '/v1/notifications', '/v1/playbooks/:id/runs', '/v1/search'])
  const rows = server.routes.flatMap(({ method, path, list }) => (list !== undefined && method === 'GET' ? [[path] as const] : []))

  test.for(rows)('%s is recorded, if it tells of events, alerts or machines', async ([path]) => {
    const entries = await recordedBy(() => server.call('GET', `${path.replaceAll(/:\w+/g, 'made-up')}?filters=x`, { address }))
    const failed = { action: 'search.run', outcome: 'failed', ip: address }
    expect(entries).toMatchObject(unrecorded.has(path) ? [] : [failed])
  })
})

describe('a refused request', () => {
  const routes = server.routes
  const senderAccess = { sender: 'send_events', scraper: 'administer_platform' } as const
  const rows = routes.flatMap((route): [string, Role, Route][] => {
    const { access } = route
    // A user cannot be refused as a collector or an identity provider: its credential is not theirs.
    if (access === 'anyone' || access === 'collector' || access === 'provisioner') return []
    const permission = access === 'sender' || access === 'scraper' ? senderAccess[access] : access
    const refused = roles.find((role) => !isAllowed([role], permission))
    return refused === undefined ? [] : [[`${route.method} ${route.path}`, refused, route]]
  })

  test.for(rows)('%s by %s is recorded', async ([, role, { method, path }]) => {
    const token = await server.tokenOf([role])
    const body = method === 'GET' ? {} : { body: {} }
    const entries = await recordedBy(() => server.call(method, path.replaceAll(/:\w+/g, 'made-up'), { token, address, ...body }))
    expect(entries).toMatchObject([{
      action: 'request.refuse', outcome: 'refused', target: { type: 'route', id: `${method} ${path}` }, ip: address,
      actor: { type: 'user', email: expect.stringMatching(new RegExp(`^${role}-`)) }, diff: { reason: expect.stringMatching(/^[a-z_]+$/), count: 1 },
    }])
  })

  test('of a key names the key, in the log too', async () => {
    const order = { name: 'Reader', scope: 'read_only', createdBy: 'tests', expiresAt: undefined } as const
    const { key, text } = await generateApiKey({ apiKeys: server.app.state.apiKeys, io: server.io }, onlyTenant, order)
    const entries = await recordedBy(() => server.call('POST', '/ingest/v1/events', { token: text, body: [], address }))
    expect(entries).toMatchObject([{ action: 'request.refuse', actor: { type: 'api_key', id: key.publicId }, ip: address }])
    const line: unknown = JSON.parse(server.io.logLines.at(-1) ?? '')
    expect(line).toMatchObject({ tenant: onlyTenant, principal: `key:${key.publicId}`, address, status: 403, duration_ms: 0 })
  })

  test('that is repeated is one entry with a count', async () => {
    const token = await server.tokenOf(['viewer'])
    const entries = await recordedBy(async () => {
      for (let i = 0; i < 5; i++) await server.call('GET', '/v1/users', { token, address })
    })
    expect(entries).toMatchObject([{ diff: { reason: 'administer_tenant', count: 5 } }])
  })
})


describe('a failed login', () => {
  const email = 'ann@example.org'
  const password = 'correct horse battery'
  const secret = Buffer.from('12345678901234567890')
  let userId: string
  beforeAll(async () => {
    const { state, identity } = server.app
    await server.tokenOf(['analyst'])
    await server.tokenOf(['analyst'], 'other')
    const passwordHash = await identity.hasher.hash(password)
    await state.accounts.insert({ email, passwordHash, totpSecret: sealTotpSecret(identity.secrets, email, secret) })
    await state.accounts.insert({ email: 'new@example.org', passwordHash, hasOneTimePassword: true, totpSecret: undefined })
    for (const [tenant, address] of [[onlyTenant, email], ['other', email], [onlyTenant, 'new@example.org']] as const) {
      const [user] = await state.users.list(tenant)
      userId = `user-${address}`
      await state.users.insert(tenant, { ...user!, id: userId, email: address })
    }
    userId = `user-${email}`
  })
  const logIn = (body: object) => server.call('POST', '/v1/auth/login', { token: null, address, body: { email, password, ...body } })
  const totp = (): string => computeTotpCode(secret, Math.floor(server.io.nowMs / 30_000))

  test.for<[title: string, body: () => object, reason: string, outcome: string, actor: object, tenants: readonly string[]]>([
    ['with a wrong password', () => ({ password: 'wrong' }), 'wrong_password', 'failed', { type: 'user', id: `user-${email}`, email }, [onlyTenant, 'other']],
    ['in one of two tenants', () => ({ password: 'wrong', tenant_id: 'other' }), 'wrong_password', 'failed', { id: `user-${email}` }, ['other']],
    ['with a wrong code', () => ({ totp: 'abcdef' }), 'wrong_code', 'failed', { id: `user-${email}` }, [onlyTenant, 'other']],
    ['without a tenant', () => ({ totp: totp() }), 'invalid_parameter', 'failed', { id: `user-${email}` }, [onlyTenant, 'other']],
    ['of an unknown account', () => ({ email: 'who@example.org' }), 'unknown_account', 'failed', { type: 'anonymous', email: undefined }, [onlyTenant]],
    ['without a code', () => ({}), 'needs_totp', 'refused', { id: `user-${email}` }, [onlyTenant, 'other']],
    ['with a temporary password', () => ({ email: 'new@example.org' }), 'needs_new_password', 'refused', { id: 'user-new@example.org' }, [onlyTenant]],
  ])('%s is recorded', async ([, body, reason, outcome, actor, tenants]) => {
    server.io.elapsedNowMs += 60_000
    const inOther: AuditEntry[] = []
    const entries = await recordedBy(async () => {
      inOther.push(...await recordedBy(() => logIn(body()), 'other'))
    })
    const entry = { action: 'session.login', outcome, actor, ip: address, diff: { reason, count: 1 } }
    expect(entries).toMatchObject(tenants.includes(onlyTenant) ? [entry] : [])
    expect(inOther).toMatchObject(tenants.includes('other') ? [entry] : [])
  })

  test('names no address that is not an account: it may be a password', async () => {
    const entries = await recordedBy(() => logIn({ email: 'a secret typed too early' }))
    expect(JSON.stringify(entries)).not.toContain('secret typed')
  })

  test('that is limited is recorded, and a flood costs bounded entries and no write on its way', async () => {
    server.io.elapsedNowMs += 60_000
    const { audit } = server.app.state
    const count = async (): Promise<number> => (await audit.list(onlyTenant, { limit: 1 })).total.count
    const entries = await recordedBy(async () => {
      const before = await count()
      for (let i = 0; i < 2 * limits.audit.entriesPerSourceMax; i++) {
        await server.call('POST', '/v1/auth/login', { token: null, address: `198.51.100.${i % 250}`, body: { email: `${i}@example.org`, password } })
      }
      expect(await count()).toBe(before)
    })
    expect(entries).toHaveLength(limits.audit.entriesPerSourceMax + 1)
    const limited = await recordedBy(async () => {
      for (let i = 0; i < 12; i++) await logIn({ password: 'wrong' })
    })
    expect(limited.map(({ diff }) => [diff?.['reason'], diff?.['count']])).toEqual([['wrong_password', 10], ['rate_limited', 2]])
    expect((await audit.verify(onlyTenant)).problem).toBe(undefined)
  })
})

describe('a live tail', () => {
  const { hub } = server.app.push
  const socket = { send: () => undefined, bufferedBytes: () => 0, ping: () => undefined, close: () => undefined }
  const circumstances = { ip: address, userAgent: 'browser', requestId: 'request-9' }
  const subscribe = (query: string, id = 1): string => JSON.stringify({ action: 'subscribe', topics: ['search'], id, params: { query } })

  test.for<[title: string, messages: readonly string[], entries: readonly object[]]>([
    ['that is closed', [subscribe('a:1'), '{"action":"unsubscribe","topics":["search"],"id":1}'],
      [{ action: 'tail.begin', outcome: 'success', diff: { query: 'a:1' } }, { action: 'tail.end', diff: { query: 'a:1' } }]],
    ['of a connection that ends', [subscribe('a:2')], [{ action: 'tail.begin' }, { action: 'tail.end' }]],
    ['that is replaced', [subscribe('a:3'), subscribe('a:4')],
      [{ action: 'tail.begin', diff: { query: 'a:3' } }, { action: 'tail.end', diff: { query: 'a:3' } }, { diff: { query: 'a:4' } }, { action: 'tail.end' }]],
    ['with an invalid query', [subscribe('a:(')], [{ action: 'tail.begin', outcome: 'failed', diff: { query: 'a:(', reason: 'invalid_query' } }]],
    ['one too many', Array.from({ length: limits.push.tailsMax + 1 }, (_, id) => subscribe('a:5', id)),
      [{ action: 'tail.begin', outcome: 'success', diff: { count: limits.push.tailsMax } }, { outcome: 'failed', diff: { reason: 'too_many_tails' } }, { action: 'tail.end' }]],
  ])('%s is recorded', async ([, messages, expected]) => {
    const [user] = await server.app.state.users.list(onlyTenant)
    const identity = { tenant: onlyTenant, subject: user!.id, roles: ['analyst'] as const, expiresAt: Number.POSITIVE_INFINITY, session: undefined }
    const entries = await recordedBy(() => {
      const connection = hub.open(identity, socket, circumstances)!
      for (const message of messages) hub.receive(connection, message)
      connection.handleEnd()
      return Promise.resolve()
    })
    expect(entries).toMatchObject(expected.map((entry) => ({ ...entry, actor: { id: user!.id }, ip: address, requestId: 'request-9' })))
  })
})
