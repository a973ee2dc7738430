import type { AlertGroupListBody, AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import {
  alertGroupListSchema, alertGroupQuerySchema, alertSummaryQuerySchema, alertSummarySchema,
} from '@tripline/contract/console/alerts/alert-figures'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import { consoleLevels } from '@tripline/model/level'
import type { AlertTimeCount } from '@tripline/state/ports/alert-store'
import { formatDuration } from '../../http/round.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { recordRead } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { printList } from '../../http/lists/print-list.ts'
import { readList, toRangeFilter } from '../../http/lists/read-list.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { limits } from '../../limits.ts'
import { listAlertGroups } from './alert-groups.ts'
import type { AlertGroup } from './alert-groups.ts'
import { readAlertSelection, toAlertFilters } from './alert-selection.ts'
import { sum, summarizeAlerts } from './alert-summary.ts'
import type { AlertSummary, FacetCounts } from './alert-summary.ts'
import type { AlertDeps } from './alerts.ts'

/** Routes for figures about alerts: how many there are over time, by what they hold, and in groups. */
export function alertFigureRoutes(deps: AlertDeps & ListRouteDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/alerts/summary', access: 'read', summary: 'Counts alerts over time and by what they hold',
      query: alertSummaryQuerySchema, errors: ['INVALID_QUERY_FIELD', 'INVALID_PARAMETER'], responses: { 200: alertSummarySchema },
      handle: (c) => handleSummary(deps, c),
    },
    {
      method: 'GET', path: '/v1/alerts/groups', access: 'read', summary: 'Lists groups of alerts that have something in common',
      query: alertGroupQuerySchema, list: lists.alertGroups, responses: { 200: alertGroupListSchema }, handle: (c) => handleGroups(deps, c),
    },
  ]
}

async function handleSummary(deps: AlertDeps, c: RequestContext): Promise<Response> {
  const { query, warnings } = readQuery(c, alertSummaryQuerySchema)
  const { from, to, buckets, by = 'severity', facets = [], limit } = query
  toRangeFilter(c, 'created_at', { from, to })
  const { bucketsDefault, facetValuesDefault } = limits.alertFigures
  const summary = await summarizeAlerts(deps, getPrincipal(c).tenant, {
    selection: readAlertSelection(query), from, to, buckets: buckets ?? bucketsDefault, facets: [...new Set(facets)],
    limit: limit ?? facetValuesDefault,
  })
  const isSampled = summary.facets.some(({ sampled }) => sampled !== undefined)
  return respond(c, {
    ...printSummary(summary, by), took_ms: formatDuration(deps.clock.elapsedMs() - c.get('startedMs')),
    query_warnings: [...warnings, ...(isSampled ? [`facets_of_newest:${limits.alertFigures.facetRowsMax}`] : [])],
  })
}

async function handleGroups(deps: AlertDeps & ListRouteDeps, c: RequestContext): Promise<Response> {
  const { warnings, ...listed } = await recordRead(deps, c, 'alert_groups', async () => {
    const { query, warnings } = readQuery(c, alertGroupQuerySchema)
    const { by, severity, status, from, to, ...paging } = query
    const own = { where: toAlertFilters({ severity, status, from, to }, c), values: { by, severity, status, from, to } }
    const { request, warnings: cut } = readList(lists.alertGroups, paging, own)
    return { ...await listAlertGroups(deps, getPrincipal(c).tenant, { by, request }), warnings: [...warnings, ...cut] }
  })
  const tookMs = deps.clock.elapsedMs() - c.get('startedMs')
  return respond(c, {
    groups: listed.entries.map(printGroup), grouped: listed.grouped,
    ...printList(listed, { tookMs, warnings }), truncated: listed.isTruncated,
  })
}

function printSummary(summary: AlertSummary, by: 'severity' | 'status'): Omit<AlertSummaryBody, 'took_ms' | 'query_warnings'> {
  const { total, from, to, bucketMs, spans, facets, acknowledged, closed, isTruncated } = summary
  return {
    total, from: formatTimestamp(from), to: formatTimestamp(to), bucket_ms: bucketMs,
    histogram: spans.map(({ at, counts }) => ({ time: formatTimestamp(at), count: sum(counts), breakdown: printBreakdown(counts, by) })),
    facets: facets.map(printFacet),
    mtta: printAnswerTimes(acknowledged), mttr: printAnswerTimes(closed),
    total_estimate: total, truncated: isTruncated,
  }
}

function printBreakdown(counts: readonly AlertTimeCount[], by: 'severity' | 'status'): { [name: string]: number } {
  const breakdown: { [name: string]: number } = {}
  for (const { level, status, count } of counts) {
    const name = by === 'severity' ? consoleLevels[level] : toAlertStatusWord(status)
    breakdown[name] = (breakdown[name] ?? 0) + count
  }
  return breakdown
}

function printAnswerTimes(times: AlertSummary['closed']): AlertSummaryBody['mtta'] {
  if (times === undefined) return null
  return { seconds: times.meanMs === undefined ? null : Math.round(times.meanMs / 1_000), count: times.count }
}

/** Two levels are one severity, so the counts of those that print alike are added. */
function printFacet({ field, distinct, values, sampled: sampleSize }: FacetCounts): AlertSummaryBody['facets'][number] {
  const sampled = sampleSize ?? null
  const toWord = field === 'severity' ? printLevel : field === 'status' ? printStatus : undefined
  if (toWord === undefined) return { field, distinct, values: [...values], sampled }
  const counts = new Map<string, number>()
  for (const { value, count } of values) counts.set(toWord(value), (counts.get(toWord(value)) ?? 0) + count)
  const printed = [...counts].map(([value, count]) => ({ value, label: value, count }))
  return { field, distinct: printed.length, values: printed.toSorted((one, other) => other.count - one.count), sampled }
}

function printLevel(value: string): string {
  return new Map<string, string>(Object.entries(consoleLevels)).get(value) ?? value
}

function printStatus(value: string): string {
  return value === 'in_progress' ? 'investigating' : value
}

function printGroup({ key, label, count, open, level, firstAt, lastAt, spark }: AlertGroup): AlertGroupListBody['groups'][number] {
  return {
    key, label, count, open, severity: consoleLevels[level], first_at: formatTimestamp(firstAt), last_at: formatTimestamp(lastAt),
    spark: [...spark],
  }
}
