import { noticeReasons } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import type { Notification } from '@tripline/model/delivery/notification'
import { channelMessageFields, notificationFields } from '@tripline/model/lists/channel-fields'
import { deliveryFields, webhookFields } from '@tripline/model/lists/webhook-fields'
import type { WebhookDelivery } from '@tripline/model/delivery/webhook-delivery'
import { webhookEventTypes, webhookStatuses } from '@tripline/model/delivery/webhook'
import type { Webhook } from '@tripline/model/delivery/webhook'
import { channelMessageWith, channelWith, newDeliveryWith, webhookEventWith, webhookWith } from '../state-samples.ts'
import { pick, readerOf, texts } from './list-sample.ts'
import type { ListSample } from './list-sample.ts'

export const webhookSample: ListSample<Webhook> = {
  name: 'webhooks', of: ({ webhooks }) => webhooks,
  add: ({ webhooks }, tenant, { number, seed }) => webhooks.insert(tenant, webhookWith({
    id: `w${number}`, name: `${pick(texts, seed)} ${number}`, url: `https://${seed % 3}.example/`, status: pick(webhookStatuses, seed),
    failureCount: seed % 4, createdAt: seed % 5, updatedAt: seed % 7,
  })),
  remove: ({ webhooks }, tenant, { id }) => webhooks.remove(tenant, id),
  reader: readerOf(webhookFields, {
    name: ({ name }) => name, url: ({ url }) => url, status: ({ status }) => status, failure_count: ({ failureCount }) => failureCount,
    created_at: ({ createdAt }) => createdAt, updated_at: ({ updatedAt }) => updatedAt,
  }, { getId: ({ id }) => id, getTexts: ({ name, url }) => [name, url] }),
}

export const channelMessageSample: ListSample<ChannelMessage> = {
  name: 'messages of channels', of: ({ channelMessages }) => channelMessages,
  add: async ({ channels, channelMessages }, tenant, { number, seed }) => {
    const channelId = pick(['ch1', 'ch2'], seed)
    await channels.insert(tenant, channelWith({ id: channelId, name: channelId }))
    const message = channelMessageWith({ id: `cm${number}`, channelId, createdAt: seed % 9, reason: pick(noticeReasons, seed) })
    await channelMessages.insert(tenant, message, { ...webhookEventWith({ id: `evt_${number}`, title: pick(texts, seed) }), type: 'alert.created' })
    if (seed % 3 === 0) return
    const last = { at: 20, durationMs: 1, httpStatus: 500, error: pick(texts, seed + 2), snippet: '', retryAfterMs: undefined }
    const status = pick(['pending', 'failed', 'delivered'] as const, seed)
    await channelMessages.settle(tenant, message.id, { status, attempt: seed % 4, dueAt: status === 'pending' ? 30 : undefined, last, isGone: false })
  },
  remove: ({ channelMessages }, tenant) => channelMessages.removeOld(tenant, { before: 4, limit: 2 }),
  reader: readerOf(channelMessageFields, {
    channel_id: ({ channelId }) => channelId, status: ({ status }) => status, reason: ({ reason }) => reason, attempt: ({ attempt }) => attempt,
    created_at: ({ createdAt }) => createdAt,
  }, { getId: ({ id }) => id, getTexts: ({ notices, last }) => [JSON.stringify(notices), last?.error ?? ''] }),
}

export const deliverySample: ListSample<WebhookDelivery> = {
  name: 'deliveries', of: ({ webhookDeliveries }) => webhookDeliveries,
  add: async ({ webhooks, webhookDeliveries }, tenant, { number, seed }) => {
    const webhookId = pick(['w1', 'w2'], seed)
    await webhooks.insert(tenant, webhookWith({ id: webhookId, name: webhookId }))
    const event = webhookEventWith({ id: `evt_${number}`, type: pick(webhookEventTypes, seed), title: pick(texts, seed), subject: pick(texts, seed + 1) })
    const delivery = newDeliveryWith({
      id: `d${number}`, webhookId, eventId: event.id, createdAt: seed % 9, reason: pick(['event', 'replay'] as const, seed),
    })
    await webhookDeliveries.insert(tenant, [event], [delivery])
    if (seed % 3 === 0) return
    const last = { at: 20, durationMs: 1, httpStatus: 500, error: pick(texts, seed + 2), snippet: '', retryAfterMs: undefined }
    const status = pick(['pending', 'failed', 'delivered'] as const, seed)
    await webhookDeliveries.settle(tenant, delivery.id, { status, attempt: seed % 4, dueAt: status === 'pending' ? 30 : undefined, last, isGone: false })
  },
  remove: ({ webhookDeliveries }, tenant) => webhookDeliveries.removeOld(tenant, { before: 4, limit: 2 }),
  reader: readerOf(deliveryFields, {
    webhook_id: ({ webhookId }) => webhookId, event: ({ event }) => event.type, status: ({ status }) => status, reason: ({ reason }) => reason,
    attempt: ({ attempt }) => attempt, created_at: ({ createdAt }) => createdAt,
  }, { getId: ({ id }) => id, getTexts: ({ event, last }) => [event.title, event.subject, last?.error ?? ''] }),
}

/** Every other one is of a channel. */
export const notificationSample: ListSample<Notification> = {
  name: 'notifications', of: ({ notifications }) => notifications,
  add: (stores, tenant, entry) => (entry.number % 2 === 0 ? deliverySample : channelMessageSample).add(stores, tenant, entry),
  remove: async ({ webhookDeliveries, channelMessages }, tenant) => {
    await webhookDeliveries.removeOld(tenant, { before: 4, limit: 2 })
    await channelMessages.removeOld(tenant, { before: 4, limit: 2 })
  },
  reader: readerOf(notificationFields, {
    channel: ({ channel }) => channel, target: ({ targetId }) => targetId, event: ({ notices }) => notices[0]?.type ?? '',
    status: ({ status }) => status, reason: ({ reason }) => reason, attempt: ({ attempt }) => attempt, created_at: ({ createdAt }) => createdAt,
  }, {
    getId: ({ id }) => id,
    getTexts: ({ channel, notices, targetName, last }) =>
      [channel === 'webhook' ? notices[0]?.title ?? '' : JSON.stringify(notices), targetName, last?.error ?? ''],
  }),
}
