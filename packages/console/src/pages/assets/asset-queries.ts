import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { AssetBody, AssetChange } from '@tripline/contract/console/enrichment/asset'
import type { AlertBody, AlertListBody } from '@tripline/contract/console/alert'
import type { AssetBindingsBody, AssetTimelineBody, FindingBody } from '@tripline/contract/console/enrichment/asset-activity'
import { useMemo } from 'react'
import { changeVersioned } from '../../api/change-versioned.ts'
import { callApi, sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

type AssetPage = {
  readonly assets: readonly AssetBody[]
  readonly pagination: { readonly total: number; readonly next_cursor?: string | null }
}

const pageSize = 200
const timelineMax = 60
const findingsMax = 50
const alertsMax = 10
const whileEmptyMs = 5_000

type AssetRows = {
  readonly query: UseInfiniteQueryResult<InfiniteData<AssetPage>>
  readonly rows: readonly AssetBody[]
  readonly total: number
}

/** The assets that a query of the API selects, page by page. */
export function useAssetList(parameters: Readonly<Record<string, string>>): AssetRows {
  const query = useInfiniteQuery({
    queryKey: ['assets', 'list', parameters],
    queryFn: ({ pageParam, signal }) =>
      callApi<AssetPage>('/v1/assets', { query: { ...parameters, limit: String(pageSize), cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    structuralSharing: false,
    placeholderData: (before) => before,
    // The machines of the first events are known some seconds after these.
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.pagination.total === 0 ? whileEmptyMs : false),
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ assets }) => assets) ?? [], [query.data])
  return { query, rows, total: Math.max(query.data?.pages[0]?.pagination.total ?? 0, rows.length) }
}

/** An asset with the version that a change expects. */
type AssetDetail = { readonly asset: AssetBody; readonly etag: string | undefined }

/** Reads an asset with its version. */
async function readAsset(id: string, signal?: AbortSignal): Promise<AssetDetail> {
  const { body, etag } = await sendApi<AssetBody>(toPath(id), { signal })
  return { asset: body, etag }
}

export function useAsset(id: string): UseQueryResult<AssetDetail> {
  return useQuery({ queryKey: toDetailKey(id), queryFn: ({ signal }) => readAsset(id, signal) })
}

/** What happened to an asset, newest first. */
export function useAssetTimeline(id: string): UseQueryResult<AssetTimelineBody> {
  return useQuery({
    queryKey: ['assets', 'timeline', id],
    queryFn: ({ signal }) => callApi<AssetTimelineBody>(`${toPath(id)}/timeline`, { query: { limit: String(timelineMax) }, signal }),
  })
}

type FindingPage = { readonly findings: readonly FindingBody[]; readonly pagination: { readonly total: number } }

/** The vulnerabilities of an asset, the worst first: the open ones, or all. */
export function useAssetFindings(id: string, isAll: boolean): UseQueryResult<FindingPage> {
  return useQuery({
    queryKey: ['assets', 'findings', id, isAll],
    queryFn: ({ signal }) => {
      const query = { limit: String(findingsMax), ...(!isAll && { status: 'open' }) }
      return callApi<FindingPage>(`${toPath(id)}/findings`, { query, signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** The newest alerts of an asset. */
export function useAssetAlerts(id: string): UseQueryResult<readonly AlertBody[]> {
  return useQuery({
    queryKey: ['assets', 'alerts', id],
    queryFn: async ({ signal }) =>
      (await callApi<AlertListBody>(`${toPath(id)}/alerts`, { query: { limit: String(alertsMax) }, signal })).alerts,
  })
}

/** Its addresses, names and users over time. */
export function useAssetBindings(id: string): UseQueryResult<AssetBindingsBody> {
  return useQuery({
    queryKey: ['assets', 'bindings', id],
    queryFn: ({ signal }) => callApi<AssetBindingsBody>(`${toPath(id)}/bindings`, { signal }),
  })
}

/** Changes what people state of an asset, unless another user did since it was read. @throws ApiError. */
export async function changeAsset(before: AssetBody, change: Pick<AssetChange, 'owner' | 'criticality' | 'tags'>): Promise<void> {
  const { id } = before
  try {
    await changeVersioned({
      known: queryClient.getQueryData<AssetDetail>(toDetailKey(id)),
      read: () => readAsset(id),
      isConflict: ({ asset }) => printStatements(asset) !== printStatements(before),
      send: (ifMatch) => callApi(toPath(id), { method: 'PATCH', body: change, ifMatch }),
    })
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['assets'] })
  }
}

/** What people state of an asset, to compare: what events tell of it is none of it. */
export function printStatements({ owner, criticality, tags }: AssetBody): string {
  return JSON.stringify([owner, criticality, tags])
}

function toDetailKey(id: string): readonly string[] {
  return ['assets', 'detail', id]
}

function toPath(id: string): string {
  return `/v1/assets/${encodeURIComponent(id)}`
}
