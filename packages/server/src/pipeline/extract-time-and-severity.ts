import type { EventObject } from '@tripline/engine'
import { normalizeEvent, occurredAtOf } from '@tripline/engine/evaluate'
import { eventSeverityOf } from '../domain/event-severity.ts'
import type { EventSeverity } from '../domain/event-severity.ts'

/** What the pipeline reads in an event's own words. */
export type EventReading = {
  readonly severity: EventSeverity
  /** Absent where the event does not say when it happened. */
  readonly occurredAt?: number
}

export function readingOf(event: EventObject): EventReading {
  const severity = eventSeverityOf(event)
  const occurredAt = occurredAtOf(normalizeEvent(event, 'auto'))
  return occurredAt === undefined ? { severity } : { severity, occurredAt }
}
