import { groupings } from './alert-figures.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { resolveRange, toIso } from '../../lib/time-range.ts'
import { buildDueFilter, dueStates } from '../../lib/due-filter.ts'
import { sortParameter, textParameter, timeParameter, wordListParameter, wordParameter } from '../../lib/url-state.ts'
import type { UrlState } from '../../lib/url-state.ts'

export const alertSeverities = ['critical', 'high', 'medium', 'low'] as const
export const alertStatuses = ['open', 'investigating', 'resolved', 'false_positive'] as const
/** Parts of an alert that its panel and its page show alone. */
export const alertTabs = ['event', 'around', 'similar', 'history'] as const
export type AlertTab = (typeof alertTabs)[number]
export const verdicts = ['true_positive', 'false_positive', 'benign', 'unreviewed'] as const

/** The parameters of the page's address. */
export const alertParameters = {
  from: timeParameter,
  to: timeParameter,
  q: textParameter,
  severity: wordListParameter(alertSeverities),
  status: wordListParameter(alertStatuses),
  /** An address, `me`, or `none` for alerts without an assignee. */
  assignee: textParameter,
  rule: textParameter,
  host: textParameter,
  user: textParameter,
  tactic: textParameter,
  source: textParameter,
  verdict: wordListParameter(verdicts),
  /** Whether the time of its response target is over. */
  due: wordParameter(dueStates),
  sort: sortParameter(['created_at', 'severity', 'status', 'rule_title', 'host', 'event_count']),
  /** What alerts are grouped by; absent for a plain list. */
  group: wordParameter(groupings),
  /** The alert whose panel is open. */
  alert: textParameter,
  /** The part of it that is shown alone. */
  tab: wordParameter(alertTabs),
  view: textParameter,
}
export type AlertUrl = UrlState<typeof alertParameters>

/** Filters with one value each, by parameter: what the API calls the field. Names of hosts and users compare without case. */
const valueFilters = { rule: 'rule_id', host: 'host_folded', user: 'user_folded', tactic: 'tactic', source: 'source' } as const
type ValueFilter = keyof typeof valueFilters

type Comparison = { readonly field: string; readonly op: string; readonly value: unknown }

type QueryTerms = {
  readonly email: string
  readonly loadedAt: number
  readonly targets?: Parameters<typeof buildDueFilter>[1]
}

/** The query of the API for what the address states; `loadedAt` is the moment that relative times refer to. */
export function toAlertQuery(
  url: AlertUrl,
  { email, loadedAt, targets }: QueryTerms,
): Record<string, string> {
  const { q, severity, status, sort } = url
  const comparisons: object[] = [
    ...Object.entries(valueFilters).flatMap(([name, field]) => {
      const value = url[name as ValueFilter]
      const isName = name === 'host' || name === 'user'
      return value === undefined ? [] : [{ field, op: 'eq', value: isName ? foldAscii(value) : value }]
    }),
    ...(url.verdict === undefined ? [] : [{ field: 'verdict', op: 'in', value: url.verdict }]),
    ...(url.assignee === undefined ? [] : [toAssigneeFilter(url.assignee, email)]),
    ...(url.due === undefined ? [] : [buildDueFilter(url.due, targets, loadedAt)]),
  ]
  return {
    ...toRangeQuery(url, loadedAt),
    ...(q !== undefined && { q }),
    ...(severity !== undefined && { severity: severity.join() }),
    ...(status !== undefined && { status: status.join() }),
    ...(sort !== undefined && { sort: `${sort.field}:${sort.direction}` }),
    ...(comparisons.length > 0 && { filters: JSON.stringify(comparisons.length === 1 ? comparisons[0] : { and: comparisons }) }),
  }
}

/** As the API folds names: A to Z alone. */
function foldAscii(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const chipFilters = ['status', 'assignee', 'rule', 'host', 'user', 'tactic', 'source', 'verdict', 'due'] as const
export type AlertChip = (typeof chipFilters)[number]

/** The filters of an address that are shown as chips. */
export function listChips(url: AlertUrl): readonly AlertChip[] {
  return chipFilters.filter((name) => url[name] !== undefined)
}

function toRangeQuery(range: TimeRange, loadedAt: number): { readonly from: string; readonly to?: string } {
  const { from, to } = resolveRange(range, loadedAt)
  // Without an end the range ends now: an alert of this second belongs to it.
  return { from: toIso(from), ...(range.to !== undefined && { to: toIso(to) }) }
}

function toAssigneeFilter(assignee: string, email: string): Comparison {
  if (assignee === 'none') return { field: 'assignee', op: 'exists', value: false }
  return { field: 'assignee', op: 'eq', value: assignee === 'me' ? email : assignee }
}

/** The parameters that select, as a change of many takes them. */
export function toBulkFilter({ severity, status, filters, from, to, q }: Readonly<Record<string, string | undefined>>): object {
  return {
    ...(severity !== undefined && { severity: severity.split(',') }),
    ...(status !== undefined && { status: status.split(',') }),
    ...(filters !== undefined && { filters: JSON.parse(filters) as unknown }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(q !== undefined && { q }),
  }
}
