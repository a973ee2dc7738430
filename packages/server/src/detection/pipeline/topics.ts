import type { TopicTable } from '@tripline/storage/bus/bus'

/** Where a stage puts messages that it cannot handle. */
export const deadLetterTopic = 'dead-letters'

/**
 * The topics between stages and their consumers. People read dead letters, so the oldest are dropped when the topic is
 * full.
 */
export const topics = {
  'raw-events': { consumers: ['normalize'], overflow: 'refuse', hasTenantShare: true },
  'normalized-events': { consumers: ['detect', 'store'], overflow: 'refuse', hasTenantShare: false },
  alerts: { consumers: ['push'], overflow: 'refuse', hasTenantShare: false },
  [deadLetterTopic]: { consumers: [], overflow: 'dropOldest', hasTenantShare: false },
} as const satisfies TopicTable
