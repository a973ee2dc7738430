import { z } from 'zod'
import { supportBundleSchema } from './support-bundle.ts'

/** The process and its disk, and what they were like, minute by minute, in the last day of this process. */
export const healthDetailSchema = z.strictObject({
  timestamp: z.iso.datetime(),
  process: supportBundleSchema.shape.process,
  /** Days until the disk is full, if it goes on to fill; null where it does not, or was not watched for an hour. */
  disk_full_in_days: z.number().nullable(),
  history: z.array(z.strictObject({
    timestamp: z.iso.datetime(),
    /** The longest of the minute. */
    loop_lag_ms: z.number(),
    /** Null where the system does not tell. */
    resident_bytes: z.int().nullable(),
    heap_bytes: z.int().nullable(),
    disk_free_bytes: z.int().nullable(),
  })),
})
export type HealthDetailBody = z.infer<typeof healthDetailSchema>
