import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ChannelBody } from '@tripline/contract/console/channel'
import type { ReportScheduleBody } from '@tripline/contract/console/report-schedule'
import type { ReportBody } from '@tripline/contract/console/response/report'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useMay } from '../../api/use-may.ts'

/** What the form states of a schedule. */
type ScheduleOrder = Pick<
  ReportScheduleBody, 'name' | 'kind' | 'framework' | 'format' | 'lang' | 'days' | 'cron' | 'channel_ids' | 'recipients'
>

const path = '/v1/report-schedules'
const listKey = ['reports', 'schedules'] as const
const pathOf = (id: string): string => `${path}/${encodeURIComponent(id)}`

/** The schedules of reports, by name. */
export function useSchedules(): UseQueryResult<readonly ReportScheduleBody[]> {
  return useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => callApi<{ readonly schedules: readonly ReportScheduleBody[] }>(path, { signal }),
    select: ({ schedules }) => schedules,
  })
}

/** The channels that reports can go to; none for a user who may not see channels. */
export function useChannelNames(): UseQueryResult<readonly ChannelBody[]> {
  return useQuery({
    queryKey: ['settings', 'channels', {}],
    queryFn: ({ signal }) => callApi<{ readonly channels: readonly ChannelBody[] }>('/v1/channels', { signal }),
    select: ({ channels }) => channels,
    enabled: useMay('read_webhooks'),
  })
}

/** Creates a schedule, or changes one. @throws ApiError. */
export async function saveSchedule(order: ScheduleOrder, id: string | undefined): Promise<string> {
  const target = id === undefined ? { path, method: 'POST' as const } : { path: pathOf(id), method: 'PATCH' as const }
  const saved = await callApi<ReportScheduleBody>(target.path, { method: target.method, body: order })
  await refresh()
  return saved.id
}

/** Pauses a schedule, or goes on with it. @throws ApiError. */
export async function switchSchedule({ id, enabled }: Pick<ReportScheduleBody, 'id' | 'enabled'>): Promise<void> {
  await callApi(pathOf(id), { method: 'PATCH', body: { enabled: !enabled } })
  await refresh()
}

/** @throws ApiError. */
export async function removeSchedule({ id }: Pick<ReportScheduleBody, 'id'>): Promise<void> {
  await callApi(pathOf(id), { method: 'DELETE' })
  await refresh()
}

/** Makes the report of a schedule now, and returns its id. @throws ApiError. */
export async function runSchedule({ id }: Pick<ReportScheduleBody, 'id'>): Promise<string> {
  const report = await callApi<ReportBody>(`${pathOf(id)}/run`, { method: 'POST' })
  await queryClient.invalidateQueries({ queryKey: ['reports', 'list'] })
  await refresh()
  return report.id
}

async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey })
}
