import type { TopicTable } from '@tripline/storage/bus/bus'
import { limits } from '../limits.ts'

/** Where a stage puts messages that it cannot handle. */
export const deadLetterTopic = 'dead-letters'

/**
 * The topics between stages and their consumers. People read dead letters, so the oldest are dropped when the topic is
 * full.
 */
export const topics = {
  'raw-events': { consumers: [toStoredName('deduplicate')], overflow: 'refuse', hasTenantShare: true },
  'normalized-events': {
    consumers: ['detect', 'store'], overflow: 'refuse', hasTenantShare: false, keptBytes: limits.pipeline.secondCopyBytes,
  },
  [deadLetterTopic]: { consumers: [], overflow: 'dropOldest', hasTenantShare: false },
} as const satisfies TopicTable

/**
 * The name under which a data directory stores a stage's committed offset and its checkpoints.
 *
 * `deduplicate` is stored as `normalize`, its first name: the offset is in the log of the bus and the checkpoints are in the
 * state, and no transaction renames both. The console API has that name too, in its stage, service, latencies and topic
 * (docs/reference/console-api.md#pipeline-and-health-metrics), and so do the metrics that it is computed from.
 */
export function toStoredName(stage: string): string {
  return stage === 'deduplicate' ? 'normalize' : stage
}

/** The stage that a data directory stores under a name. */
export function toStageName(storedName: string): string {
  return storedName === 'normalize' ? 'deduplicate' : storedName
}
