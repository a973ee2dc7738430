import { deliveryReasons, deliveryStatuses } from '../delivery/webhook-delivery.ts'
import { webhookEventTypes, webhookStatuses } from '../delivery/webhook.ts'
import { mapToSelf } from './list-fields.ts'
import type { ListFields } from './list-fields.ts'

/** Sortable and filterable fields of webhooks. */
export const webhookFields = {
  name: { kind: 'text', isSorted: true, isFiltered: true },
  url: { kind: 'text', isFiltered: true },
  status: { kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(webhookStatuses) },
  failure_count: { kind: 'number', isSorted: true, isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
  updated_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of deliveries. */
export const deliveryFields = {
  webhook_id: { kind: 'text' },
  event: { kind: 'word', isFiltered: true, words: mapToSelf([...webhookEventTypes, 'webhook.test']) },
  status: { kind: 'word', isFiltered: true, words: mapToSelf(deliveryStatuses) },
  reason: { kind: 'word', isFiltered: true, words: mapToSelf(deliveryReasons) },
  attempt: { kind: 'number', isSorted: true, isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields
