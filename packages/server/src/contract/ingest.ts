import { z } from 'zod'

/** What became of the events of one request (C3). */
export const ingestReceiptSchema = z.strictObject({
  /** Includes the deduplicated ones. */
  accepted: z.int(),
  /** Accepted events that were known by their id and were not evaluated again. */
  deduplicated: z.int(),
  rejected: z.int(),
  errors: z.array(z.strictObject({ index: z.int(), code: z.string(), reason: z.string() })),
  /** The place of the newest event on the tenant's stream; null before the first. */
  last_offset: z.int().nullable(),
})
export type IngestReceiptBody = z.infer<typeof ingestReceiptSchema>
