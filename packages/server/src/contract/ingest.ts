import { z } from 'zod'

/** What became of the events of one request (C3). */
export const ingestReceiptSchema = z.strictObject({
  /** Safe on disk. One whose id came before counts too, and is not evaluated again. */
  accepted: z.int(),
  rejected: z.int(),
  errors: z.array(z.strictObject({ index: z.int(), code: z.string(), reason: z.string() })),
  /** The place of the last accepted event on the stream; null where none was. */
  last_offset: z.int().nullable(),
})
export type IngestReceiptBody = z.infer<typeof ingestReceiptSchema>
