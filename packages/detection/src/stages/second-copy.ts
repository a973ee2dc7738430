import type { Bus } from '@tripline/storage/bus/bus'
import type { SecondCopy } from '@tripline/storage/events/event-store'
import { limits } from '../limits.ts'
import { parseNormalizedMessage } from './event-message.ts'

/**
 * Reads events again that the stage `store` has given to the event store, as far as the topic before it still has them. Those
 * that it has not committed are left out: they come to it by themselves.
 */
export function readStoredAgain(bus: Pick<Bus, 'stats' | 'readKept'>): SecondCopy {
  return async function* () {
    const end = bus.stats('normalized-events').consumers.find(({ name }) => name === 'store')?.committedOffset ?? 0
    const reader = bus.readKept('normalized-events')
    for (;;) {
      const messages = await reader.read(limits.pipeline.secondCopyReadMax)
      if (messages.length === 0) return
      for (const { offset, tenant, bytes, lostCost } of messages) {
        if (offset >= end) return
        const message = lostCost === undefined ? parseNormalizedMessage(bytes) : undefined
        if (message === undefined || 'tickAt' in message) continue
        const { head: { id: _id, occurredAt, severity, ...arrival }, bytes: event } = message
        yield { tenant, event: { occurredAt, severity, bytes: event, arrival } }
      }
    }
  }
}
