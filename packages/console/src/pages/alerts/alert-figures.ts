import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { AlertGroupListBody, AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import { callApi } from '../../api/client.ts'
import type { MessageKey } from '../../i18n/message.ts'
import { t } from '../../i18n/translate.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import { toBars } from '../../ui/charts/bars.ts'
import type { Bar } from '../../ui/charts/bars.ts'

type Parameters = Readonly<Record<string, string>>

/** What groups have in common. */
export const groupings = ['rule', 'host', 'user', 'tactic', 'rule_host'] as const
export type Grouping = (typeof groupings)[number]

/** What the list is grouped by, as the button of the menu says it. */
export function printGrouping(group: Grouping | undefined): string {
  return group === undefined ? t('alerts.groupBy') : `${t('alerts.groupBy')}: ${t(`alerts.group.${group}`)}`
}

/** Facets that become filters, with the parameter of the address. */
export const facetFilters = {
  status: 'status',
  rule_id: 'rule',
  host: 'host',
  user: 'user',
  tactic: 'tactic',
  source: 'source',
  assignee: 'assignee',
  verdict: 'verdict',
} as const

/** Values of filters with words of their own, by filter; those of states and verdicts are the words of the list. */
const filterWords: { readonly [filter: string]: { readonly [value: string]: MessageKey } } = {
  assignee: { none: 'alerts.unassigned', me: 'alerts.view.mine' },
  due: { overdue: 'alerts.view.overdue', on_track: 'due.met' },
}

/** A value of a filter as people read it. */
export function printAlertFilter(filter: string, value: string): string {
  if (filter === 'tactic') return printTactic(value)
  const word = filter === 'status' || filter === 'verdict' ? (`alerts.${filter}.${value}` as MessageKey) : filterWords[filter]?.[value]
  return word === undefined ? value : t(word)
}

/** Spans of the histogram. */
const buckets = '72'

/** Counts of the alerts that are listed, over time and by severity. */
export function useHistogram(
  parameters: Parameters,
  loadedAt: number,
): UseQueryResult<{ readonly bars: readonly Bar[]; readonly barMs: number }> {
  return useQuery({
    queryKey: ['alerts', 'histogram', parameters, loadedAt],
    queryFn: ({ signal }) => readSummary(parameters, { buckets, by: 'severity' }, signal),
    select: ({ histogram, bucket_ms: barMs }) => ({ bars: toBars(histogram), barMs }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    structuralSharing: false,
  })
}

/** The most frequent values among the alerts that are listed. */
export function useFacets(parameters: Parameters, loadedAt: number): UseQueryResult<AlertSummaryBody> {
  return useQuery({
    queryKey: ['alerts', 'facets', parameters, loadedAt],
    queryFn: ({ signal }) => readSummary(parameters, { facets: Object.keys(facetFilters).join(), limit: '6' }, signal),
    staleTime: Infinity,
  })
}

/** Values of one filter that the editor of it lists. */
const valuesOfOne = '20'

/** The most frequent values of one filter among the alerts that a query selects; none of a filter that has no facet. */
export function useFacet(filter: string, parameters: Parameters): UseQueryResult<AlertSummaryBody['facets'][number]['values']> {
  const [field] = Object.entries(facetFilters).find(([, name]) => name === filter) ?? []
  return useQuery({
    queryKey: ['alerts', 'facet', field, parameters],
    queryFn: async ({ signal }) => {
      const { facets } = await readSummary(parameters, { facets: field ?? '', limit: valuesOfOne }, signal)
      return facets[0]?.values ?? []
    },
    enabled: field !== undefined,
  })
}

/** The alerts that are listed, by what they have in common. */
export function useGroups(by: Grouping, parameters: Parameters, loadedAt: number): UseQueryResult<AlertGroupListBody> {
  return useQuery({
    queryKey: ['alerts', 'groups', by, parameters, loadedAt],
    queryFn: ({ signal }) => {
      const query = { ...dropOrder(parameters), by: by === 'rule' ? 'rule_id' : by, limit: '200', sort: 'count:desc' }
      return callApi<AlertGroupListBody>('/v1/alerts/groups', { query, signal })
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    structuralSharing: false,
  })
}

function readSummary(parameters: Parameters, wanted: Parameters, signal: AbortSignal): Promise<AlertSummaryBody> {
  return callApi<AlertSummaryBody>('/v1/alerts/summary', { query: { ...dropOrder(parameters), ...wanted }, signal })
}

function dropOrder({ sort: _sort, ...selection }: Parameters): Parameters {
  return selection
}
