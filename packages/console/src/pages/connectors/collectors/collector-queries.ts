import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { CollectorBody, CollectorDetailBody } from '@tripline/contract/console/collectors/collector'
import { callApi, sendApi } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'

/** How often the page is read again while it is visible. */
const everyMs = 30_000
const listMax = '200'
const path = '/v1/collectors'
const listKey = ['collectors', 'list']

/** The agents of the tenant; retired ones only where they are asked for. */
export function useCollectors(status: string | undefined): UseQueryResult<readonly CollectorBody[]> {
  return useQuery({
    queryKey: [...listKey, status],
    queryFn: async ({ signal }) =>
      (await callApi<{ readonly collectors: readonly CollectorBody[] }>(path, { query: { status, limit: listMax }, signal })).collectors,
    refetchInterval: everyMs,
  })
}

/** A collector with its sources and its buffer, and its version. */
type VersionedCollector = { readonly collector: CollectorDetailBody; readonly etag: string | undefined }

export function useCollector(id: string): UseQueryResult<VersionedCollector> {
  return useQuery({
    queryKey: ['collectors', 'one', id],
    queryFn: async ({ signal }) => {
      const { body, etag } = await sendApi<CollectorDetailBody>(toPath(id), { signal })
      return { collector: body, etag }
    },
    refetchInterval: everyMs,
  })
}

/** Creates a token that enrols one collector. @throws ApiError. */
export async function createToken(name: string): Promise<{ readonly token: string; readonly expires_at: string }> {
  return await callApi(`${path}/enrolment-tokens`, { method: 'POST', body: name === '' ? {} : { name } })
}

/** Gives a collector another name. @throws ApiError. */
export async function renameCollector(id: string, name: string, etag: string | undefined): Promise<void> {
  await callApi(toPath(id), { method: 'PATCH', body: { name }, ifMatch: etag })
  await queryClient.invalidateQueries({ queryKey: ['collectors'] })
}

/** Retires a collector: its credential ends at once. @throws ApiError. */
export async function retireCollector(id: string): Promise<void> {
  await callApi(toPath(id), { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: ['collectors'] })
}

function toPath(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
