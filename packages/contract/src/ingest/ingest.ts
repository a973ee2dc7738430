import { z } from 'zod'

/** The result of ingesting the events of one request. */
export const ingestReceiptSchema = z.strictObject({
  /** Durable events. A duplicate counts as accepted and is not evaluated again. */
  accepted: z.int(),
  /** Those of the accepted that became part of one event with another: records of Linux audit; absent without. */
  joined: z.int().optional(),
  rejected: z.int(),
  errors: z.array(z.strictObject({ index: z.int(), code: z.string(), reason: z.string() })),
  /** The stream offset of the last accepted event; null if none was accepted. */
  last_offset: z.int().nullable(),
})
export type IngestReceiptBody = z.infer<typeof ingestReceiptSchema>
