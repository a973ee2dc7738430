import { noticeReasons } from '../delivery/channel.ts'
import { deliveryStatuses } from '../delivery/webhook-delivery.ts'
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
