import { buildDueFilter, dueStates } from '../../lib/due-filter.ts'
import { sortParameter, textParameter, wordListParameter, wordParameter } from '../../lib/url-state.ts'
import type { UrlState } from '../../lib/url-state.ts'

export const incidentSeverities = ['critical', 'high', 'medium', 'low'] as const
export const incidentStatuses = ['open', 'investigating', 'contained', 'eradicated', 'recovered', 'closed'] as const

export const incidentOrigins = ['user', 'api', 'rule', 'grouping'] as const

/** Parts of an incident that its panel and its page show alone. */
export const incidentTabs = ['timeline', 'alerts', 'assets', 'actions', 'comments'] as const
export type IncidentTab = (typeof incidentTabs)[number]

/** The parameters of the page's address. */
export const incidentParameters = {
  q: textParameter,
  severity: wordListParameter(incidentSeverities),
  status: wordListParameter(incidentStatuses),
  /** An address, `me`, or `none` for incidents without an assignee. */
  assignee: textParameter,
  tactic: textParameter,
  /** What opened it. */
  origin: wordParameter(incidentOrigins),
  /** Whether the time of its response target is over. */
  due: wordParameter(dueStates),
  sort: sortParameter(['created_at', 'severity', 'status', 'title', 'assignee', 'alert_count']),
  /** The incident whose panel is open. */
  incident: textParameter,
  /** The part of it that is shown alone. */
  tab: wordParameter(incidentTabs),
}
export type IncidentUrl = UrlState<typeof incidentParameters>

type QueryTerms = {
  readonly email: string
  readonly loadedAt: number
  readonly targets?: Parameters<typeof buildDueFilter>[1]
}

/** The filters of an address that are shown as chips: those that no button of the row says. */
export function listIncidentChips({ assignee, tactic, origin }: IncidentUrl): readonly IncidentChip[] {
  return [
    ...(assignee === undefined || assignee === 'me' ? [] : ['assignee' as const]),
    ...(tactic === undefined ? [] : ['tactic' as const]),
    ...(origin === undefined ? [] : ['origin' as const]),
  ]
}
export type IncidentChip = 'assignee' | 'tactic' | 'origin'

/** The query of the API for what the address states. */
export function toIncidentQuery(url: IncidentUrl, { email, loadedAt, targets }: QueryTerms): Record<string, string> {
  const { q, severity, status, assignee, tactic, origin, due, sort } = url
  const comparisons: object[] = [
    ...(assignee === 'none' ? [{ field: 'assignee', op: 'exists', value: false }] : []),
    ...(tactic === undefined ? [] : [{ field: 'tactic', op: 'eq', value: tactic }]),
    ...(origin === undefined ? [] : [{ field: 'origin', op: 'eq', value: origin }]),
    ...(due === undefined ? [] : [buildDueFilter(due, targets, loadedAt)]),
  ]
  return {
    ...(q !== undefined && { q }),
    ...(severity !== undefined && { severity: severity.join() }),
    ...(status !== undefined && { status: status.join() }),
    ...(assignee !== undefined && assignee !== 'none' && { assignee: assignee === 'me' ? email : assignee }),
    ...(comparisons.length > 0 && { filters: JSON.stringify(comparisons.length === 1 ? comparisons[0] : { and: comparisons }) }),
    ...(sort !== undefined && { sort: `${sort.field}:${sort.direction}` }),
  }
}
