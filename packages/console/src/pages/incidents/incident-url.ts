import { sortParameter, textParameter, wordListParameter } from '../../lib/url-state.ts'
import type { UrlState } from '../../lib/url-state.ts'

export const incidentSeverities = ['critical', 'high', 'medium', 'low'] as const
export const incidentStatuses = ['open', 'investigating', 'contained', 'eradicated', 'recovered', 'closed'] as const

/** The parameters of the page's address. */
export const incidentParameters = {
  q: textParameter,
  severity: wordListParameter(incidentSeverities),
  status: wordListParameter(incidentStatuses),
  /** An address, or `me`. */
  assignee: textParameter,
  sort: sortParameter(['created_at', 'severity', 'status', 'title', 'assignee', 'alert_count']),
  /** The incident whose panel is open. */
  incident: textParameter,
}
export type IncidentUrl = UrlState<typeof incidentParameters>

/** The query of the API for what the address states. */
export function toIncidentQuery({ q, severity, status, assignee, sort }: IncidentUrl, email: string): Record<string, string> {
  return {
    ...(q !== undefined && { q }),
    ...(severity !== undefined && { severity: severity.join() }),
    ...(status !== undefined && { status: status.join() }),
    ...(assignee !== undefined && { assignee: assignee === 'me' ? email : assignee }),
    ...(sort !== undefined && { sort: `${sort.field}:${sort.direction}` }),
  }
}
