import { AppError, createBodyError } from '@tripline/contract/app-error'
import { recordAudit } from '../../audit/record-audit.ts'
import { OutcomeRecorder } from '../../delivery/webhooks/outcome-recorder.ts'
import { sendDelivery } from '../../delivery/webhooks/send-delivery.ts'
import { limits } from '../../limits.ts'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import { judgeAttempt } from '@tripline/model/delivery/webhook-delivery'
import type { DeliveryReason, WebhookDelivery } from '@tripline/model/delivery/webhook-delivery'
import type { WebhookEvent } from '@tripline/model/delivery/webhook-event'
import { isSubscribed } from '@tripline/model/delivery/webhook'
import type { WebhookEventType } from '@tripline/model/delivery/webhook'
import type { StateStore } from '@tripline/state/ports/state-store'
import { notFound, requireFound } from '@tripline/state/ports/version-conflict'
import type { NewDelivery } from '@tripline/state/ports/delivery/webhook-store'
import { getActiveWebhook, getWebhook } from './webhooks.ts'
import type { WebhookDeps } from './webhooks.ts'

/**
 * Sends a test event to a webhook, enabled or not, and waits for its one attempt, which is in the delivery log. A failure does
 * not count against the webhook. @throws AppError NOT_FOUND.
 */
export async function testWebhook(deps: WebhookDeps, caller: Principal, id: string): Promise<WebhookDelivery> {
  const { tenant } = caller
  const webhook = await getWebhook(deps, tenant, id)
  const at = deps.clock.now()
  const event: WebhookEvent = {
    id: `evt_${createUuidV7(at, deps.randomBytes)}`, type: 'webhook.test', at, subject: id, title: `Test of webhook ${webhook.name}`,
    severity: 'info', details: {},
  }
  const delivery = newDelivery(deps, id, { event, reason: 'test', at })
  // A crash during the attempt leaves a delivery that is tried once more.
  await deps.state.transaction(async (stores) => {
    await stores.webhookDeliveries.insert(tenant, [event], [{ ...delivery, dueAt: at + limits.webhooks.attemptMs * 2 }])
    await recordAudit(stores, caller, { at, action: 'webhook.test', target: { type: 'webhook', id } })
  })
  const result = await sendDelivery(deps.webhooks.sending, tenant, { webhook, event })
  const outcome = judgeAttempt({ attempt: 0, reason: 'test' }, result, 0)
  const settled = { ...delivery, webhookId: id, event }
  await new OutcomeRecorder(deps.state).record({ tenant, delivery: settled, outcome: { ...outcome, isGone: false } })
  return requireFound(await deps.state.webhookDeliveries.get(tenant, delivery.id), 'delivery')
}

/** Queues the event of a delivery once more, under its id. @throws AppError NOT_FOUND, CONFLICT for a disabled webhook. */
export async function redeliver(deps: WebhookDeps, caller: Principal, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
  const { tenant } = caller
  const at = deps.clock.now()
  const { event } = await getDelivery(deps, tenant, webhookId, deliveryId)
  const delivery = newDelivery(deps, webhookId, { event, reason: 'redelivery', at })
  await deps.state.transaction(async (stores) => {
    await getActiveWebhook(stores, tenant, webhookId)
    await checkRoom(stores.webhookDeliveries, tenant, webhookId, 1)
    await stores.webhookDeliveries.insert(tenant, [], [delivery])
    const target = { type: 'webhook', id: webhookId }
    await recordAudit(stores, caller, { at, action: 'webhook.redeliver', target, diff: { delivery: [deliveryId, delivery.id] } })
  })
  deps.webhooks.sender.wake(tenant, webhookId, at)
  return requireFound(await deps.state.webhookDeliveries.get(tenant, delivery.id), 'delivery')
}

type ReplayRequest = { readonly from: number; readonly to: number; readonly events: readonly WebhookEventType[] | undefined }

/**
 * Queues the stored events of a time range once more, under their ids, as far as the webhook subscribes to them; returns how
 * many. @throws AppError NOT_FOUND, INVALID_BODY for a range that ends before it begins, CONFLICT for a disabled webhook and
 * for more events than may wait.
 */
export async function replayEvents(deps: WebhookDeps, caller: Principal, id: string, { from, to, events }: ReplayRequest): Promise<number> {
  const { tenant } = caller
  const at = deps.clock.now()
  if (to <= from) throw createBodyError('from', "must be before 'to'")
  const queuedCount = await deps.state.transaction(async (stores) => {
    const webhook = await getActiveWebhook(stores, tenant, id)
    const types = webhook.events.filter((type) => events === undefined || events.includes(type))
    const limit = limits.webhooks.pendingMax + 1
    const stored = await stores.webhookDeliveries.listEvents(tenant, { from, to, types, limit })
    const subscribed = stored.filter(({ type, severity }) => type !== 'webhook.test' && isSubscribed(webhook, { type, severity }))
    await checkRoom(stores.webhookDeliveries, tenant, id, stored.length === limit ? limit : subscribed.length)
    const deliveries = subscribed.map((event) => newDelivery(deps, id, { event, reason: 'replay', at }))
    await stores.webhookDeliveries.insert(tenant, [], deliveries)
    const diff = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), events: types, queued: deliveries.length }
    await recordAudit(stores, caller, { at, action: 'webhook.replay', target: { type: 'webhook', id }, diff })
    return deliveries.length
  })
  deps.webhooks.sender.wake(tenant, id, at)
  return queuedCount
}

/** A delivery of a webhook. @throws AppError NOT_FOUND. */
export async function getDelivery(
  { state }: Pick<WebhookDeps, 'state'>, tenant: TenantId, webhookId: string, deliveryId: string,
): Promise<WebhookDelivery> {
  await getWebhook({ state }, tenant, webhookId)
  const delivery = requireFound(await state.webhookDeliveries.get(tenant, deliveryId), 'delivery')
  if (delivery.webhookId !== webhookId) throw notFound('delivery')
  return delivery
}

function newDelivery(
  { randomBytes }: Pick<WebhookDeps, 'randomBytes'>, webhookId: string,
  { event, reason, at }: { readonly event: WebhookEvent; readonly reason: DeliveryReason; readonly at: number },
): NewDelivery {
  return { id: createUuidV7(at, randomBytes), webhookId, eventId: event.id, reason, createdAt: at, dueAt: at }
}

async function checkRoom(deliveries: StateStore['webhookDeliveries'], tenant: TenantId, webhookId: string, count: number): Promise<void> {
  const { pendingMax } = limits.webhooks
  const pendingCount = await deliveries.countPending(tenant, webhookId)
  if (pendingCount + count <= pendingMax) return
  const message = `at most ${pendingMax} deliveries of a webhook may wait, and ${pendingCount} do; choose a shorter range, or retry later`
  throw new AppError('CONFLICT', message, { limit: pendingMax, waiting: pendingCount })
}
