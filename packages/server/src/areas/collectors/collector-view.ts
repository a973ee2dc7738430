import type { CollectorBody, CollectorDetailBody } from '@tripline/contract/console/collectors/collector'
import type { PublicCollector, PublicCollectorDetail } from '@tripline/contract/public/collector'
import type { CollectorReport } from '@tripline/model/collectors/collector'
import type { CollectorWithTraffic } from '../../collectors/collectors.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** A collector that never reported. */
const noReport: CollectorReport = {
  uptimeSeconds: 0, cpuPercent: null, memoryMb: null, lastError: null, configVersion: null, clockSkewMs: null, sources: [],
  buffer: { events: 0, bytes: 0, capacityBytes: 0, oldestEventAt: null, droppedTotal: 0 },
}

/** A collector in internal values, as lists of the public API show it. */
export function toPublicCollector({ collector, traffic }: CollectorWithTraffic): PublicCollector {
  const { id, name, hostname, status, release, os, osFamily, lastSeenAt, report = noReport } = collector
  return {
    id, name, hostname, status, os, version: release, os_family: osFamily, last_seen: lastSeenAt ?? null,
    events_ingested: traffic.totals.receivedCount,
    events_per_second: Math.round((traffic.eventsInLastMinute / 60) * 1_000) / 1_000,
    uptime_hours: Math.round(report.uptimeSeconds / 360) / 10,
  }
}

/** A collector with its last report, in internal values. */
export function toPublicCollectorDetail(shown: CollectorWithTraffic): PublicCollectorDetail {
  const { cpuPercent, memoryMb, lastError, configVersion, clockSkewMs, sources, buffer } = shown.collector.report ?? noReport
  return {
    ...toPublicCollector(shown),
    health: {
      cpu_percent: cpuPercent, memory_mb: memoryMb, last_error: lastError, config_version: configVersion, clock_skew_ms: clockSkewMs,
    },
    sources: sources.map(({ name, type, status, eventsPerSecond, lastEventAt, lastError }) =>
      ({ name, type, status, events_per_second: eventsPerSecond, last_event_at: lastEventAt, last_error: lastError })),
    buffer: {
      events: buffer.events, bytes: buffer.bytes, capacity_bytes: buffer.capacityBytes, oldest_event_at: buffer.oldestEventAt,
      dropped_total: buffer.droppedTotal,
    },
  }
}

/** Prints a collector for the console. */
export function printCollector(shown: CollectorWithTraffic): CollectorBody {
  const { last_seen: lastSeenAt, ...facts } = toPublicCollector(shown)
  const { createdAt, updatedAt } = shown.collector
  return {
    ...facts, last_seen: formatTimestamp(lastSeenAt ?? undefined), created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
  }
}

/** Prints a collector with its last report for the console. */
export function printCollectorDetail(shown: CollectorWithTraffic): CollectorDetailBody {
  const { health, sources, buffer } = toPublicCollectorDetail(shown)
  return {
    ...printCollector(shown), health,
    sources: sources.map(({ last_event_at: lastEventAt, ...source }) =>
      ({ ...source, last_event_at: formatTimestamp(lastEventAt ?? undefined) })),
    buffer: { ...buffer, oldest_event_at: formatTimestamp(buffer.oldest_event_at ?? undefined) },
  }
}
