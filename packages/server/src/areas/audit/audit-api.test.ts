import { auditListSchema, auditReportSchema } from '@tripline/contract'
import type { AuditFacts } from '@tripline/model/audit'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'

const began = Date.UTC(2026, 10, 20, 9)

/** What a user did, a minute after the entry before. */
function facts(number: number, more: Partial<AuditFacts> = {}): AuditFacts {
  return {
    at: began + number * 60_000, actor: { type: 'user', id: 'ann', email: 'ann@example.org' }, action: 'alert.update',
    target: { type: 'alert', id: `alert-${number}` }, ip: undefined, userAgent: undefined, requestId: undefined,
    outcome: 'success', diff: undefined, ...more,
  }
}

let server: TestServer
beforeAll(async () => {
  server = await openTestServer([])
  await server.tokenOf(['admin'], 'other')
  const { audit } = server.app.state
  await audit.append('other', facts(1))
  await audit.append(onlyTenant, facts(1, { ip: '192.0.2.1', userAgent: 'curl', requestId: 'request-1', diff: { status: ['open', 'resolved'] } }))
  await audit.append(onlyTenant, facts(2, { action: 'rule.update', target: { type: 'rule', id: 'R-2' }, outcome: 'refused' }))
  await audit.append(onlyTenant, facts(3, { actor: { type: 'system', id: 'retention', email: undefined }, action: 'audit.expire' }))
  await audit.append(onlyTenant, facts(4, { action: 'rule.create', target: { type: 'rule', id: 'R-4' } }))
})
const list = (query: string, token?: string): Promise<TestResponse> => server.call('GET', `/v1/audit?${query}`, token === undefined ? {} : { token })
const seqsOf = ({ body }: TestResponse): string => auditListSchema.parse(body).entries.map(({ seq }) => seq).join(' ')
const is = (field: string, op: string, value: unknown): string => `filters=${encodeURIComponent(JSON.stringify({ field, op, value }))}`

test('an entry has the fields of the contract, and follows the one before', async () => {
  const { entries, ...metadata } = auditListSchema.parse((await list('sort=at:asc&limit=2')).body)
  expect(entries[0]).toEqual({
    seq: 1, at: '2026-11-20T09:01:00.000Z', actor: { type: 'user', id: 'ann', email: 'ann@example.org' }, action: 'alert.update',
    target: { type: 'alert', id: 'alert-1' }, ip: '192.0.2.1', user_agent: 'curl', request_id: 'request-1', outcome: 'success',
    diff: { status: ['open', 'resolved'] }, prev_hash: expect.stringMatching(/^[\da-f]{64}$/), hash: expect.stringMatching(/^[\da-f]{64}$/),
  })
  expect(entries[1]).toMatchObject({ seq: 2, prev_hash: entries[0]?.hash, ip: null, user_agent: null, request_id: null, diff: null })
  expect(metadata).toMatchObject({ pagination: { page: 1, size: 2, total: 4 }, took_ms: 0, total_estimate: 4, truncated: false, query_warnings: [] })
})

describe('the trail', () => {
  test.for<[query: string, seqs: string]>([
    ['', '4 3 2 1'],
    ['sort=at', '1 2 3 4'],
    ['from=2026-11-20T09:02:00Z&to=2026-11-20T09:04:00Z', '3 2'],
    ['q=RULE.', '4 2'],
    ['q=retention', '3'],
    ['q=r-4', '4'],
    ['page=2&size=3', '1'],
    [is('action', 'prefix', 'rule.'), '4 2'],
    [is('actor', 'ne', 'ann'), '3'],
    [is('target_type', 'eq', 'rule'), '4 2'],
    [is('target_id', 'in', ['R-2', 'alert-1']), '2 1'],
    [is('outcome', 'eq', 'refused'), '2'],
    [is('at', 'gt', '2026-11-20T09:02:00Z'), '4 3'],
  ])('%s', async ([query, seqs]) => {
    expect(seqsOf(await list(query))).toBe(seqs)
  })

  test.for<[query: string, code: string]>([
    ['sort=action', 'INVALID_QUERY_FIELD'],
    [is('hash', 'eq', 'x'), 'INVALID_QUERY_FIELD'],
    [is('diff', 'contains', 'x'), 'INVALID_QUERY_FIELD'],
    [is('outcome', 'eq', 'good'), 'INVALID_PARAMETER'],
    ['from=2026-11-21&to=2026-11-20', 'INVALID_PARAMETER'],
    ['page=1&cursor=x', 'INVALID_PARAMETER'],
  ])('%s is %s', async ([query, code]) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { error: { code } } })
  })

  test('lists at most a thousand entries at once', async () => {
    expect((await list('limit=1000')).body).toMatchObject({ query_warnings: [] })
    expect((await list('limit=1001')).body).toMatchObject({ pagination: { size: 1_000 }, query_warnings: ['limit_cut_to:1000'] })
  })

  test('is paginated by cursors while entries are added', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answered: TestResponse = await list(`limit=1&to=2026-11-20T09:05:00Z${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(seqsOf(answered))
      cursor = auditListSchema.parse(answered.body).pagination.next_cursor
      await server.app.state.audit.append(onlyTenant, facts(60 + seen.length))
    }
    expect(seen).toEqual(['4', '3', '2', '1'])
  })
})

describe('who may', () => {
  test.for<[role: 'viewer' | 'analyst' | 'engineer' | 'admin' | 'auditor', status: number]>([
    ['viewer', 403], ['analyst', 403], ['engineer', 403], ['admin', 200], ['auditor', 200],
  ])('%s: %i', async ([role, status]) => {
    const token = await server.tokenOf([role])
    expect((await list('', token)).status).toBe(status)
    expect((await server.call('GET', '/v1/audit/verify', { token })).status).toBe(status)
  })

  test('the trail is isolated by tenant', async () => {
    const token = await server.tokenOf(['auditor'], 'other')
    expect(auditListSchema.parse((await list('', token)).body).entries.map(({ target }) => target.id)).toEqual(['alert-1'])
    expect((await server.call('GET', '/v1/audit/verify', { token })).body).toMatchObject({ ok: true, entries: 1 })
  })
})

test('an intact trail verifies', async () => {
  const fresh = await openTestServer([])
  expect((await fresh.call('GET', '/v1/audit/verify')).body).toMatchObject({ ok: true, entries: 0, broken_at: null, problem: null })
  for (const number of [1, 2, 3]) await fresh.app.state.audit.append(onlyTenant, facts(number))
  const { body } = await fresh.call('GET', '/v1/audit/verify')
  expect(auditReportSchema.parse(body)).toEqual({ ok: true, entries: 3, first_seq: 1, last_seq: 3, broken_at: null, problem: null })
})
