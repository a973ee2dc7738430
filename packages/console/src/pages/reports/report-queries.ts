import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { FrameworkBody } from '@tripline/contract/console/response/compliance'
import type { ReportBody, ReportContentBody } from '@tripline/contract/console/response/report'
import { callApi, fetchFile } from '../../api/client.ts'
import { useJobs } from '../../frame/use-jobs.ts'
import { queryClient } from '../../api/query-client.ts'
import { saveFile } from '../../lib/save-file.ts'

type ReportList = { readonly reports: readonly ReportBody[] }

const path = '/v1/reports'
const listKey = ['reports', 'list'] as const

/** What a person asks for. */
type ReportOrder = {
  readonly kind: ReportBody['kind']
  readonly format: ReportBody['format']
  readonly lang: ReportBody['lang']
  readonly framework?: string
  readonly from?: string
  readonly to?: string
}

/** The history of reports, newest first; it is read again while one of them is being made. */
export function useReports(): UseQueryResult<readonly ReportBody[]> {
  const pollMs = useJobs('report', readAgain)
  return useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => callApi<ReportList>(path, { signal }),
    select: ({ reports }) => reports,
    refetchInterval: ({ state: { data } }) => (data?.reports.some(isBeingMade) === true ? pollMs : false),
  })
}

/** One report; it is read again while it is being made. */
export function useReport(id: string): UseQueryResult<ReportBody> {
  const pollMs = useJobs('report', readAgain)
  return useQuery({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => callApi<ReportBody>(`${path}/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isBeingMade(data) ? pollMs : false),
  })
}

function readAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ['reports', 'one'] })
  void queryClient.invalidateQueries({ queryKey: listKey })
}

/** Whether a report waits or is being made. */
export function isBeingMade({ status }: Pick<ReportBody, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** The frameworks that a report can be about. */
export function useFrameworkNames(): UseQueryResult<readonly FrameworkBody[]> {
  return useQuery({
    queryKey: ['compliance', 'frameworks'],
    queryFn: ({ signal }) => callApi<{ readonly frameworks: readonly FrameworkBody[] }>('/v1/compliance/frameworks', { signal }),
    select: ({ frameworks }) => frameworks,
  })
}

/** A finished report as data; it never changes. */
export function useReportContent({ id, preview_url: url }: ReportBody): UseQueryResult<ReportContentBody> {
  const address = url ?? `${path}/${encodeURIComponent(id)}/preview`
  return useQuery({
    queryKey: ['reports', 'content', id],
    queryFn: ({ signal }) => callApi<ReportContentBody>(address, { query: { format: 'json' }, signal }),
    enabled: url !== null,
    staleTime: Infinity,
  })
}

/** Begins to make a report, and returns its id. @throws ApiError. */
export async function orderReport(order: ReportOrder): Promise<string> {
  const { id } = await callApi<ReportBody>(path, { method: 'POST', body: order })
  await queryClient.invalidateQueries({ queryKey: listKey })
  return id
}

/** Deletes a report with its file. @throws ApiError. */
export async function removeReport({ id }: Pick<ReportBody, 'id'>): Promise<void> {
  await callApi(`${path}/${encodeURIComponent(id)}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: listKey })
}

/** Saves the file of a report in a format. @throws ApiError. */
export async function downloadReport({ id, file_url: url }: ReportBody, format: ReportBody['format']): Promise<void> {
  saveFile(await fetchFile(url ?? `${path}/${encodeURIComponent(id)}/file`, { query: { format } }))
}
