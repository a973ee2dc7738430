import { limits } from '../../limits.ts'
import type { DomainEvent } from '@tripline/model/delivery/domain-event'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import { isSubscribed } from '@tripline/model/delivery/webhook'
import type { WebhookEvent } from '@tripline/model/delivery/webhook-event'
import type { Runtime } from '@tripline/common/runtime'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import type { NewDelivery } from '@tripline/state/ports/delivery/webhook-store'
import type { EventConsumer } from '../outbox/event-consumer.ts'
import { describeEvent } from './describe-event.ts'
import type { WebhookSender } from './webhook-sender.ts'

type WebhookConsumerDeps = {
  readonly state: Pick<StateStore, 'transaction' | 'webhooks' | 'alerts' | 'connectors'>
  readonly sender: Pick<WebhookSender, 'wake'>
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/**
 * Creates the consumer that queues domain events for webhooks. Events and deliveries are stored in one transaction, under ids
 * that follow from the domain event: what comes again after a kill is queued once.
 */
export function createWebhookConsumer({ state, sender, clock, randomBytes }: WebhookConsumerDeps): EventConsumer {
  return {
    name: 'webhooks',
    topic: 'webhooks',
    async handle(tenant, events) {
      const webhooks = await state.webhooks.listSubscriptions(tenant)
      if (webhooks.length === 0) return
      const at = clock.now()
      const newDelivery = (webhookId: string, eventId: string): NewDelivery =>
        ({ id: createUuidV7(at, randomBytes), webhookId, eventId, reason: 'event', createdAt: at, dueAt: at })
      const described: WebhookEvent[] = []
      const deliveries: NewDelivery[] = []
      for (const event of events) {
        const told = await describeSubscribed(state, tenant, event, webhooks)
        if (told === undefined) continue
        described.push(told.event)
        deliveries.push(...told.webhookIds.map((id) => newDelivery(id, told.event.id)))
      }
      if (described.length === 0) return
      const queued = await state.transaction(async (stores) => {
        const admitted = await admit(stores, tenant, deliveries)
        return await stores.webhookDeliveries.insert(tenant, described, admitted)
      })
      for (const webhookId of new Set(queued.map((delivery) => delivery.webhookId))) sender.wake(tenant, webhookId, at)
    },
  }
}

type Subscriptions = Awaited<ReturnType<StateStore['webhooks']['listSubscriptions']>>

/**
 * An event that some webhook subscribes to, which is stored for replays even where that one is disabled, and the active
 * webhooks that get it.
 */
async function describeSubscribed(
  state: WebhookConsumerDeps['state'], tenant: TenantId, event: DomainEvent, webhooks: Subscriptions,
): Promise<{ readonly event: WebhookEvent; readonly webhookIds: readonly string[] } | undefined> {
  const described = await describeEvent(state, tenant, event)
  if (described === undefined) return undefined
  const subscribed = webhooks.filter(({ webhook }) => isSubscribed(webhook, described))
  if (subscribed.length === 0) return undefined
  const receiving = subscribed.filter(({ webhook, sinceSeq }) => webhook.status === 'active' && event.seq > sinceSeq)
  return { event: described, webhookIds: receiving.map(({ webhook }) => webhook.id) }
}

/**
 * Leaves out what would make the queue of a webhook too long, and counts it; a replay sends it. A webhook that was disabled or
 * removed meanwhile gets nothing.
 */
async function admit(
  { webhooks, webhookDeliveries }: Stores, tenant: TenantId, deliveries: readonly NewDelivery[],
): Promise<readonly NewDelivery[]> {
  const admitted: NewDelivery[] = []
  for (const [webhookId, theirs] of Map.groupBy(deliveries, (delivery) => delivery.webhookId)) {
    if ((await webhooks.get(tenant, webhookId))?.status !== 'active') continue
    const room = Math.max(0, limits.webhooks.pendingMax - await webhookDeliveries.countPending(tenant, webhookId))
    admitted.push(...theirs.slice(0, room))
    if (theirs.length > room) await webhooks.addSkipped(tenant, webhookId, theirs.length - room)
  }
  return admitted
}
