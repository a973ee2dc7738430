import type { TopicTable } from '../bus/bus.ts'

/** Where a stage puts messages that it cannot handle. */
export const deadLetterTopic = 'dead-letters'

/** The topics between stages and who reads each (D-11). Dead letters are read by people, so the oldest make room. */
export const topics = {
  'raw-events': { consumers: ['normalize'], overflow: 'refuse', hasTenantShare: true },
  'normalized-events': { consumers: ['detect', 'store'], overflow: 'refuse', hasTenantShare: false },
  alerts: { consumers: ['push'], overflow: 'refuse', hasTenantShare: false },
  [deadLetterTopic]: { consumers: [], overflow: 'dropOldest', hasTenantShare: false },
} as const satisfies TopicTable
