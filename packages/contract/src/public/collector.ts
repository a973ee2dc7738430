import { z } from 'zod'
import { count, instant, list, named, nullable, number, plain, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { collectorStatuses } from './vocabulary.ts'

const entryFields = {
  id: text,
  name: text,
  hostname: text,
  status: word(collectorStatuses),
  version: text,
  os: text,
  os_family: text,
  /** When it was last heard; each profile has a name of its own for it. */
  last_seen: named(nullable(instant), { a: 'lastHeartbeat' }),
  events_ingested: count,
  events_per_second: number,
  uptime_hours: number,
} as const

/** An installed agent. */
export const publicCollector = record(entryFields)
export type PublicCollector = ValueOf<typeof publicCollector>

const health = record({
  cpu_percent: nullable(number), memory_mb: nullable(number), last_error: nullable(text), config_version: nullable(text),
  clock_skew_ms: nullable(plain(z.int())),
})
const source = record({
  name: text, type: text, status: plain(z.enum(['pending', 'healthy', 'degraded', 'unhealthy', 'disabled'])), events_per_second: number,
  last_event_at: nullable(instant), last_error: nullable(text),
})
const buffer = record({
  events: count, bytes: count, capacity_bytes: count, oldest_event_at: nullable(instant), dropped_total: count,
})

/** A collector with its last report. */
export const publicCollectorDetail = record({ ...entryFields, health, sources: list(source), buffer })
export type PublicCollectorDetail = ValueOf<typeof publicCollectorDetail>
