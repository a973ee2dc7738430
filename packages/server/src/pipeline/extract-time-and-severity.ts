import type { EventObject } from '@tripline/engine'
import { normalizeEvent, findEventTime } from '@tripline/engine/evaluate'
import { getEventSeverity } from '../domain/event-severity.ts'
import type { EventSeverity } from '../domain/event-severity.ts'

/** What the pipeline reads in an event's own words. */
export type TimeAndSeverity = {
  readonly severity: EventSeverity
  /** Absent where the event does not say when it happened. */
  readonly occurredAt?: number
}

export function extractTimeAndSeverity(event: EventObject): TimeAndSeverity {
  const severity = getEventSeverity(event)
  const occurredAt = findEventTime(normalizeEvent(event, 'auto'))
  return occurredAt === undefined ? { severity } : { severity, occurredAt }
}
