import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { paginateArray } from './paginate-array.ts'
import type { EntryReader } from './paginate-array.ts'
import type { Alert } from '../../model/alert.ts'
import type { Filter, ListPlace, SortKey } from '../../model/lists/filter.ts'
import type { FilteredValue } from '../../model/lists/evaluate-filter.ts'
import { alertFields } from '../../model/lists/list-fields.ts'
import type { ListQuery } from '../../state/ports/list-query.ts'
import { openState } from '../../state/open-state.ts'
import type { StateStore } from '../../state/ports/state-store.ts'
import { newAlertWith, tenantWith } from '../../../test/state/state-samples.ts'

const hosts = ['', 'web-1', 'WEB-2', 'db_1', 'db%2', 'é']
const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const
const statuses = ['open', 'in_progress', 'resolved'] as const
const techniques = [[], ['T1059'], ['T1059.001'], ['T1033', 'T1059.001'], ['T10591']]

const reader: EntryReader<Alert> = {
  fields: alertFields,
  read(alert, field) {
    const values: { readonly [field: string]: FilteredValue } = {
      host: alert.event.host, status: alert.status, severity: alert.level, created_at: alert.createdAt, updated_at: alert.updatedAt,
      technique: alert.attack.techniques, tactic: alert.attack.tactics, assignee: alert.assignee ?? '',
    }
    return values[field] ?? ''
  },
  getId: ({ id }) => id,
  getTexts: ({ ruleTitle, event, id }) => [ruleTitle, event.host, event.user, event.commandLine, id],
}

/** A store with alerts of every kind of host, level, status and technique, and the same alerts in memory. */
let store: StateStore
let all: readonly Alert[]
beforeAll(async () => {
  store = await openState({ path: ':memory:', auditKey: Buffer.from('key') })
  await store.tenants.insert(tenantWith({ id: 'a' }))
  const alerts = hosts.flatMap((host, i) => levels.map((level, j) => newAlertWith({
    id: `m${i}${j}`, dedupKey: `${i} ${j}`, matchedAt: 100 + ((i * 7 + j * 3) % 11), level,
    attack: { tactics: j % 2 === 0 ? ['execution'] : [], techniques: techniques[(i + j) % techniques.length]! },
    event: { processName: '', commandLine: '', user: '', host, statedTime: '' },
  })))
  await store.alerts.insert('a', alerts)
  for (const [index, { id }] of alerts.entries()) {
    const status = statuses[index % statuses.length]!
    const change = { status, ...(index % 4 === 0 && { assignee: 'ann@example.org' }) }
    await store.alerts.update('a', id, change, { expectedVersion: undefined, at: 200 + (index % 5) })
  }
  all = (await store.alerts.list('a', { sort: [], limit: 100 })).alerts
})

const host = fc.constantFrom(...hosts, 'WEB', 'b_', '%')
const instant = fc.integer({ min: 98, max: 112 })
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ field: fc.constant('host'), operator: fc.constantFrom('eq', 'ne', 'prefix', 'contains'), value: host }),
  fc.record({ field: fc.constant('host'), operator: fc.constantFrom('in', 'nin'), value: fc.array(host, { maxLength: 3 }) }),
  fc.record({ field: fc.constantFrom('host', 'assignee', 'technique', 'severity', 'created_at'), operator: fc.constant('exists'), value: fc.boolean() }),
  fc.record({
    field: fc.constant('severity'), operator: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), value: fc.constantFrom(...levels),
  }),
  fc.record({ field: fc.constant('severity'), operator: fc.constant('between'), value: fc.tuple(fc.constantFrom(...levels), fc.constantFrom(...levels)) }),
  fc.record({ field: fc.constant('status'), operator: fc.constantFrom('in', 'nin'), value: fc.subarray([...statuses]) }),
  fc.record({ field: fc.constant('created_at'), operator: fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte'), value: instant }),
  fc.record({ field: fc.constant('created_at'), operator: fc.constant('between'), value: fc.tuple(instant, instant) }),
  fc.record({
    field: fc.constant('technique'), operator: fc.constantFrom('in', 'nin'), value: fc.subarray(['T1059', 'T1059.001', 'T1033', 'T1']),
  }),
)
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}))
const sort: fc.Arbitrary<SortKey[]> = fc.uniqueArray(
  fc.record({ field: fc.constantFrom('created_at', 'severity', 'status', 'host'), direction: fc.constantFrom('asc', 'desc') }),
  { selector: ({ field }) => field, maxLength: 3 },
)
const query: fc.Arbitrary<ListQuery> = fc.record(
  { filter, narrowing: fc.array(leaf, { maxLength: 2 }), sort, text: fc.constantFrom('WEB', '_', 'm1'), limit: fc.integer({ min: 1, max: 40 }) },
  { requiredKeys: ['sort', 'limit'] },
)

test('a list in memory has the pages that a store has', async () => {
  const depthOf = (part: Filter | undefined): number => {
    const parts = part === undefined ? [] : 'and' in part ? part.and : 'or' in part ? part.or : 'not' in part ? [part.not] : []
    return 1 + Math.max(0, ...parts.map(depthOf))
  }
  const allowed = query.filter(({ filter }) => depthOf(filter) <= 8)
  await fc.assert(fc.asyncProperty(allowed, async (query) => {
    let after: ListPlace | undefined
    do {
      const asked = { ...query, ...(after && { after }) }
      const { alerts, next, total } = await store.alerts.list('a', asked)
      const page = paginateArray(all, reader, asked)
      expect(page.entries.map(({ id }) => id)).toEqual(alerts.map(({ id }) => id))
      expect(page.total).toEqual(total)
      expect(page.next === undefined).toBe(next === undefined)
      after = page.next
      // The store's positions hold ranks where these hold names, so each continues with its own.
      if (next !== undefined && query.sort.some(({ field }) => field === 'severity')) break
    } while (after !== undefined)
  }), { numRuns: 300, seed: 7 })
})

test('pages that follow each other are the list, whatever the order', () => {
  fc.assert(fc.property(query, (query) => {
    const whole = paginateArray(all, reader, { ...query, limit: 1_000 }).entries
    const seen: Alert[] = []
    let after: ListPlace | undefined
    do {
      const page = paginateArray(all, reader, { ...query, ...(after && { after }) })
      seen.push(...page.entries)
      after = page.next
    } while (after !== undefined)
    expect(seen).toEqual(whole)
    expect(paginateArray(all, reader, { ...query, skip: 3 }).entries).toEqual(whole.slice(3, 3 + query.limit))
  }), { numRuns: 300, seed: 8 })
})
