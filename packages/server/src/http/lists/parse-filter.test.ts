import { AppError } from '@tripline/contract/app-error'
import { alertFields, getFieldNames } from '@tripline/model/lists/list-fields'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lists } from './list-definition.ts'
import { parseFilter } from './parse-filter.ts'

/** What becomes of a filter on alerts: as text, or the error with its code and place. */
function parsed(filter: unknown): string {
  try {
    return JSON.stringify(parseFilter(alertFields, typeof filter === 'string' ? filter : JSON.stringify(filter)))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `${error.code} ${error.message}`
  }
}

const leaf = (field: string, op: string, value: unknown) => ({ field, op, value })
const inside = (field: string, operator: string, value: unknown) => JSON.stringify({ field, operator, value })

describe('accepted', () => {
  test.for<[filter: object, printed: string]>([
    [leaf('host', 'eq', 'web-1'), inside('host', 'eq', 'web-1')],
    [leaf('host', 'in', ['a', 'b']), inside('host', 'in', ['a', 'b'])],
    [leaf('host', 'in', []), inside('host', 'in', [])],
    [leaf('host', 'exists', false), inside('host', 'exists', false)],
    [leaf('host', 'prefix', 'lab-'), inside('host', 'prefix', 'lab-')],
    [leaf('rule_title', 'contains', 'shell'), inside('rule_title', 'contains', 'shell')],
    [leaf('status', 'eq', 'investigating'), inside('status', 'eq', 'in_progress')],
    [leaf('status', 'nin', ['resolved', 'investigating']), inside('status', 'nin', ['resolved', 'in_progress'])],
    [leaf('severity', 'eq', 'low'), inside('severity', 'in', ['informational', 'low'])],
    [leaf('severity', 'ne', 'low'), inside('severity', 'nin', ['informational', 'low'])],
    [leaf('severity', 'in', ['low', 'high']), inside('severity', 'in', ['informational', 'low', 'high'])],
    [leaf('severity', 'gte', 'low'), inside('severity', 'gte', 'informational')],
    [leaf('severity', 'gt', 'low'), inside('severity', 'gt', 'low')],
    [leaf('severity', 'lt', 'low'), inside('severity', 'lt', 'informational')],
    [leaf('severity', 'lte', 'low'), inside('severity', 'lte', 'low')],
    [leaf('severity', 'between', ['low', 'high']), inside('severity', 'between', ['informational', 'high'])],
    [leaf('created_at', 'gte', '2026-11-20T11:00:00+01:00'), inside('created_at', 'gte', Date.UTC(2026, 10, 20, 10))],
    [leaf('created_at', 'between', ['2026-11-20', '2026-11-21']), inside('created_at', 'between', [Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 21)])],
    [leaf('source_ip', 'cidr', '10.0.0.0/8'), inside('source_ip', 'cidr', '10.0.0.0/8')],
    [leaf('source_ip', 'eq', '2001:db8::1'), inside('source_ip', 'eq', '2001:db8::1')],
    [leaf('tactic', 'eq', 'TA0006'), inside('tactic', 'in', ['credential-access'])],
    [leaf('tactic', 'ne', 'Defense Evasion'), inside('tactic', 'nin', ['defense-evasion'])],
    [leaf('technique', 'in', ['t1059', 'T1003.001']), inside('technique', 'in', ['T1059', 'T1086', 'T1003.001'])],
    [leaf('technique', 'ne', 'T1685.005'), inside('technique', 'nin', ['T1685.005', 'T1070.001'])],
    [{ and: [leaf('host', 'eq', 'a'), { not: leaf('user', 'eq', 'b') }] }, `{"and":[${inside('host', 'eq', 'a')},{"not":${inside('user', 'eq', 'b')}}]}`],
    [{ or: [leaf('host', 'eq', '__proto__')] }, `{"or":[${inside('host', 'eq', '__proto__')}]}`],
  ])('%j', ([filter, printed]) => {
    expect(parsed(filter)).toBe(printed)
  })
})

describe('refused', () => {
  const deep = (levels: number): object => (levels === 1 ? leaf('host', 'eq', 'a') : { and: [deep(levels - 1)] })
  const negated = (levels: number): object => (levels === 1 ? leaf('host', 'eq', 'a') : { not: negated(levels - 1) })
  const wide = (count: number) => ({ or: Array.from({ length: count }, () => leaf('host', 'eq', 'a')) })

  test.for<[filter: unknown, problem: string]>([
    ['', 'INVALID_PARAMETER filters is not valid JSON: '],
    ['{', 'INVALID_PARAMETER filters is not valid JSON: '],
    ['{"not":{}}x', 'INVALID_PARAMETER filters is not valid JSON: '],
    ['[]', 'INVALID_PARAMETER filters must be an object: {and}, {or}, {not} or {field, op, value}'],
    ['null', 'INVALID_PARAMETER filters must be an object'],
    ['{}', "INVALID_PARAMETER filters 'field' must be the name of a field"],
    ['{"__proto__":[]}', "INVALID_PARAMETER filters unknown key '__proto__'"],
    [{ and: [] }, 'INVALID_PARAMETER filters.and must be an array of at least one part'],
    [{ and: {} }, 'INVALID_PARAMETER filters.and must be an array'],
    [{ and: [1] }, 'INVALID_PARAMETER filters.and[0] must be an object'],
    [{ and: [leaf('host', 'eq', 'a')], or: [] }, "INVALID_PARAMETER filters unknown key 'and'"],
    [{ ...leaf('host', 'eq', 'a'), x: 1 }, "INVALID_PARAMETER filters unknown key 'x'; a comparison has field, op and value"],
    [leaf('nothing', 'eq', 'a'), "INVALID_QUERY_FIELD the list cannot be filtered by 'nothing'; allowed: severity, status, "],
    [leaf('constructor', 'eq', 'a'), "INVALID_QUERY_FIELD the list cannot be filtered by 'constructor'"],
    [leaf('__proto__', 'eq', 'a'), "INVALID_QUERY_FIELD the list cannot be filtered by '__proto__'"],
    [leaf('tenant_id', 'eq', 'a'), "INVALID_QUERY_FIELD the list cannot be filtered by 'tenant_id'"],
    [leaf('event_count', 'gt', 1), "INVALID_QUERY_FIELD the list cannot be filtered by 'event_count'"],
    [leaf('x'.repeat(5_000), 'eq', 'a'), `INVALID_QUERY_FIELD the list cannot be filtered by '${'x'.repeat(64)}'`],
    [leaf('host', 'like', 'a'), "INVALID_PARAMETER filters.op 'host' takes one of eq, ne, in, nin, exists, prefix, contains"],
    [leaf('host', 'gt', 'a'), "INVALID_PARAMETER filters.op 'host' takes one of"],
    [leaf('host', 'cidr', '10.0.0.0/8'), "INVALID_PARAMETER filters.op 'host' takes one of"],
    [leaf('host', 'toString', 'a'), "INVALID_PARAMETER filters.op 'host' takes one of"],
    [leaf('status', 'prefix', 'op'), "INVALID_PARAMETER filters.op 'status' takes one of"],
    [leaf('source_ip', 'contains', '10'), "INVALID_PARAMETER filters.op 'source_ip' takes one of"],
    [leaf('host', 'eq', 1), 'INVALID_PARAMETER filters.value must be a string'],
    [leaf('host', 'eq', null), 'INVALID_PARAMETER filters.value must be a string'],
    [leaf('host', 'eq', ['a']), "INVALID_PARAMETER filters.value 'eq' takes one value"],
    [leaf('host', 'in', 'a'), "INVALID_PARAMETER filters.value 'in' takes a list"],
    [leaf('host', 'in', [['a']]), 'INVALID_PARAMETER filters.value must be a string'],
    [leaf('host', 'exists', 'true'), "INVALID_PARAMETER filters.value 'exists' takes true or false"],
    [leaf('host', 'eq', 'x'.repeat(1_001)), 'INVALID_PARAMETER filters.value must have at most 1000 characters'],
    [leaf('host', 'in', Array.from({ length: 1_001 }, () => '')), "INVALID_PARAMETER filters.value 'in' takes at most 1000 values"],
    [leaf('status', 'eq', 'in_progress'), 'INVALID_PARAMETER filters.value must be one of open, investigating, resolved, false_positive'],
    [leaf('severity', 'eq', 'informational'), 'INVALID_PARAMETER filters.value must be one of low, medium, high, critical'],
    [leaf('severity', 'between', ['low']), "INVALID_PARAMETER filters.value 'between' takes two values"],
    [leaf('created_at', 'gt', 1_000), 'INVALID_PARAMETER filters.value must be a string'],
    [leaf('created_at', 'gt', 'yesterday'), 'INVALID_PARAMETER filters.value must be an RFC 3339 time or a date'],
    [leaf('source_ip', 'eq', '10.0.0'), 'INVALID_PARAMETER filters.value must be an IPv4 or IPv6 address'],
    [leaf('source_ip', 'cidr', '10.0.0.0/99'), 'INVALID_PARAMETER filters.value must be a network, such as 10.0.0.0/8'],
    [leaf('tactic', 'eq', 'T1059'), 'INVALID_PARAMETER filters.value must be a tactic'],
    [leaf('technique', 'eq', 'execution'), 'INVALID_PARAMETER filters.value must be a technique'],
    [negated(9), `INVALID_PARAMETER filters${'.not'.repeat(8)} nests deeper than 8 levels`],
    [deep(9), 'INVALID_PARAMETER filters nests deeper than 8 levels'],
    [deep(200), 'INVALID_PARAMETER filters nests deeper than 8 levels'],
    ['['.repeat(8_000), 'INVALID_PARAMETER filters is not valid JSON: '],
    ['{"not":'.repeat(1_100), 'INVALID_PARAMETER filters is not valid JSON: '],
    [wide(101), 'INVALID_PARAMETER filters has more than 100 comparisons'],
    [leaf('host', 'eq', 'é'.repeat(4_096)), 'INVALID_PARAMETER filters has more than 8192 bytes'],
  ])('%#: $1', ([filter, problem]) => {
    expect(parsed(filter)).toContain(problem)
  })

  test.for<[name: string, filter: object]>([['eight levels', deep(8)], ['a hundred comparisons', wide(100)]])('%s are taken', ([, filter]) => {
    expect(parsed(filter)).toMatch(/^\{/)
  })
})

test('every input parses to a filter or is refused with a path', () => {
  const names = fc.oneof(fc.constantFrom(...Object.keys(alertFields), '__proto__', 'x'), fc.string())
  const operators = fc.oneof(fc.constantFrom('eq', 'in', 'between', 'cidr', 'exists', 'prefix'), fc.string())
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ field: names, op: operators, value: fc.jsonValue() }),
      fc.record({ and: fc.array(tie('tree')) }),
      fc.record({ or: fc.array(tie('tree')) }),
      fc.record({ not: tie('tree') }),
      fc.jsonValue(),
    ),
  }))
  fc.assert(fc.property(tree, (filter) => {
    expect(parsed(filter)).toMatch(/^(\{|INVALID_QUERY_FIELD |INVALID_PARAMETER filters)/)
  }), { numRuns: 500, seed: 11 })
})

test('sortable and filterable fields of each list', () => {
  const table = Object.fromEntries(Object.entries(lists).map(([name, { fields, limitMax }]) => [
    name, { limitMax, sort: getFieldNames(fields, 'isSorted').join(' '), filters: getFieldNames(fields, 'isFiltered').join(' ') },
  ]))
  expect(table).toEqual({
    alerts: {
      limitMax: 500,
      sort: 'severity status rule_title host created_at updated_at event_count',
      filters: 'severity status rule_id rule_title host host_folded user user_folded process source source_ip tactic technique assignee verdict'
        + ' created_at updated_at incident_id asset_criticality',
    },
    rules: {
      limitMax: 500,
      sort: 'title level status enabled updated_at matches_total match_rate alerts_last_24h matches_last_24h cost health',
      filters: 'level status enabled tactic technique product category service origin author tag health verdict',
    },
    matches: { limitMax: 500, sort: 'timestamp', filters: 'timestamp verdict host user process_name' },
    assets: {
      limitMax: 500,
      sort: 'hostname risk_score last_seen criticality open_alerts last_scan_at findings_due_at',
      filters: 'last_seen criticality type os tag risk_level ip last_scan_at last_log_at exploitable findings_due_at',
    },
    channelMessages: {
      limitMax: 1_000,
      sort: 'attempt created_at',
      filters: 'status reason attempt created_at',
    },
    notifications: {
      limitMax: 1_000,
      sort: 'attempt created_at',
      filters: 'channel target event status reason attempt created_at',
    },
    collectors: {
      limitMax: 200,
      sort: 'name hostname status last_seen events_ingested created_at',
      filters: 'name hostname status last_seen events_ingested created_at',
    },
    findings: {
      limitMax: 500,
      sort: 'title severity exploit_count first_found last_found due_at',
      filters: 'asset_id vulnerability_id title severity status cve exploit_count first_found last_found due_at',
    },
    risks: {
      limitMax: 500,
      sort: 'entity score alert_count last_alert_at',
      filters: 'entity_type entity score level alert_count last_alert_at',
    },
    requests: {
      limitMax: 500,
      sort: 'due_at received_at closed_at type status',
      filters: 'due_at received_at closed_at type status law',
    },
    subdomains: { limitMax: 500, sort: 'name domain first_seen last_seen', filters: 'name domain ip first_seen last_seen' },
    assetTimeline: { limitMax: 500, sort: 'at', filters: 'at kind title severity' },
    identities: {
      limitMax: 500,
      sort: 'name email department is_privileged last_seen open_alerts',
      filters: 'name email department is_privileged last_seen',
    },
    indicators: {
      limitMax: 500,
      sort: 'created_at value confidence reputation_score valid_until hits',
      filters: 'created_at value confidence reputation_score hits type source',
    },
    audit: { limitMax: 1_000, sort: 'at', filters: 'at actor action target_type target_id outcome' },
    alertGroups: {
      limitMax: 500,
      sort: 'severity count open first_at last_at label',
      filters: 'severity status rule_id rule_title host host_folded user user_folded process source source_ip tactic technique assignee verdict'
        + ' created_at updated_at incident_id asset_criticality',
    },
    incidents: {
      limitMax: 200,
      sort: 'severity status title assignee alert_count first_alert_at last_alert_at first_event_at last_event_at created_at updated_at',
      filters: 'severity status title assignee origin tactic technique alert_count first_alert_at last_alert_at first_event_at last_event_at created_at updated_at',
    },
    timeline: { limitMax: 500, sort: 'number at', filters: 'at actor action' },
    playbookRuns: { limitMax: 200, sort: 'created_at', filters: 'status subject_id requested_by created_at' },
    webhooks: {
      limitMax: 500,
      sort: 'name status failure_count created_at updated_at',
      filters: 'name url status failure_count created_at updated_at',
    },
    deliveries: { limitMax: 1_000, sort: 'attempt created_at', filters: 'event status reason attempt created_at' },
  })
})
