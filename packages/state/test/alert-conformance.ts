import type { Alert, AlertChange, NewAlert } from '@tripline/model/alert'
import type { Comparison, Filter, FilterOperator } from '@tripline/model/lists/filter'
import { expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import type { AlertTimeCounts } from '../src/ports/alert-store.ts'
import type { ListQuery } from '../src/ports/list-query.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { newAlertWith } from './state-samples.ts'

const whenever = { expectedVersion: undefined, at: 2_000 }

/** The behaviour of every alert store; tenant 'b' has no alerts at the start. */
export function describeAlerts(store: () => StateStore): void {
  const insert = async (...matches: readonly Partial<NewAlert>[]) => {
    const insertions = await store().alerts.insert('b', matches.map(newAlertWith))
    return insertions.map(({ outcome, alertId }) => `${outcome} ${alertId}`).join(', ')
  }

  test.for<[title: string, second: Partial<NewAlert>, change: AlertChange, outcome: string]>([
    ['the same match', { id: 'm1', matchedAt: 5_000 }, {}, 'known m1'],
    ['another of the key', { id: 'm2' }, {}, 'grouped m1'],
    ['another at the end of the window', { id: 'm2', matchedAt: 1_099 }, {}, 'grouped m1'],
    ['another after the window', { id: 'm2', matchedAt: 1_100 }, {}, 'created m2'],
    ['another that is late', { id: 'm2', matchedAt: 901 }, {}, 'grouped m1'],
    ['another that is too late', { id: 'm2', matchedAt: 900 }, {}, 'created m2'],
    ['another of another key', { id: 'm2', dedupKey: 'other' }, {}, 'created m2'],
    ['another, in progress', { id: 'm2' }, { status: 'in_progress' }, 'grouped m1'],
    ['another, resolved', { id: 'm2' }, { status: 'resolved' }, 'created m2'],
    ['another, false positive', { id: 'm2' }, { status: 'false_positive' }, 'created m2'],
  ])('%s', async ([, second, change, outcome]) => {
    await insert({})
    await store().alerts.update('b', 'm1', change, whenever)
    expect(await insert(second)).toBe(outcome)
    expect(await insert(second)).toBe(`known ${outcome.split(' ')[1] ?? ''}`)
  })

  test('alerts are counted by span, level and status, newest span first, until the signal ends it', async () => {
    await insert({}, { id: 'm2', dedupKey: 'b', matchedAt: 1_500 }, { id: 'm3', dedupKey: 'c', matchedAt: 1_999, level: 'low' })
    await insert({ id: 'm4', dedupKey: 'd', matchedAt: 2_000 })
    await store().alerts.update('b', 'm2', { status: 'resolved' }, whenever)
    const edges = [500, 1_000, 1_500, 2_000]
    const all = { counts: [
      { span: 2, level: 'high', status: 'resolved', count: 1 }, { span: 2, level: 'low', status: 'open', count: 1 },
      { span: 1, level: 'high', status: 'open', count: 1 },
    ], countedFrom: 0 }
    const sorted = ({ counts, countedFrom }: AlertTimeCounts) => ({
      counts: counts.toSorted((one, other) => other.span - one.span || one.level.localeCompare(other.level)), countedFrom,
    })
    const { alerts } = store()
    expect(sorted(await alerts.countOverTime('b', {}, { edges, signal: { aborted: false } }))).toEqual(all)
    // The same by another way: its text makes it read rows.
    expect(sorted(await alerts.countOverTime('b', { text: 'whoami' }, { edges, signal: { aborted: false } }))).toEqual(all)
    expect(await alerts.countOverTime('b', { where: [{ field: 'severity', operator: 'eq', value: 'low' }] }, { edges, signal: { aborted: false } }))
      .toEqual({ counts: [{ span: 2, level: 'low', status: 'open', count: 1 }], countedFrom: 0 })
    expect(await alerts.countOverTime('b', {}, { edges, signal: { aborted: true } })).toEqual({ counts: [], countedFrom: 3 })
    expect([await alerts.oldestAt('b'), await alerts.oldestAt('nobody')]).toEqual([1_000, undefined])
  })

  test('the times of answers are those of the span and of the tenant, until an alert is reopened', async () => {
    const { alerts } = store()
    await insert({}, { id: 'm2', dedupKey: 'b' })
    const { createdAt } = (await alerts.get('b', 'm1'))!
    const read = async (tenant: string, to = 9_000) =>
      [await alerts.answerTimes(tenant, 'acknowledged', { from: 0, to }), await alerts.answerTimes(tenant, 'closed', { from: 0, to })]
    const none = { count: 0, meanMs: undefined }
    await alerts.update('b', 'm1', { status: 'in_progress' }, { ...whenever, at: createdAt + 500 })
    await alerts.update('b', 'm2', { status: 'resolved' }, { ...whenever, at: createdAt + 1_500 })
    expect(await read('b')).toEqual([{ count: 2, meanMs: 1_000 }, { count: 1, meanMs: 1_500 }])
    expect(await read('b', createdAt + 1_500)).toEqual([{ count: 1, meanMs: 500 }, none])
    expect(await read('nobody')).toEqual([none, none])
    const select = async (status: string, aborted = false) => await alerts.answerTimes('b', 'acknowledged', { from: 0, to: 9_000 }, {
      selection: { where: [{ field: 'status', operator: 'eq', value: status }] }, signal: { aborted },
    })
    expect(await select('resolved')).toEqual({ count: 1, meanMs: 1_500 })
    expect([await select('open'), await select('resolved', true)]).toEqual([none, none])
    await alerts.update('b', 'm2', { status: 'open' }, { ...whenever, at: createdAt + 2_000 })
    expect(await read('b')).toEqual([{ count: 1, meanMs: 500 }, none])
  })

  test('the newest alerts are read in chunks, each once', async () => {
    const { factRowsMax } = limits.state
    const matches = [...Array(factRowsMax + 5).keys()].map((number) => ({ id: `m${number}`, dedupKey: `key ${number}`, matchedAt: 1_000 + (number >> 1) }))
    await insert(...matches)
    const ids = async (limit: number) => (await store().alerts.newest('b', {}, { limit })).map(({ id }) => id)
    const expected = matches.toSorted((one, other) => other.matchedAt - one.matchedAt || (one.id < other.id ? 1 : -1)).map(({ id }) => id)
    expect(await ids(2 * factRowsMax)).toEqual(expected)
    expect(await ids(factRowsMax + 1)).toEqual(expected.slice(0, factRowsMax + 1))
    expect(await store().alerts.newest('b', { text: 'no such text' }, { limit: 1 })).toEqual([])
  })

  test('a repeated batch changes nothing', async () => {
    const batch = [{}, { id: 'm2', matchedAt: 1_010 }, { id: 'm3', dedupKey: 'other' }, { id: 'm2' }]
    expect(await insert(...batch)).toBe('created m1, grouped m1, created m3, known m1')
    const before = await store().alerts.list('b', { limit: 10 })
    expect(await insert(...batch)).toBe('known m1, known m1, known m3, known m1')
    expect(await store().alerts.list('b', { limit: 10 })).toEqual(before)
    expect(before.entries.map(({ id, eventCount, lastSeenAt, version }) => [id, eventCount, lastSeenAt, version])).toEqual([
      ['m3', 1, 1_000, 1],
      ['m1', 2, 1_010, 2],
    ])
  })

  test('an alert has the times of its first and last event, whenever they arrive', async () => {
    const at = (id: string, matchedAt: number, occurredAt: number | undefined) =>
      ({ id, matchedAt, ...(occurredAt !== undefined && { eventRef: { occurredAt, by: 'offset', number: 1 } as const }) })
    await insert(at('m1', 1_000, 500), at('m2', 1_001, 20), at('m3', 1_002, 700), { ...at('m4', 1_003, undefined), dedupKey: 'other' })
    const { entries } = await store().alerts.list('b', { limit: 10 })
    expect(entries.map(({ id, firstEventAt, lastEventAt, createdAt, lastSeenAt }) => [id, firstEventAt, lastEventAt, createdAt, lastSeenAt]))
      .toEqual([['m4', 1_003, 1_003, 1_003, 1_003], ['m1', 20, 700, 1_000, 1_002]])
  })

  test('the alerts of an event are found by its time and offset, until they are removed', async () => {
    const event = { occurredAt: 500, by: 'offset', number: 7 } as const
    const part = { eventRef: event }
    await insert(
      { id: 'm1', ...part }, { id: 'm2', ...part }, { id: 'm3', dedupKey: 'other', ...part }, { id: 'm4', dedupKey: 'none' },
      { id: 'm5', dedupKey: 'next', eventRef: { ...event, number: 8 } }, { id: 'm6', dedupKey: 'later', eventRef: { ...event, occurredAt: 501 } },
    )
    const { alerts } = store()
    expect(await alerts.alertsOfEvent('b', event)).toEqual(['m1', 'm3'])
    expect([await alerts.alertsOfEvent('b', { ...event, by: 'sequence' }), await alerts.alertsOfEvent('a', event)]).toEqual([[], []])
    await alerts.removeOld('b', { before: 9_000, limit: 1 })
    expect(await alerts.alertsOfEvent('b', event)).toEqual(['m3'])
  })

  test('each event that a correlation counted leads to its alert, as many as it keeps, until it is removed', async () => {
    const refs = (from: number, count: number) => Array.from({ length: count }, (_, i) => ({ occurredAt: 500, by: 'offset', number: from + i }) as const)
    const { alerts } = store()
    const ofEvent = (number: number, tenant = 'b') => alerts.alertsOfEvent(tenant, { occurredAt: 500, by: 'offset', number })
    const [newest] = refs(9, 1)
    await insert({ id: 'm1', eventRef: newest, memberRefs: refs(7, 2) }, { id: 'm2', memberRefs: refs(8, 3) })
    await insert({ id: 'm3', dedupKey: 'other', memberRefs: refs(8, 1) })
    expect(await Promise.all([6, 7, 8, 9, 10, 11].map((number) => ofEvent(number)))).toEqual([[], ['m1'], ['m1', 'm3'], ['m1'], ['m1'], []])
    expect(await ofEvent(8, 'a')).toEqual([])
    expect(await alerts.alertsOfEvent('b', { occurredAt: 501, by: 'offset', number: 8 })).toEqual([])
    const { memberEventsMax } = limits.state
    await insert({ id: 'm4', memberRefs: refs(100, memberEventsMax) }, { id: 'm5', memberRefs: refs(9_000, 1) })
    expect([await ofEvent(100 + memberEventsMax - 5), await ofEvent(100 + memberEventsMax - 4), await ofEvent(9_000)]).toEqual([['m1'], [], []])
    await alerts.removeOld('b', { before: 9_000, limit: 1 })
    expect(await ofEvent(8)).toEqual(['m3'])
  })

  test('old ones go, oldest first, with matches and comments; totals follow, what rules did stays counted', async () => {
    const others = [{ id: 'm3', dedupKey: 'other', matchedAt: 1_001 }, { id: 'm4', dedupKey: 'new', matchedAt: 3_000 }]
    await insert({}, { id: 'm2', matchedAt: 1_050 }, ...others)
    const comment = { id: 'c1', author: 'ann', text: 'seen' }
    await store().alerts.update('b', 'm3', { verdict: 'benign', comment }, { expectedVersion: undefined, at: 1_060 })
    const { alerts } = store()
    const left = async () => {
      const page = await alerts.list('b', { order: [{ field: 'created_at', direction: 'asc' }], limit: 10 })
      return [...page.entries.map(({ id }) => id), page.total.count]
    }
    expect(await alerts.removeOld('b', { before: 1_050, limit: 9 })).toBe(0)
    expect(await alerts.removeOld('b', { before: 3_000, limit: 1 })).toBe(1)
    expect(await left()).toEqual(['m3', 'm4', 2])
    expect(await alerts.removeOld('b', { before: 3_000, limit: 9 })).toBe(1)
    expect(await left()).toEqual(['m4', 1])
    expect(await alerts.comments('b', 'm3')).toEqual([])
    expect(await alerts.evidence('b', 'm1')).toEqual([])
    expect(await alerts.alertOfMatch('b', 'm2')).toBe(undefined)
    expect(await alerts.verdicts('b', ['rule1', 'rule2'])).toEqual(new Map([['rule1', { true_positive: 0, false_positive: 0, benign: 1, unreviewed: 2 }]]))
  })

  test('judged alerts are counted by rule, from an instant of their last change on', async () => {
    const { alerts } = store()
    const verdicts = ['false_positive', 'true_positive', 'false_positive', 'benign'] as const
    await insert(...verdicts.map((_, i) => ({ id: `m${i}`, dedupKey: `d${i}` })), { id: 'n', dedupKey: 'n' }, { id: 'o', dedupKey: 'o', ruleId: 'rule2' })
    for (const [i, verdict] of verdicts.entries()) await alerts.update('b', `m${i}`, { verdict }, { expectedVersion: undefined, at: 2_000 + i })
    await alerts.update('b', 'o', { verdict: 'true_positive' }, { expectedVersion: undefined, at: 9_000 })
    const count = (since: number, ids = ['rule1', 'rule2', 'rule3']) => alerts.judgedSince('b', ids, since)
    const second = ['rule2', { truePositives: 1, falsePositives: 0 }] as const
    expect(await count(2_000)).toEqual(new Map([['rule1', { truePositives: 1, falsePositives: 2 }], second]))
    expect(await count(2_001)).toEqual(new Map([['rule1', { truePositives: 1, falsePositives: 1 }], second]))
    expect(await count(2_003)).toEqual(new Map([second]))
    expect([await count(2_000, ['rule3']), await count(0, [])]).toEqual([new Map(), new Map()])
    expect(await alerts.judgedSince('a', ['rule1', 'rule2'], 0)).toEqual(new Map())
  })

  test('a batch that fails leaves nothing', async () => {
    const broken = { ...newAlertWith({ id: 'm2', dedupKey: 'other' }), matchedAt: Number.NaN }
    await expect(store().alerts.insert('b', [newAlertWith({}), broken])).rejects.toThrow('NOT NULL')
    expect((await store().alerts.list('b', { limit: 10 })).total).toEqual({ count: 0, isExact: true })
  })

  test('the first ten and the last ten events stay', async () => {
    await insert(...Array.from({ length: 35 }, (_, i) => ({ id: `m${i}`, matchedAt: 1_000 + i, evidence: `{"n":${i}}` })))
    const kept = (await store().alerts.evidence('b', 'm0')).map(({ matchId }) => Number(matchId.slice(1)))
    expect(kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34])
    expect((await store().alerts.get('b', 'm0'))?.eventCount).toBe(35)
    expect(await insert({ id: 'm15' })).toBe('known m0')
  })

  test('changes: verdicts, reopening, an assignee, comments, versions', async () => {
    const { alerts } = store()
    await insert({})
    const change = async (change: Parameters<typeof alerts.update>[2], expectedVersion?: number) => {
      const result = await alerts.update('b', 'm1', change, { expectedVersion, at: 2_000 })
      return 'value' in result ? `${result.outcome} ${printWork(result.value)}` : JSON.stringify(result)
    }
    expect(await change({ status: 'resolved', assignee: 'ann@example.org' }, 1)).toBe('changed resolved true_positive ann@example.org 0 v2')
    expect(await change({ status: 'resolved' }, 2)).toBe('unchanged resolved true_positive ann@example.org 0 v2')
    expect(await change({ status: 'open' }, 1)).toBe('{"outcome":"stale","version":2}')
    expect(await change({ status: 'open', assignee: null })).toBe('changed open true_positive nobody 1 v3')
    expect(await change({ status: 'false_positive', verdict: 'benign' })).toBe('changed false_positive benign nobody 1 v4')
    expect(await change({ comment: { id: 'c1', author: 'Ann', text: 'a\u0000b' } })).toBe('changed false_positive benign nobody 1 v5')
    expect(await change({ comment: { id: 'c2', author: 'Ann', text: 'x' } }, 4)).toBe('{"outcome":"stale","version":5}')
    expect(await alerts.comments('b', 'm1')).toEqual([{ id: 'c1', author: 'Ann', text: 'a\u0000b', createdAt: 2_000 }])
    expect(await alerts.verdicts('b', ['rule1', 'rule2'])).toEqual(new Map([['rule1', { true_positive: 0, false_positive: 0, benign: 1, unreviewed: 0 }]]))
    expect(await alerts.verdicts('b', [])).toEqual(new Map())
    await insert({ id: 'other', ruleId: 'rule2', dedupKey: 'of rule2' })
    expect(await alerts.allVerdicts('b')).toEqual({ true_positive: 0, false_positive: 0, benign: 1, unreviewed: 1 })
  })

  test.for<[filter: Filter, problem: string]>([
    [leaf('nothing', 'eq', 'x'), "alerts have no field 'nothing' to filter by"],
    [leaf('constructor', 'eq', 'x'), "alerts have no field 'constructor' to filter by"],
    [leaf('tenant_id', 'eq', 'a'), "alerts have no field 'tenant_id' to filter by"],
    [leaf('host', 'eq', 1), "'host' is compared with texts"],
    [leaf('host', 'eq', ['x']), "'eq' of 'host' takes one value"],
    [leaf('host', 'in', 'x'), "'in' of 'host' takes a list"],
    [leaf('created_at', 'gt', 'x'), "'created_at' is compared with whole numbers"],
    [leaf('created_at', 'gt', 1.5), "'created_at' is compared with whole numbers"],
    [leaf('created_at', 'prefix', '1'), "'created_at' does not take 'prefix'"],
    [leaf('created_at', 'between', [1]), "'between' of 'created_at' takes two values"],
    [leaf('severity', 'eq', 'worst'), "'severity' must be one of informational, low, medium, high, critical"],
    [leaf('tactic', 'gt', 'x'), "'tactic' does not take 'gt'"],
    [leaf('host', 'exists', 'x'), "'exists' of 'host' takes true or false"],
    [leaf('host', 'prefix', 'x'.repeat(1_001)), 'a search text has at most 1000 characters'],
    [{ and: [] }, "'and' and 'or' of a filter need at least one part"],
    [nested(8), 'a filter has more than 8 levels'],
    [nested(100_000), 'a filter has more than 8 levels'],
    [{ or: Array.from({ length: 101 }, () => leaf('host', 'eq', 'x')) }, 'a filter has more than 100 comparisons'],
    [leaf('host', 'in', Array.from({ length: 10_001 }, () => 'x')), 'a filter has more than 10000 values'],
  ])('%#: $1', async ([filter, problem]) => {
    await expect(store().alerts.list('b', { where: [filter], limit: 1 })).rejects.toThrow(problem)
  })

  test.for<[sort: string]>([['user'], ['id'], ['toString'], ['dedup_key']])('no list is sorted by %s', async ([field]) => {
    const query: ListQuery = { order: [{ field, direction: 'asc' }], limit: 1 }
    await expect(store().alerts.list('b', query)).rejects.toThrow(`alerts are not sorted by '${field}'`)
  })

  test('a filter of the greatest size is accepted', async () => {
    await insert({})
    const values = Array.from({ length: 100 }, (_, i) => `host ${i}`)
    const filter = { or: Array.from({ length: 100 }, () => leaf('host', 'nin', values)) }
    expect((await store().alerts.list('b', { where: [filter], limit: 1 })).entries).toHaveLength(1)
    expect((await store().alerts.list('b', { where: [nested(7)], limit: 1 })).entries).toHaveLength(0)
  })
}

function printWork({ status, verdict, assignee = 'nobody', reopenedCount, version }: Alert): string {
  return `${status} ${verdict} ${assignee} ${reopenedCount} v${version}`
}

function leaf(field: string, operator: FilterOperator, value: Comparison['value']): Comparison {
  return { field, operator, value }
}

function nested(depth: number): Filter {
  let filter: Filter = leaf('host', 'eq', 'x')
  for (let i = 0; i < depth; i++) filter = i % 2 === 0 ? { and: [filter] } : { or: [filter] }
  return filter
}
