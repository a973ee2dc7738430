import type { CounterName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import type { LabelSum, MetricStore } from '@tripline/state/ports/metric-store'
import { limits } from '../limits.ts'

/** From the first instant to the last, which is excluded. */
export type Period = { readonly from: number; readonly to: number }

const hourMs = 3_600_000

/** The stored hours of a period: those that begin in it. */
const hours = ({ from, to }: Period) => ({ resolution: 'hour', from: Math.ceil(from / hourMs) * hourMs, to }) as const

/** Events that were accepted in a period, to the minute where it ends: an hour or less is counted in its minutes. */
export async function countEvents(store: MetricStore, tenant: TenantId, { from, to }: Period): Promise<number> {
  const range = to - from > hourMs ? hours({ from, to }) : ({ resolution: 'fiveMinutes', from, to } as const)
  const sums = await store.sums(tenant, { name: 'events_accepted', ...range, limit: 1 })
  return sums[0]?.sum ?? 0
}

/** What a counter counted in each day of a period, by the hours that began in it. */
export async function countsByDay(
  store: MetricStore, tenant: TenantId, name: CounterName, { range, days }: { readonly range: Period; readonly days: readonly number[] },
): Promise<readonly number[]> {
  const counts = days.map(() => 0)
  for (const { startsAt, value } of await store.series(tenant, { name, ...hours(range) })) {
    const day = days.findLastIndex((begin) => begin <= startsAt)
    counts[Math.max(0, day)] = (counts[Math.max(0, day)] ?? 0) + value
  }
  return counts
}

/** What a counter counted in a period by label, most first. */
export async function sumByLabel(store: MetricStore, tenant: TenantId, name: CounterName, period: Period): Promise<readonly LabelSum[]> {
  return await store.sums(tenant, { name, ...hours(period), limit: limits.overview.tacticsMax })
}
