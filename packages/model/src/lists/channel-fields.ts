import { noticeReasons } from '../delivery/channel.ts'
import { notificationChannels } from '../delivery/notification.ts'
import { deliveryReasons, deliveryStatuses } from '../delivery/webhook-delivery.ts'
import { mapToSelf } from './list-fields.ts'
import type { ListFields } from './list-fields.ts'

/** Sortable and filterable fields of the messages of channels. */
export const channelMessageFields = {
  channel_id: { kind: 'text' },
  status: { kind: 'word', isFiltered: true, words: mapToSelf(deliveryStatuses) },
  reason: { kind: 'word', isFiltered: true, words: mapToSelf(noticeReasons) },
  attempt: { kind: 'number', isSorted: true, isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of what is sent to webhooks and channels. */
export const notificationFields = {
  channel: { kind: 'word', isFiltered: true, words: mapToSelf(notificationChannels) },
  target: { kind: 'text', isFiltered: true },
  event: { kind: 'text', isFiltered: true },
  status: { kind: 'word', isFiltered: true, words: mapToSelf(deliveryStatuses) },
  reason: { kind: 'word', isFiltered: true, words: mapToSelf([...new Set([...deliveryReasons, ...noticeReasons])]) },
  attempt: { kind: 'number', isSorted: true, isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields
