import type { NormalizedEvent } from '../event/event.ts'
import { parseInstant } from '../event/parse-time.ts'
import { lookUp } from '../event/value.ts'
import type { Scalar } from '../event/value.ts'

/**
 * Fields that say when an event happened, the most reliable first: the one that collectors agree on, then those
 * of products. Times at which something was received, indexed or changed are none of them.
 */
const timeFields = [
  // Collectors and ECS; Windows events have it after normalizing.
  '@timestamp',
  // Sysmon, the collectors of Windows events that write no `@timestamp`, Defender for Endpoint.
  'UtcTime', 'TimeCreated', 'SystemTime', 'EventTime', 'TimeGenerated', 'Timestamp',
  // CloudTrail, GCP, Azure, Okta, Microsoft 365, GitHub, OneLogin, Zeek, OpenTelemetry, syslog.
  'eventTime', 'timestamp', 'time', 'published', 'CreationTime', 'createdDateTime', 'activityDateTime', 'created_at', 'ts',
  'timeUnixNano', 'event_time', 'eventTimestamp', '_time',
] as const

/** Before it no computer logged anything; after it nobody reads this. What lies outside was never a clock. */
const earliestMs = Date.UTC(1990, 0, 1)
const latestMs = Date.UTC(2200, 0, 1)

/**
 * When an event happened, in milliseconds since the epoch, as the first of its time fields that states a
 * credible instant says; undefined where none does.
 */
export function findEventTime({ fields }: NormalizedEvent): number | undefined {
  for (const name of timeFields) {
    const value = lookUp(fields, name)
    if (value === undefined || (typeof value === 'object' && value !== null)) continue
    const instant = parseCredibleInstant(value)
    if (instant !== undefined) return instant
  }
  return undefined
}

function parseCredibleInstant(value: Scalar): number | undefined {
  const instant = parseInstant(value)
  return instant !== undefined && earliestMs <= instant && instant <= latestMs ? instant : undefined
}
