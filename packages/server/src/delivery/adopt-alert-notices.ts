import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import type { DomainEventStore } from '@tripline/state/ports/delivery/domain-event-store'
import type { Bus, TopicTable } from '@tripline/storage/bus/bus'
import { limits } from './limits.ts'

/** The topic on which releases without an outbox announced alerts; a data directory of theirs has a folder for it. */
export const legacyTopics = {
  alerts: { consumers: ['push'], overflow: 'refuse', hasTenantShare: false },
} as const satisfies TopicTable

/**
 * After an upgrade, publishes the alerts that still wait on that topic as domain events; returns how many. A crash in between
 * publishes some of them twice.
 */
export async function adoptAlertNotices(bus: Bus, domainEvents: Pick<DomainEventStore, 'announceAlerts'>): Promise<number> {
  const consumer = bus.consumer('alerts', 'push')
  for (let adoptedCount = 0; ;) {
    const messages = await consumer.poll({ max: limits.domainEvents.batchEventsMax, waitMs: 0 })
    const [last] = messages.slice(-1)
    if (last === undefined) return adoptedCount
    for (const [tenant, theirs] of Map.groupBy(messages, (message) => message.tenant)) {
      const ids = theirs.flatMap(({ bytes }) => parseCreatedAlertId(bytes) ?? [])
      if (ids.length > 0) adoptedCount += await domainEvents.announceAlerts(tenant, ids)
    }
    await consumer.commit(last.offset + 1)
  }
}

/** The id of the alert that a match created; undefined for a match that joined one, and for bytes that are corrupted. */
function parseCreatedAlertId(bytes: Uint8Array): string | undefined {
  const parsed = tryParseJson(decodeUtf8(bytes))
  if ('problem' in parsed || !isJsonObject(parsed.value)) return undefined
  const { outcome, alert_id: id } = parsed.value
  return outcome === 'created' && typeof id === 'string' ? id : undefined
}
