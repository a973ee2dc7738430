import type { Alert } from '@tripline/model/alert'
import { parseDomainEventId } from '@tripline/model/delivery/domain-event'
import type { AlertStore } from '@tripline/state/ports/alert-store'
import type { DomainEventStore } from '@tripline/state/ports/delivery/domain-event-store'
import { printNewAlert, toEventMessage } from './push/event-messages.ts'
import type { AlertNotification, ReadAlertsSince, ReadEventsSince } from './push/replay.ts'

/**
 * Creates a function that finds the alerts a live push client has missed, in order of creation. Alerts of the same
 * millisecond as the last seen one are included, because which of them were seen is not stored.
 */
export function createMissedAlertsFinder(alerts: Pick<AlertStore, 'get' | 'list'>): ReadAlertsSince {
  return async (tenant, since, limit) => {
    const start = 'at' in since ? { createdAt: since.at, id: undefined } : await alerts.get(tenant, since.alertId)
    if (start === undefined) return undefined
    // Every id sorts after the empty one, so alerts of that millisecond are included.
    const after = [start.createdAt, '']
    const { entries } = await alerts.list(tenant, { order: [{ field: 'created_at', direction: 'asc' }], limit: limit + 1, after })
    return entries.filter(({ id }) => id !== start.id).slice(0, limit).map(toAlertNews)
  }
}

/** The live push message of an alert. */
function toAlertNews({ event: { host, user }, attack: { tactics }, ...alert }: Alert): AlertNotification {
  return { createdAt: alert.createdAt, data: printNewAlert({ ...alert, host, user, tactics }) }
}

/**
 * Creates a function that finds the messages that a client has missed since a domain event, as long as the outbox keeps that
 * event: it vouches for the ones behind it.
 */
export function createMissedEventsFinder(domainEvents: Pick<DomainEventStore, 'read'>): ReadEventsSince {
  return async (tenant, eventId, limit) => {
    const start = parseDomainEventId(eventId)
    if (start === undefined) return undefined
    const before = Math.max(0, start.seq - 1)
    const { events, readTo } = await domainEvents.read(tenant, before, limit + 2)
    const missed = events.filter(({ seq }) => seq > start.seq)
    const isComplete = readTo - before === events.length && missed.length <= limit
    const isKnown = start.seq === 0 || (events[0]?.seq === start.seq && (start.hash === undefined || events[0].id === eventId))
    return isComplete && isKnown ? missed.flatMap((event) => toEventMessage(event) ?? []) : undefined
  }
}
