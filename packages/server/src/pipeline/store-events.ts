import type { Message } from '../bus/bus.ts'
import type { TenantId } from '../domain/tenant.ts'
import { EventStoreError } from '../events/event-store.ts'
import type { EventStore, NewEvent } from '../events/event-store.ts'
import type { Rejection } from './dead-letter.ts'
import { parseNormalizedMessage } from './event-message.ts'
import { classifyBusError } from './stage.ts'
import type { ErrorClass, StageOptions } from './stage.ts'

/** Told of events of a tenant that can be searched from now on. */
export type OnStored = (tenant: TenantId, events: readonly { readonly bytes: Uint8Array }[]) => void

/**
 * The stage between `normalized-events` and the event store. The offset of a tenant's last event is the mark that it is
 * stored with, so an event that comes again, after a restart here or in the stage before, is known and passed over.
 */
export function storeEvents(events: EventStore, onStored: OnStored): StageOptions['handle'] {
  return async (messages) => {
    const refused: Rejection[] = []
    const batches = new Map<TenantId, { readonly event: NewEvent; readonly offset: number }[]>()
    for (const message of messages) {
      const read = parseNormalizedMessage(message.bytes)
      if (read === undefined) refused.push(rejectUnreadable(message))
      if (read === undefined || 'tickAt' in read) continue
      const { head: { offset, occurredAt, severity }, bytes } = read
      const batch = batches.get(message.tenant) ?? []
      batches.set(message.tenant, batch)
      batch.push({ event: { occurredAt, severity, bytes }, offset })
    }
    // Beside one another, so that all are synced together.
    const appends = await Promise.allSettled([...batches].map(async ([tenant, batch]) => {
      let mark = (await events.getMark(tenant)) ?? -1
      const fresh: NewEvent[] = []
      for (const { event, offset } of batch) {
        if (offset <= mark) continue
        fresh.push(event)
        mark = offset
      }
      if (fresh.length === 0) return
      await events.append(tenant, fresh, mark)
      onStored(tenant, fresh)
    }))
    // All have ended: what is tried again meets nothing that is still under way.
    for (const append of appends) if (append.status === 'rejected') throw append.reason
    return { outputs: [], refused }
  }
}

/** What an error of the event store means: room comes again, a failed disk does not. */
export function classifyEventStoreError(error: unknown): ErrorClass {
  if (error instanceof EventStoreError) return error.code === 'FULL' || error.code === 'OVERLOADED' ? 'passes' : 'stops'
  return classifyBusError(error) === 'passes' ? 'passes' : 'stops'
}

export function rejectUnreadable({ offset }: Message): Rejection {
  return { offset, reason: 'unreadable', text: 'the message has no head that can be read' }
}
