import type { TopicTable } from '@tripline/storage/bus/bus'
import { defaultBusSizes } from '@tripline/storage/bus/bus-sizes'

/** The topics of the killed process. */
export const killTopics: TopicTable = {
  in: { consumers: ['stage'], overflow: 'refuse', hasTenantShare: false },
  out: { consumers: ['test'], overflow: 'refuse', hasTenantShare: false },
}

/** Small, so that files are created and removed while it runs. */
export const killSizes = { ...defaultBusSizes, fileBytesMax: 5_000, commitFileBytesMax: 500 }
