import type { EventObject } from '@tripline/engine'
import { normalizeEvent, findEventTime } from '@tripline/engine/evaluate'
import { getEventSeverity } from './event-severity.ts'
import type { EventSeverity } from './event-severity.ts'

/** The time and severity that an event states itself. */
export type TimeAndSeverity = {
  readonly severity: EventSeverity
  /** Absent where the event does not state it. */
  readonly occurredAt?: number
}

export function extractTimeAndSeverity(event: EventObject): TimeAndSeverity {
  const severity = getEventSeverity(event)
  const occurredAt = findEventTime(normalizeEvent(event, 'auto'))
  return occurredAt === undefined ? { severity } : { severity, occurredAt }
}
