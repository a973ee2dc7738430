import type { NormalizedEvent } from '../event/event.ts'
import { parseInstant, parseNanos } from '../event/parse-time.ts'
import { lookUp } from '../event/value.ts'
import type { Scalar } from '../event/value.ts'

/**
 * Fields with the event time, the most reliable first: the common one of collectors, then those of products. Excludes
 * the times of receipt, indexing and change.
 */
const timeFields = [
  // Collectors and ECS; normalized Windows events have it too.
  '@timestamp',
  // Sysmon, collectors of Windows events without `@timestamp`, Defender for Endpoint.
  'UtcTime', 'TimeCreated', 'SystemTime', 'EventTime', 'TimeGenerated', 'Timestamp',
  // CloudTrail, GCP, Azure, Okta, Microsoft 365, GitHub, OneLogin, Zeek, OpenTelemetry, syslog, Kubernetes, Google Workspace.
  'eventTime', 'timestamp', 'time', 'published', 'CreationTime', 'createdDateTime', 'activityDateTime', 'created_at', 'ts',
  'timeUnixNano', 'event_time', 'eventTimestamp', '_time', 'requestReceivedTimestamp', 'id.time',
] as const

/** The plausible range of event times; values outside of it are not clock readings. */
const earliestMs = Date.UTC(1990, 0, 1)
const latestMs = Date.UTC(2200, 0, 1)

/** Finds the event time in milliseconds since the epoch: the first time field with a plausible time. */
export function findEventTime({ fields }: NormalizedEvent): number | undefined {
  for (const name of timeFields) {
    const value = lookUp(fields, name)
    if (value === undefined || (typeof value === 'object' && value !== null)) continue
    const instant = parseCredibleInstant(value)
    if (instant !== undefined) return instant
  }
  return undefined
}

/** The same, with the nanoseconds beyond whole milliseconds. */
export function findPreciseTime({ fields }: NormalizedEvent): { readonly ms: number; readonly nanos: number } | undefined {
  for (const name of timeFields) {
    const value = lookUp(fields, name)
    if (value === undefined || (typeof value === 'object' && value !== null)) continue
    const ms = parseCredibleInstant(value)
    if (ms !== undefined) return { ms, nanos: parseNanos(value) }
  }
  return undefined
}

function parseCredibleInstant(value: Scalar): number | undefined {
  const instant = parseInstant(value)
  return instant !== undefined && earliestMs <= instant && instant <= latestMs ? instant : undefined
}
