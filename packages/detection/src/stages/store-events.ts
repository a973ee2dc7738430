import type { TenantId } from '@tripline/model/tenant'
import type { Message } from '@tripline/storage/bus/bus'
import { EventStoreError } from '@tripline/storage/events/event-store'
import type { AcceptedEvent, EventStore } from '@tripline/storage/events/event-store'
import type { Rejection } from './dead-letter.ts'
import { parseNormalizedMessage } from './event-message.ts'
import { classifyBusError } from './stage.ts'
import type { ErrorClass, StageOptions } from './stage.ts'

export type { AcceptedEvent } from '@tripline/storage/events/event-store'

/** Called with events of a tenant once they can be searched. */
export type OnStored = (tenant: TenantId, events: readonly AcceptedEvent[]) => void

/**
 * The stage between `normalized-events` and the event store. A tenant's events are stored with the offset of the last
 * one as their mark, so events that are delivered again are recognised and skipped: the effect is exactly once.
 */
export function storeEvents(events: EventStore, onStored: OnStored): StageOptions['handle'] {
  return async (messages) => {
    const rejected: Rejection[] = []
    const batches = new Map<TenantId, AcceptedEvent[]>()
    for (const message of messages) {
      // The placeholder of a corrupted message.
      if (message.lostCost !== undefined) continue
      const read = parseNormalizedMessage(message.bytes)
      if (read === undefined) rejected.push(rejectUnreadable(message))
      if (read === undefined || 'tickAt' in read) continue
      const { head: { id: _id, occurredAt, severity, ...arrival }, bytes } = read
      const batch = batches.get(message.tenant) ?? []
      batches.set(message.tenant, batch)
      batch.push({ occurredAt, severity, bytes, arrival })
    }
    // Concurrently, so that one sync covers all.
    const appends = await Promise.allSettled([...batches].map(async ([tenant, batch]) => {
      let mark = (await events.getMark(tenant)) ?? -1
      const fresh: AcceptedEvent[] = []
      for (const event of batch) {
        if (event.arrival.offset <= mark) continue
        fresh.push(event)
        mark = event.arrival.offset
      }
      if (fresh.length === 0) return
      await events.append(tenant, fresh, mark)
      onStored(tenant, fresh)
    }))
    // All have settled: a retry meets nothing that is still under way.
    for (const append of appends) if (append.status === 'rejected') throw append.reason
    return { outputs: [], rejected }
  }
}

/** Classifies an error of the event store: a full disk may recover, a failed one does not. */
export function classifyEventStoreError(error: unknown): ErrorClass {
  if (error instanceof EventStoreError) return error.code === 'FULL' || error.code === 'OVERLOADED' ? 'retry' : 'fatal'
  return classifyBusError(error) === 'retry' ? 'retry' : 'fatal'
}

export function rejectUnreadable({ offset }: Message): Rejection {
  return { offset, reason: 'unreadable', text: 'the message has no readable header' }
}
