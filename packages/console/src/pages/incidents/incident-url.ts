import { buildDueFilter, dueStates } from '../../lib/due-filter.ts'
import { sortParameter, textParameter, wordListParameter, wordParameter } from '../../lib/url-state.ts'
import type { UrlState } from '../../lib/url-state.ts'

export const incidentSeverities = ['critical', 'high', 'medium', 'low'] as const
export const incidentStatuses = ['open', 'investigating', 'contained', 'eradicated', 'recovered', 'closed'] as const

/** Parts of an incident that its panel and its page show alone. */
export const incidentTabs = ['timeline', 'alerts', 'assets', 'actions', 'comments'] as const
export type IncidentTab = (typeof incidentTabs)[number]

/** The parameters of the page's address. */
export const incidentParameters = {
  q: textParameter,
  severity: wordListParameter(incidentSeverities),
  status: wordListParameter(incidentStatuses),
  /** An address, or `me`. */
  assignee: textParameter,
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

/** The query of the API for what the address states. */
export function toIncidentQuery({ q, severity, status, assignee, due, sort }: IncidentUrl, terms: QueryTerms): Record<string, string> {
  const { email, loadedAt, targets } = terms
  return {
    ...(q !== undefined && { q }),
    ...(severity !== undefined && { severity: severity.join() }),
    ...(status !== undefined && { status: status.join() }),
    ...(assignee !== undefined && { assignee: assignee === 'me' ? email : assignee }),
    ...(due !== undefined && { filters: JSON.stringify(buildDueFilter(due, targets, loadedAt)) }),
    ...(sort !== undefined && { sort: `${sort.field}:${sort.direction}` }),
  }
}
