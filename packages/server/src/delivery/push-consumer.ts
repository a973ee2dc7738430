import type { TenantId } from '@tripline/model/tenant'
import type { EventConsumer } from './outbox/event-consumer.ts'
import { toEventMessage } from './push/event-messages.ts'
import type { PushHub } from './push/hub.ts'

/** Its positions are stored under this name. */
export const pushConsumerName = 'push'

/**
 * Creates the consumer that pushes domain events to WebSocket clients. `pushed` holds the number of the last pushed event of
 * each tenant: a batch that comes again after an error is pushed from there on.
 */
export function createPushConsumer(hub: Pick<PushHub, 'push'>, pushed: Map<TenantId, number>): EventConsumer {
  return {
    name: pushConsumerName,
    topic: 'alerts',
    async handle(tenant, events) {
      const sent: Promise<void>[] = []
      for (const event of events) {
        if (event.seq <= (pushed.get(tenant) ?? 0)) continue
        const message = toEventMessage(event)
        if (message !== undefined) sent.push(hub.push(tenant, message))
        pushed.set(tenant, event.seq)
      }
      await Promise.all(sent)
    },
  }
}
