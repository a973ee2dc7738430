import { alertGroupListSchema, alertListSchema, alertSummarySchema } from '@tripline/contract'
import type { AlertGroupListBody, AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith } from '@tripline/state/test/state-samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const opened = Date.UTC(2026, 10, 20, 9)
const minuteMs = 60_000
const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const

let server: TestServer
let other: string

/** Sixty alerts, one a minute: hosts in turn of three, users of two, levels of five, rules of two. */
beforeAll(async () => {
  server = await openTestServer([])
  other = await server.tokenOf(['admin'], 'other')
  const { alerts } = server.app.state
  for (let number = 0; number < 60; number++) {
    const event = { processName: '', commandLine: `run ${number}`, user: number % 2 === 0 ? 'alice' : '', host: `web-${number % 3}`, statedTime: '' }
    const attack = { tactics: number % 4 === 0 ? ['execution', 'impact'] : [], techniques: [] }
    const match = newAlertWith({
      id: `m${String(number).padStart(2, '0')}`, ruleId: `rule${number % 2}`, ruleTitle: `Rule ${number % 2}`, level: levels[number % 5]!,
      matchedAt: opened + number * minuteMs, dedupKey: `key ${number}`, event, attack,
    })
    await alerts.insert(onlyTenant, [match])
    if (number < 10) await alerts.update(onlyTenant, match.id, { status: 'resolved' }, { expectedVersion: undefined, at: opened })
  }
})

async function summarize(query: string, token?: string): Promise<AlertSummaryBody> {
  const { status, body } = await server.call('GET', `/v1/alerts/summary?${query}`, token === undefined ? {} : { token })
  expect(status).toBe(200)
  return alertSummarySchema.parse(body)
}

async function group(query: string): Promise<AlertGroupListBody> {
  return alertGroupListSchema.parse((await server.call('GET', `/v1/alerts/groups?${query}`)).body)
}

const range = 'from=2026-11-20T09:00:00Z&to=2026-11-20T10:00:00Z'
const filters = (filter: object): string => `filters=${encodeURIComponent(JSON.stringify(filter))}`

describe('GET /v1/alerts/summary', () => {
  test('counts over time, in spans that cover the range', async () => {
    const { histogram, bucket_ms, total, from, to } = await summarize(`${range}&buckets=12`)
    expect({ bucket_ms, total, from, to }).toEqual({
      bucket_ms: 5 * minuteMs, total: 60, from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T10:00:00.000Z',
    })
    const whole = { count: 5, breakdown: { low: 2, medium: 1, high: 1, critical: 1 } }
    expect(histogram).toEqual([...Array(12).keys()].map((span) => ({ time: new Date(opened + span * 5 * minuteMs).toISOString(), ...whole })))
  })

  test('divides spans by status', async () => {
    const { histogram } = await summarize(`${range}&buckets=12&by=status`)
    expect(histogram.map(({ breakdown }) => breakdown)).toEqual([{ resolved: 5 }, { resolved: 5 }, ...Array<object>(10).fill({ open: 5 })])
  })

  test('without a range reaches from the oldest alert to now', async () => {
    expect(await summarize('')).toMatchObject({ total: 60, from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T10:00:00.001Z' })
    expect(await summarize('', other)).toMatchObject({ total: 0, histogram: [{ count: 0, breakdown: {} }] })
  })

  // Ten alerts were resolved at the instant at which the first of them came: the answer of those that came later took no time.
  test.for<[title: string, query: string, counts: readonly [acknowledged: number, closed: number]]>([
    ['of all', range, [10, 10]],
    ['of a host', `${range}&${filters({ field: 'host', op: 'eq', value: 'web-1' })}`, [3, 3]],
    ['of a status that none has', `${range}&status=false_positive`, [0, 0]],
    ['of a range in which none was answered', 'from=2026-11-20T09:01:00Z&to=2026-11-20T10:00:00Z', [0, 0]],
  ])('tells how long answers took: %s', async ([, query, [acknowledged, closed]]) => {
    const { mtta, mttr } = await summarize(query)
    const seconds = (count: number): number | null => (count === 0 ? null : 0)
    expect([mtta, mttr]).toEqual([
      { seconds: seconds(acknowledged), count: acknowledged }, { seconds: seconds(closed), count: closed },
    ])
  })

  test('a range that begins in the future is empty', async () => {
    expect(await summarize('from=2030-01-01T00:00:00Z')).toMatchObject({ total: 0, histogram: [{ count: 0, breakdown: {} }] })
  })

  // The list answers the same question in another way.
  test.for<[title: string, query: string]>([
    ['nothing', ''],
    ['a severity', 'severity=low'],
    ['statuses and severities', 'severity=low,high&status=open'],
    ['a filter by level', filters({ field: 'severity', op: 'gte', value: 'high' })],
    ['a text', 'q=run%201'],
    ['a host', filters({ field: 'host', op: 'eq', value: 'web-1' })],
    ['a tactic with a status', `status=resolved&${filters({ field: 'tactic', op: 'eq', value: 'impact' })}`],
    ['what no alert has', 'q=nothing'],
  ])('counts what the list lists: %s', async ([, query]) => {
    const part = 'from=2026-11-20T09:03:00Z&to=2026-11-20T09:41:00Z'
    const listed = alertListSchema.parse((await server.call('GET', `/v1/alerts?${part}&limit=500&${query}`)).body).alerts
    const { total, histogram, facets } = await summarize(`${part}&facets=severity,status,host&${query}`)
    expect(total).toBe(listed.length)
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(listed.length)
    const count = (read: (alert: (typeof listed)[number]) => string) =>
      Object.fromEntries(Object.entries(Object.groupBy(listed, read)).map(([value, alerts = []]) => [value, alerts.length]))
    const counted = facets.map(({ field, values }) => [field, Object.fromEntries(values.map(({ value, count }) => [value, count]))])
    expect(Object.fromEntries(counted)).toEqual({
      severity: count(({ severity }) => severity), status: count(({ status }) => status), host: count(({ event }) => event.host),
    })
  })

  test('facets name the most frequent values, and how many there are', async () => {
    const { facets } = await summarize(`${range}&facets=rule_id,user,tactic,verdict&limit=1`)
    expect(facets).toEqual([
      { field: 'rule_id', distinct: 2, values: [{ value: 'rule0', label: 'Rule 0', count: 30 }], sampled: null },
      { field: 'user', distinct: 2, values: [{ value: '', label: '', count: 30 }], sampled: null },
      { field: 'tactic', distinct: 3, values: [{ value: '', label: '', count: 45 }], sampled: null },
      { field: 'verdict', distinct: 2, values: [{ value: 'unreviewed', label: 'unreviewed', count: 50 }], sampled: null },
    ])
  })

  test.for<[title: string, query: string, code: string]>([
    ['too many spans', 'buckets=201', 'INVALID_PARAMETER'],
    ['too few', 'buckets=9', 'INVALID_PARAMETER'],
    ['an unknown facet', 'facets=color', 'INVALID_PARAMETER'],
    ['a range that ends before it begins', 'from=2026-11-20&to=2026-11-19', 'INVALID_PARAMETER'],
    ['an unknown field', filters({ field: 'color', op: 'eq', value: 'red' }), 'INVALID_QUERY_FIELD'],
  ])('%s is refused', async ([, query, code]) => {
    expect(await server.call('GET', `/v1/alerts/summary?${query}`)).toMatchObject({ status: 400, body: { error: { code } } })
  })
})

describe('GET /v1/alerts/groups', () => {
  test('groups by host with count, open ones, worst severity, first and last', async () => {
    const { groups, grouped, pagination } = await group('by=host')
    expect([grouped, pagination.total]).toEqual([60, 3])
    expect(groups.map(({ key, count, open }) => [key, count, open])).toEqual([['web-2', 20, 17], ['web-1', 20, 17], ['web-0', 20, 16]])
    expect(groups[2]).toMatchObject({
      label: 'web-0', severity: 'critical', first_at: '2026-11-20T09:00:00.000Z', last_at: '2026-11-20T09:57:00.000Z',
    })
    expect(groups.map(({ spark }) => [spark.length, spark.reduce((sum, count) => sum + count, 0)])).toEqual(Array(3).fill([24, 20]))
  })

  test.for<[by: string, sort: string, labels: string[]]>([
    ['rule_id', 'label:desc', ['Rule 1', 'Rule 0']],
    ['user', 'label:asc', ['', 'alice']],
    ['tactic', 'count:desc,label:asc', ['', 'execution', 'impact']],
    ['rule_host', 'label:asc', ['Rule 0 on web-0', 'Rule 0 on web-1', 'Rule 0 on web-2', 'Rule 1 on web-0', 'Rule 1 on web-1', 'Rule 1 on web-2']],
  ])('by %s, sorted by %s', async ([by, sort, labels]) => {
    expect((await group(`by=${by}&sort=${sort}`)).groups.map(({ label }) => label)).toEqual(labels)
  })

  test('pages by cursor, of a selection', async () => {
    const query = `by=rule_host&limit=2&status=open&${filters({ field: 'host', op: 'ne', value: 'web-0' })}`
    const first = await group(query)
    const second = await group(`${query}&cursor=${first.pagination.next_cursor}`)
    expect([...first.groups, ...second.groups].map(({ key }) => key).sort()).toEqual(['rule0 web-1', 'rule0 web-2', 'rule1 web-1', 'rule1 web-2'])
    expect([first.grouped, second.pagination.next_cursor]).toEqual([34, null])
  })

  test.for<[title: string, query: string]>([
    ['no key', ''], ['an unknown key', 'by=color'], ['a field that groups are not sorted by', 'by=host&sort=host:asc'],
  ])('%s is refused', async ([, query]) => {
    expect((await server.call('GET', `/v1/alerts/groups?${query}`)).status).toBe(400)
  })

  test('another tenant has none', async () => {
    const { body } = await server.call('GET', '/v1/alerts/groups?by=host', { token: other })
    expect(alertGroupListSchema.parse(body)).toMatchObject({ groups: [], grouped: 0 })
  })
})
