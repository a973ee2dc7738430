import type { Clock } from '@tripline/common/runtime'
import type { Level } from '@tripline/engine'
import type { AlertStatus } from '@tripline/model/alert'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import type { AlertFacts, AlertStore, AlertTimeCount, AnswerTimes } from '@tripline/state/ports/alert-store'
import { limits } from '../../limits.ts'
import type { AlertSelection } from './alert-selection.ts'

/** What figures of alerts need of the server. */
export type AlertFigureDeps = { readonly state: { readonly alerts: AlertStore }; readonly clock: Clock }

/** A range of time, and what to count in it. */
type SummaryRequest = {
  readonly selection: AlertSelection
  /** From the oldest alert, and up to now, where it is not stated. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly buckets: number
  readonly facets: readonly AlertFacet[]
  readonly limit: number
}

/** What alerts are counted by; severity and status are counted of all, the others of the newest alerts. */
type AlertFacet = keyof typeof sampledFacets | 'severity' | 'status'

export type AlertSummary = {
  readonly total: number
  readonly from: number
  readonly to: number
  readonly bucketMs: number
  /** The spans that were counted, oldest first; the newest may end after `to`, which holds none there. */
  readonly spans: readonly { readonly at: number; readonly counts: readonly AlertTimeCount[] }[]
  readonly facets: readonly FacetCounts[]
  /** Of the selected alerts that were acknowledged, and closed, in the range; undefined where the time was up before. */
  readonly acknowledged: AnswerTimes | undefined
  readonly closed: AnswerTimes | undefined
  /** Whether the time was up before all spans were counted: the oldest are missing. */
  readonly isTruncated: boolean
}

export type FacetCounts = {
  readonly field: AlertFacet
  readonly distinct: number
  readonly values: readonly FacetValue[]
  /** The number of newest alerts that were counted, where it is not all. */
  readonly sampled: number | undefined
}

type FacetValue = { readonly value: string; readonly label: string; readonly count: number }

/** The values that an alert is counted under, with the label of each where it differs. */
type FacetReader = (alert: AlertFacts) => readonly (readonly [value: string, label?: string])[]

const sampledFacets = {
  rule_id: ({ ruleId, ruleTitle }) => [[ruleId, ruleTitle]],
  host: ({ host }) => [[host]],
  user: ({ user }) => [[user]],
  tactic: ({ tactics }) => (tactics.length === 0 ? [['']] : tactics.map((tactic) => [tactic] as const)),
  source: ({ source }) => [[source]],
  assignee: ({ assignee = '' }) => [[assignee]],
  verdict: ({ verdict }) => [[verdict]],
} as const satisfies { readonly [field: string]: FacetReader }

/**
 * Counts alerts over time and by what they hold. The histogram, severities and statuses are exact; other facets are counted of the
 * newest alerts only, because each has to be read.
 */
export async function summarizeAlerts(
  { state: { alerts }, clock }: AlertFigureDeps, tenant: TenantId, request: SummaryRequest,
): Promise<AlertSummary> {
  const { selection, buckets, facets, limit } = request
  // A range that begins in the future, as where a client's clock is ahead, is empty rather than reversed.
  const to = request.to ?? Math.max(clock.now(), request.from ?? 0) + 1
  const from = request.from ?? Math.min(await alerts.oldestAt(tenant) ?? to - 1, to - 1)
  const bucketMs = Math.max(1, Math.ceil((to - from) / buckets))
  const edges = [...Array(Math.ceil((to - from) / bucketMs)).keys()].map((span) => from + span * bucketMs)
  const signal = createDeadline(clock, limits.alertFigures.deadlineMs)
  const { counts, countedFrom } = await alerts.countOverTime(tenant, selection, { edges: [...edges, to], signal })
  const total = sum(counts)
  const isSampling = facets.some((facet) => facet !== 'severity' && facet !== 'status')
  const { facetRowsMax } = limits.alertFigures
  const inRange = { ...selection, where: [...selection.where, ...toRange(from, to)] }
  const newest = !isSampling ? [] : await alerts.newest(tenant, inRange, { limit: facetRowsMax })
  const countAnswers = async (answer: 'acknowledged' | 'closed'): Promise<AnswerTimes | undefined> => {
    const times = await alerts.answerTimes(tenant, answer, { from, to }, { selection, signal })
    return signal.aborted ? undefined : times
  }
  return {
    total, from, to, bucketMs, isTruncated: countedFrom > 0,
    acknowledged: await countAnswers('acknowledged'), closed: await countAnswers('closed'),
    spans: edges.map((at, span) => ({ at, counts: counts.filter((one) => one.span === span) })).slice(countedFrom),
    facets: facets.map((field) => {
      if (field === 'severity' || field === 'status') return { field, ...countStates(counts, field), sampled: undefined }
      const sampled = newest.length < facetRowsMax ? undefined : newest.length
      return { field, ...countFacet(newest, sampledFacets[field], limit), sampled }
    }),
  }
}

/** A signal that aborts when the time is up, looked at between two pieces of work, so that no timer is needed. */
function createDeadline(clock: Clock, afterMs: number): { readonly aborted: boolean } {
  const startedMs = clock.elapsedMs()
  return {
    get aborted() {
      return clock.elapsedMs() - startedMs > afterMs
    },
  }
}

function toRange(from: number, to: number): readonly Filter[] {
  return [{ field: 'created_at', operator: 'gte', value: from }, { field: 'created_at', operator: 'lt', value: to }]
}

export function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

function countStates(counts: readonly AlertTimeCount[], field: 'severity' | 'status'): Pick<FacetCounts, 'distinct' | 'values'> {
  const found = new Map<Level | AlertStatus, number>()
  for (const count of counts) {
    const value = field === 'severity' ? count.level : count.status
    found.set(value, (found.get(value) ?? 0) + count.count)
  }
  const values = [...found].map(([value, count]) => ({ value, label: value, count }))
  return { distinct: values.length, values: values.toSorted(mostFirst) }
}

function countFacet(alerts: readonly AlertFacts[], read: FacetReader, limit: number): Pick<FacetCounts, 'distinct' | 'values'> {
  const found = new Map<string, { value: string; label: string; count: number }>()
  for (const alert of alerts) {
    for (const [value, label = value] of read(alert)) {
      const known = found.get(value)
      if (known === undefined) found.set(value, { value, label, count: 1 })
      else known.count++
    }
  }
  return { distinct: found.size, values: [...found.values()].toSorted(mostFirst).slice(0, limit) }
}

function mostFirst(one: FacetValue, other: FacetValue): number {
  if (one.count !== other.count) return other.count - one.count
  return one.value < other.value ? -1 : Number(one.value > other.value)
}
