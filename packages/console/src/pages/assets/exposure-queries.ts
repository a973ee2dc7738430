import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { AssetBody } from '@tripline/contract/console/enrichment/asset'
import type { AssetRisksBody, FindingBody } from '@tripline/contract/console/enrichment/asset-activity'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'
import { toIso, unitMs } from '../../lib/time-range.ts'

type Pagination = { readonly total: number; readonly next_cursor?: string | null }
type FindingPage = { readonly findings: readonly FindingBody[]; readonly pagination: Pagination }
type AssetPage = { readonly assets: readonly AssetBody[]; readonly pagination: Pagination }
/** How much hosts and users are at risk by their open alerts. */
type EntityRiskPage = {
  readonly risks: readonly {
    readonly entity_type: 'host' | 'user' | 'ip'
    readonly entity: string
    readonly score: number
    readonly level: 'low' | 'medium' | 'high' | 'critical'
    readonly alert_count: number
  }[]
}

/** Entries of each list of the overview. */
const shownMax = 10
const pageSize = 200
/** Days of risk that the panel of an asset shows. */
const riskDays = 90

/** The first assets that a query of the API selects, and how many there are. */
export function useFirstAssets(parameters: Readonly<Record<string, string>>): UseQueryResult<AssetPage> {
  return useQuery({
    queryKey: ['assets', 'first', parameters],
    queryFn: ({ signal }) => callApi<AssetPage>('/v1/assets', { query: { ...parameters, limit: String(shownMax) }, signal }),
  })
}

/** The first findings that are open, selected by a query of the API, and how many there are. */
export function useFirstFindings(parameters: Readonly<Record<string, string>>): UseQueryResult<FindingPage> {
  return useQuery({
    queryKey: ['assets', 'findings', 'first', parameters],
    queryFn: ({ signal }) =>
      callApi<FindingPage>('/v1/findings', { query: { status: 'open', ...parameters, limit: String(shownMax) }, signal }),
  })
}

/** The hosts and users whose open alerts are the worst. */
export function useEntityRisks(): UseQueryResult<EntityRiskPage> {
  return useQuery({
    queryKey: ['assets', 'entity risks'],
    queryFn: ({ signal }) => callApi<EntityRiskPage>('/v1/risk', { query: { limit: String(shownMax) }, signal }),
  })
}

type FindingRows = {
  readonly query: UseInfiniteQueryResult<InfiniteData<FindingPage>>
  readonly rows: readonly FindingBody[]
  readonly total: number
}

/** The findings of all assets that a query of the API selects, page by page. */
export function useFindingList(parameters: Readonly<Record<string, string>>): FindingRows {
  const query = useInfiniteQuery({
    queryKey: ['assets', 'findings', 'list', parameters],
    queryFn: ({ pageParam, signal }) =>
      callApi<FindingPage>('/v1/findings', { query: { ...parameters, limit: String(pageSize), cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ findings }) => findings) ?? [], [query.data])
  return { query, rows, total: Math.max(query.data?.pages[0]?.pagination.total ?? 0, rows.length) }
}

/** The risk scores that an asset had lately, and since when they are asked for. */
export function useAssetRisks(id: string): UseQueryResult<{ readonly from: number; readonly to: number; readonly body: AssetRisksBody }> {
  return useQuery({
    queryKey: ['assets', 'risks', id],
    queryFn: async ({ signal }) => {
      const to = Date.now()
      const from = to - riskDays * unitMs.d
      const body = await callApi<AssetRisksBody>(`/v1/assets/${encodeURIComponent(id)}/risks`, { query: { from: toIso(from) }, signal })
      return { from, to, body }
    },
  })
}
