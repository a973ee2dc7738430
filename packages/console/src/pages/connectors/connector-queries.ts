import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ConnectorSamplesBody } from '@tripline/contract/console/event'
import type { ConnectorBody, ConnectorHealthBody, ConnectorTestBody, NewConnectorBody } from '@tripline/contract/console/sources/connector'
import type { ConnectorTypeBody } from '@tripline/contract/console/sources/connector-type'
import type { ConnectorMetricsBody } from '@tripline/contract/console/metrics'
import { callApi, sendApi } from '../../api/client.ts'
import { getErrorText } from '../../api/api-error.ts'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/translate.ts'
import { resolveRange, toIso } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { showToast } from '../../ui/toast-store.ts'

/** How often the page is read again while it is visible. */
const everyMs = 30_000

type ConnectorTypeList = { readonly connector_types: readonly ConnectorTypeBody[] }
type ConnectorList = { readonly connectors: readonly ConnectorBody[] }

/** The sources of events, read again while the page is visible. */
export function useConnectorList(): UseQueryResult<readonly ConnectorBody[]> {
  return useQuery({
    queryKey: ['connectors', 'list'],
    queryFn: async ({ signal }) => (await callApi<ConnectorList>('/v1/connectors', { signal })).connectors,
    refetchInterval: everyMs,
  })
}

/** A connector with its version. */
export type VersionedConnector = { readonly connector: ConnectorBody; readonly etag: string | undefined }

/** A connector as it is now, for a form that changes it. */
export function useConnector(id: string): UseQueryResult<VersionedConnector> {
  return useQuery({
    queryKey: ['connectors', 'one', id],
    queryFn: async ({ signal }) => {
      const { body, etag } = await sendApi<ConnectorBody>(toPath(id), { signal })
      return { connector: body, etag }
    },
    // The form must not be filled anew while it is written in.
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Changes name and settings of the version that was read. @throws ApiError. */
export async function changeConnector(
  id: string, change: { readonly name: string; readonly config: ConnectorBody['config'] }, etag: string | undefined,
): Promise<void> {
  await callApi(toPath(id), { method: 'PUT', body: change, ifMatch: etag })
  await queryClient.invalidateQueries({ queryKey: ['connectors'], predicate: ({ queryKey }) => queryKey[1] !== 'one' })
}

/** What a connector received over a range, in an interval that suits it. */
export function useConnectorMetrics(id: string, { from, to }: TimeRange): UseQueryResult<ConnectorMetricsBody> {
  return useQuery({
    queryKey: ['connectors', 'metrics', id, from, to],
    queryFn: ({ signal }) => {
      const range = resolveRange({ from, to }, Date.now())
      return callApi<ConnectorMetricsBody>(`${toPath(id)}/metrics`, { query: { from: toIso(range.from), to: toIso(range.to) }, signal })
    },
    // A range with an end does not change any more.
    refetchInterval: to === undefined ? everyMs : false,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
}

/** The checks of a connector, and how its state changed. */
export function useConnectorHealth(id: string): UseQueryResult<ConnectorHealthBody> {
  return useQuery({
    queryKey: ['connectors', 'health', id],
    queryFn: ({ signal }) => callApi<ConnectorHealthBody>(`${toPath(id)}/health`, { signal }),
    refetchInterval: everyMs,
  })
}

/** The newest events of a connector; they are read when they are asked for. */
export function useConnectorSamples(id: string): UseQueryResult<ConnectorSamplesBody> {
  return useQuery({
    queryKey: ['connectors', 'samples', id],
    queryFn: ({ signal }) => callApi<ConnectorSamplesBody>(`${toPath(id)}/samples`, { signal }),
    structuralSharing: false,
  })
}

/** The types of connectors, with the configurations of products; those of a connector have its port. */
export function useConnectorTypes(connectorId?: string): UseQueryResult<readonly ConnectorTypeBody[]> {
  const query = connectorId === undefined ? '' : `?connector_id=${encodeURIComponent(connectorId)}`
  return useQuery({
    queryKey: ['connectors', 'types', connectorId ?? ''],
    queryFn: async ({ signal }) => (await callApi<ConnectorTypeList>(`/v1/connector-types${query}`, { signal })).connector_types,
    staleTime: Infinity,
  })
}

/** What a new connector is made of. */
export type ConnectorDraft = { readonly name: string; readonly type: string; readonly config: { readonly [key: string]: unknown } }

/** Creates a connector; its token is in the answer and never again. @throws ApiError. */
export async function createConnector(draft: ConnectorDraft): Promise<NewConnectorBody> {
  const created = await callApi<NewConnectorBody>('/v1/connectors', { method: 'POST', body: draft })
  await queryClient.invalidateQueries({ queryKey: ['connectors'] })
  return created
}

/** Tests a connector, or settings that are not stored. @throws ApiError. */
export async function testConnector(id: string, draft?: Omit<ConnectorDraft, 'name'>): Promise<ConnectorTestBody> {
  return await callApi<ConnectorTestBody>(`${toPath(id)}/test`, { method: 'POST', ...(draft !== undefined && { body: draft }) })
}

/** Switches a connector on or off, with an offer to take it back. */
export async function switchConnector({ id, name }: Pick<ConnectorBody, 'id' | 'name'>, enabled: boolean): Promise<void> {
  try {
    await callApi(toPath(id), { method: 'PUT', body: { enabled } })
    const text = t(enabled ? 'connectors.switchedOn' : 'connectors.switchedOff', { name })
    showToast({ kind: 'notice', text, undo: () => void switchConnector({ id, name }, !enabled) })
  } catch (error) {
    showToast({ kind: 'error', text: t('connectors.failed', { problem: getErrorText(error) }) })
  }
  await queryClient.invalidateQueries({ queryKey: ['connectors'] })
}

/** Deletes a connector; its events are kept. @throws ApiError. */
export async function removeConnector(id: string): Promise<void> {
  await callApi(toPath(id), { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: ['connectors'] })
}

function toPath(id: string): string {
  return `/v1/connectors/${encodeURIComponent(id)}`
}
