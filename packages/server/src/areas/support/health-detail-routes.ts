import { healthDetailSchema } from '@tripline/contract/console/health-detail'
import type { HealthDetailBody } from '@tripline/contract/console/health-detail'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { respond } from '../../http/respond.ts'
import type { Route } from '../../http/route.ts'
import { forecastDisk } from '../../metrics/server/health-history.ts'
import type { HealthSample } from '../../metrics/server/health-history.ts'
import type { HostStats } from '../../metrics/server/host-stats.ts'
import { printProcess } from './print-process.ts'

type HealthDetailDeps = {
  readonly clock: { readonly now: () => number }
  readonly readHost: () => Promise<HostStats | undefined>
  readonly listSamples: () => readonly HealthSample[]
}

/** The route of what the process and its disk are like, and were in the last day. */
export function healthDetailRoutes({ clock, readHost, listSamples }: HealthDetailDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/health/detail', access: 'administer_tenant',
    summary: 'Returns the process and its disk, and what they were like in the last day', responses: { 200: healthDetailSchema },
    handle: async (c) => respond(c, printDetail(clock.now(), await readHost(), listSamples())),
  }]
}

function printDetail(at: number, host: HostStats | undefined, samples: readonly HealthSample[]): HealthDetailBody {
  const days = forecastDisk(samples)
  return {
    timestamp: formatTimestamp(at),
    process: printProcess(host),
    disk_full_in_days: days === undefined ? null : Math.round(days * 10) / 10,
    history: samples.map(({ at: sampledAt, loopLagMs, host: figures }) => ({
      timestamp: formatTimestamp(sampledAt),
      loop_lag_ms: Math.round(loopLagMs),
      resident_bytes: figures?.residentBytes ?? null,
      heap_bytes: figures?.heapBytes ?? null,
      disk_free_bytes: figures?.disk?.freeBytes ?? null,
    })),
  }
}
