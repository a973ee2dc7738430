import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { AssetBody, AssetChange } from '@tripline/contract/console/enrichment/asset'
import type { AssetBindingsBody, AssetTimelineBody } from '@tripline/contract/console/enrichment/asset-activity'
import { useMemo } from 'react'
import { callApi, sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

type AssetPage = {
  readonly assets: readonly AssetBody[]
  readonly pagination: { readonly total: number; readonly next_cursor?: string | null }
}

const pageSize = 200
const timelineMax = 60

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
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ assets }) => assets) ?? [], [query.data])
  return { query, rows, total: Math.max(query.data?.pages[0]?.pagination.total ?? 0, rows.length) }
}

/** An asset with the version that a change expects. */
type AssetDetail = { readonly asset: AssetBody; readonly etag: string | undefined }

export function useAsset(id: string): UseQueryResult<AssetDetail> {
  return useQuery({
    queryKey: ['assets', 'detail', id],
    queryFn: async ({ signal }) => {
      const { body, etag } = await sendApi<AssetBody>(toPath(id), { signal })
      return { asset: body, etag }
    },
  })
}

/** What happened to an asset, newest first. */
export function useAssetTimeline(id: string): UseQueryResult<AssetTimelineBody> {
  return useQuery({
    queryKey: ['assets', 'timeline', id],
    queryFn: ({ signal }) => callApi<AssetTimelineBody>(`${toPath(id)}/timeline`, { query: { limit: String(timelineMax) }, signal }),
  })
}

/** Its addresses, names and users over time. */
export function useAssetBindings(id: string): UseQueryResult<AssetBindingsBody> {
  return useQuery({
    queryKey: ['assets', 'bindings', id],
    queryFn: ({ signal }) => callApi<AssetBindingsBody>(`${toPath(id)}/bindings`, { signal }),
  })
}

/** Changes what people say of an asset. @throws ApiError. */
export async function changeAsset(
  id: string, change: Pick<AssetChange, 'owner' | 'criticality' | 'tags'>, etag: string | undefined,
): Promise<void> {
  await callApi(toPath(id), { method: 'PATCH', body: change, ifMatch: etag })
  await queryClient.invalidateQueries({ queryKey: ['assets'] })
}

function toPath(id: string): string {
  return `/v1/assets/${encodeURIComponent(id)}`
}
