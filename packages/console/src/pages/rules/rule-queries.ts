import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { RuleDetail, RuleEntry, RuleList, RuleMatchBody, RuleMatchList } from '@tripline/contract/console/rule'
import type { RuleBulkResultBody } from '@tripline/contract/console/rules/rule-bulk'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { getErrorText } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toast-store.ts'

const pageSize = 200
/** Rows ahead of the last visible one at which the next page is loaded. */
export const rowsAhead = 100
const matchesMax = 10

/** The address of a rule in the API. */
export function toRulePath(id: string): string {
  return `/v1/detection/rules/${encodeURIComponent(id)}`
}

type RuleRows = {
  readonly query: UseInfiniteQueryResult<InfiniteData<RuleList>>
  readonly rows: readonly RuleEntry[]
  readonly total: number
}

/** The rules that a query of the API selects, page by page. */
export function useRuleList(parameters: Readonly<Record<string, string>>): RuleRows {
  const query = useInfiniteQuery({
    queryKey: ['rules', 'list', parameters],
    queryFn: ({ pageParam, signal }) =>
      callApi<RuleList>('/v1/detection/rules', { query: { ...parameters, limit: String(pageSize), cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    structuralSharing: false,
    placeholderData: (before) => before,
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ rules }) => rules) ?? [], [query.data])
  return { query, rows, total: Math.max(query.data?.pages[0]?.pagination.total ?? 0, rows.length) }
}

/** A rule with its text, its figures and what it needs; nothing is read while none is named. */
export function useRuleDetail(id: string | undefined): UseQueryResult<RuleDetail> {
  return useQuery({
    queryKey: ['rules', 'detail', id],
    queryFn: ({ signal }) => callApi<RuleDetail>(toRulePath(id ?? ''), { signal }),
    enabled: id !== undefined,
  })
}

/** The newest matches of a rule. */
export function useMatches(id: string): UseQueryResult<readonly RuleMatchBody[]> {
  return useQuery({
    queryKey: ['rules', 'matches', id],
    queryFn: async ({ signal }) =>
      (await callApi<RuleMatchList>(`${toRulePath(id)}/matches`, { query: { limit: String(matchesMax) }, signal })).matches,
  })
}

/** Switches a rule on or off, with an offer to take it back; lists and details are read again. */
export async function switchRule({ id, title }: Pick<RuleEntry, 'id' | 'title'>, enabled: boolean): Promise<void> {
  try {
    await callApi<unknown>(toRulePath(id), { method: 'PUT', body: { enabled } })
  } catch (error) {
    showToast({ kind: 'error', text: t('rules.switchFailed', { title, problem: getErrorText(error) }) })
    return
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['rules'] })
  }
  const text = enabled ? t('rules.switchedOn', { title }) : t('rules.switchedOff', { title })
  showToast({ kind: 'notice', text, undo: () => void switchRule({ id, title }, !enabled) })
}

/** Switches many rules on or off in one request, with an offer to take it back; lists and details are read again. */
export async function switchManyRules(rules: readonly Pick<RuleEntry, 'id' | 'enabled'>[], enabled: boolean): Promise<void> {
  const concerned = rules.filter((rule) => rule.enabled !== enabled)
  try {
    const ids = rules.map(({ id }) => id)
    const request = { method: 'POST', body: { ids, set: { enabled } } } as const
    const { changed, failed } = await callApi<RuleBulkResultBody>('/v1/detection/rules/bulk', request)
    const undo = { undo: () => void switchManyRules(concerned.map(({ id }) => ({ id, enabled })), !enabled) }
    const text = t(enabled ? 'rules.manyOn' : 'rules.manyOff', { count: changed })
    showToast({ kind: 'notice', text, ...(changed > 0 && undo) })
    const [first] = failed
    if (first !== undefined) showToast({ kind: 'error', text: t('rules.manyFailed', { count: failed.length, problem: first.message }) })
  } catch (error) {
    showToast({ kind: 'error', text: getErrorText(error) })
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['rules'] })
  }
}
