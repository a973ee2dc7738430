import type { Filter } from '@tripline/model/lists/filter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlannedStore } from './query-plans.ts'
import type { PlannedStore } from './query-plans.ts'
import { newAlertWith } from './state-samples.ts'

let planned: PlannedStore
beforeAll(async () => {
  planned = await openPlannedStore()
  await planned.store.alerts.insert('a', [newAlertWith({})])
})
afterAll(() => planned.close())

const is = (field: string, value: string): Filter => ({ field, operator: 'eq', value })

// Without the right index, or with a separate sort, a page would cost more the more alerts there are.
test.for<[title: string, filter: Filter | undefined, field: string, index: string]>([
  ['all, newest first', undefined, 'created_at', 'alerts_by_created (tenant_id=?)'],
  ['all, last changed first', undefined, 'updated_at', 'alerts_by_updated (tenant_id=?)'],
  ['of a level', is('severity', 'high'), 'created_at', 'alerts_by_level (tenant_id=? AND level=?)'],
  ['of a status and level', { and: [is('status', 'open'), is('severity', 'high')] }, 'created_at', 'alerts_by_status (tenant_id=? AND status=? AND level=?)'],
  ['of a host', is('host', 'dc01'), 'created_at', 'alerts_by_host (tenant_id=? AND host=?)'],
  ['of a user', is('user', 'alice'), 'created_at', 'alerts_by_user (tenant_id=? AND user_name=?)'],
  ['of a rule', is('rule_id', 'rule1'), 'created_at', 'alerts_by_rule (tenant_id=? AND rule_id=?)'],
  ['of a status', is('status', 'open'), 'created_at', 'alerts_by_status_time (tenant_id=? AND status=?)'],
  ['of an assignee', is('assignee', 'a@example.com'), 'created_at', 'alerts_by_assignee (tenant_id=? AND assignee=?)'],
])('alerts, %s', async ([, filter, field, index]) => {
  const query = { order: [{ field, direction: 'desc' }], limit: 2, ...(filter === undefined ? {} : { where: [filter] }) } as const
  const [first] = await planned.plansOf(() => planned.store.alerts.list('a', query))
  expect(first).toBe(`SEARCH alerts USING INDEX ${index}`)
  const [next] = await planned.plansOf(() => planned.store.alerts.list('a', { ...query, after: [1_000, 'm1'] }))
  const [key = ''] = index.split(')')
  expect(next?.startsWith(`SEARCH alerts USING INDEX ${key}`)).toBe(true)
  expect(next).toContain(`AND (${field},id)<(?,?))`)
})

test('the alerts of an event are found without reading other matches', async () => {
  const plans = await planned.plansOf(() => planned.store.alerts.alertsOfEvent('a', { occurredAt: 5, by: 'offset', number: 1 }))
  expect(plans).toEqual([
    'SEARCH alert_matches USING INDEX alert_matches_by_event (tenant_id=? AND event_offset=? AND event_at=?)',
    'SEARCH alert_members USING COVERING INDEX sqlite_autoindex_alert_members_1 (tenant_id=? AND event_offset=? AND event_at=?)',
  ])
})

test('members of a correlation are added without reading those of other alerts', async () => {
  const { alerts } = planned.store
  const ofAlert = 'alert_members USING COVERING INDEX alert_members_by_alert (tenant_id=? AND alert_id=?)'
  const member = { occurredAt: 5, by: 'offset', number: 2 } as const
  const inserting = await planned.plansOf(() => alerts.insert('a', [newAlertWith({ id: 'of members', dedupKey: 'members', memberRefs: [member] })]))
  expect(inserting).toContain(`SEARCH ${ofAlert}`)
})

test('figures of a page of rules read neither rows of alerts nor other versions', async () => {
  const { alerts, ruleVersions } = planned.store
  const [judged] = await planned.plansOf(() => alerts.judgedSince('a', ['rule1', 'rule2'], 0))
  expect(judged).toContain('SEARCH alerts USING COVERING INDEX judged_alerts_by_rule (tenant_id=? AND rule_id=? AND updated_at>?)')
  const [authors] = await planned.plansOf(() => ruleVersions.authors('a', [{ id: 'rule1', version: 1 }, { id: 'rule2', version: 3 }]))
  expect(authors).toContain('(tenant_id=? AND rule_id=? AND version=?)')
})

test.for<[field: string, index: string]>([
  ['severity', 'alerts_by_level'], ['status', 'alerts_by_status_time'], ['rule_title', 'alerts_by_title'], ['host', 'alerts_by_host'],
  ['event_count', 'alerts_by_event_count'],
])('alerts by %s are not sorted', async ([field, index]) => {
  for (const direction of ['asc', 'desc'] as const) {
    const [page] = await planned.plansOf(() => planned.store.alerts.list('a', { order: [{ field, direction }, { field: 'created_at', direction }], limit: 2 }))
    expect(page).toBe(`SEARCH alerts USING INDEX ${index} (tenant_id=?)`)
  }
})

test.for<[title: string, where: Filter[], parts: readonly string[]]>([
  ['severities', [{ field: 'severity', operator: 'in', value: ['high', 'critical'] }], ['level=?', 'level=?']],
  ['products', [{ and: [{ field: 'product', operator: 'in', value: ['windows', 'linux'] }] }], ['product=?', 'product=?']],
  [
    'statuses and severities', [
      { field: 'status', operator: 'in', value: ['open', 'in_progress'] }, { field: 'severity', operator: 'in', value: ['high', 'critical'] },
    ], Array<string>(4).fill('status=? AND level=?'),
  ],
])('several %s are merged in their order', async ([, where, parts]) => {
  const [page = ''] = await planned.plansOf(() => planned.store.alerts.list('a', { where, order: [{ field: 'created_at', direction: 'desc' }], limit: 2 }))
  expect(page.match(/SEARCH alerts USING INDEX \w+ \(tenant_id=\? AND ([^)]*)\)/g)?.map((each) => /AND (.*)\)/.exec(each)?.[1])).toEqual(parts)
  expect(page).not.toContain('TEMP B-TREE')
})

test('alerts with a rare text are found by its trigrams', async () => {
  const [asked, page] = await planned.plansOf(() => planned.store.alerts.list('a', { text: 'no such text', limit: 2 }))
  expect(asked).toContain('SCAN alert_texts VIRTUAL TABLE INDEX')
  expect(page).toMatch(/SCAN alert_texts VIRTUAL TABLE INDEX [^;]*; SEARCH alerts USING INTEGER PRIMARY KEY/)
})

test('alerts with a rare text of two characters are found by the trigrams that begin with it', async () => {
  const [terms, asked, page] = await planned.plansOf(() => planned.store.alerts.list('a', { text: 'zq', limit: 2 }))
  expect(terms).toMatch(/^SCAN alert_texts_terms VIRTUAL TABLE INDEX \d+:$/)
  expect(asked).toContain('SCAN alert_texts VIRTUAL TABLE INDEX')
  expect(page).toMatch(/SCAN alert_texts VIRTUAL TABLE INDEX [^;]*; SEARCH alerts USING INTEGER PRIMARY KEY/)
})

test('a match finds its alert by an index', async () => {
  const plans = await planned.plansOf(() => planned.store.alerts.insert('a', [newAlertWith({ id: 'm2' })]))
  const searches = plans.filter((plan) => plan !== '')
  expect(searches.length).toBeGreaterThan(1)
  expect(searches.filter((plan) => /\bSCAN\b/.test(plan))).toEqual([])
  expect(searches.find((plan) => plan.includes('dedup_key=?'))).toContain('open_alerts_by_dedup (tenant_id=? AND dedup_key=? AND created_at>?')
})

test('totals are read from the counts', async () => {
  const plans = await planned.plansOf(() => planned.store.alerts.list('a', { limit: 1, skip: 1 }))
  expect(plans[1]).toContain('SEARCH alert_counts USING')
})

test('a first page that is all there is needs no counting', async () => {
  expect(await planned.plansOf(() => planned.store.alerts.list('a', { limit: 10, where: [is('host', 'no-such-host')] }))).toHaveLength(1)
})

test.for<[title: string, filter: Filter, index: string]>([
  ['a rule', is('rule_id', 'rule1'), 'alerts_by_rule (tenant_id=? AND rule_id=? AND created_at>? AND created_at<?)'],
  ['a host', is('host', 'dc01'), 'alerts_by_host (tenant_id=? AND host=? AND created_at>? AND created_at<?)'],
  ['a user', is('user', 'alice'), 'alerts_by_user (tenant_id=? AND user_name=? AND created_at>? AND created_at<?)'],
  ['a host of any case', is('host_folded', 'dc01'), 'alerts_by_folded_host (tenant_id=? AND <expr>=? AND created_at>? AND created_at<?)'],
  ['a user of any case', is('user_folded', 'alice'), 'alerts_by_folded_user (tenant_id=? AND <expr>=? AND created_at>? AND created_at<?)'],
  ['a status and level', { and: [is('status', 'open'), is('severity', 'high')] }, 'alerts_by_status (tenant_id=? AND status=? AND level=? AND created_at>?'],
])('alerts of %s in a range of time are not searched among all of that time', async ([, filter, index]) => {
  const range: Filter[] = [{ field: 'created_at', operator: 'gte', value: 1 }, { field: 'created_at', operator: 'lt', value: 9_000 }]
  const where = [...range, filter]
  const order = [{ field: 'created_at', direction: 'desc' }] as const
  const [page, ...others] = await planned.plansOf(() => planned.store.alerts.list('a', { where, order, limit: 2, after: [5_000, 'm1'] }))
  const [newest] = await planned.plansOf(() => planned.store.alerts.newest('a', { where }, { limit: 2 }))
  const [counted] = await planned.plansOf(() => planned.store.alerts.countOverTime('a', { where: [filter] }, { edges: [1, 9_000], signal: { aborted: false } }))
  for (const plan of [page, ...others, newest]) expect(plan).toContain(index.split(' ')[0])
  expect(newest).toContain(index)
  if (!index.startsWith('alerts_by_status')) expect(counted).toContain(index)
})

test('alerts that wait are found among those of their status and level, however many are closed', async () => {
  const where: Filter[] = [is('severity', 'critical'), { field: 'status', operator: 'in', value: ['open', 'in_progress'] }, is('verdict', 'unreviewed')]
  const order = [{ field: 'created_at', direction: 'desc' }] as const
  const [page = ''] = await planned.plansOf(() => planned.store.alerts.list('a', { where, order, limit: 1 }))
  expect(page.match(/USING INDEX \w+/g)).toEqual(['USING INDEX alerts_by_status', 'USING INDEX alerts_by_status'])
  expect(page).not.toContain('TEMP B-TREE')
})

test('alerts are counted over time by status and level without reading one', async () => {
  const plans = await planned.plansOf(() => planned.store.alerts.countOverTime('a', {}, { edges: [0, 500, 2_000], signal: { aborted: false } }))
  expect(plans.slice(1)).toEqual(Array(2).fill(
    'SEARCH alerts USING COVERING INDEX alerts_by_status (tenant_id=? AND status=? AND level=? AND created_at>? AND created_at<?)',
  ))
})
