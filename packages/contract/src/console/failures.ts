import { z } from 'zod'
import { limits } from '../limits.ts'
import { countParameter, listMetadataSchema } from '../page.ts'

const { pageMax, repeatIdsMax, idLengthMax } = limits.failures
const stages = ['deduplicate', 'detect', 'store'] as const

/** Query parameters of the failures: the stage, and the page behind a failure. */
export const failureListQuerySchema = z.object({
  stage: z.enum(stages).optional(),
  /** The `next_cursor` of the page before. */
  cursor: z.string().max(idLengthMax, `must have at most ${idLengthMax} characters`).optional(),
  limit: countParameter.refine((count) => count >= 1 && count <= pageMax, `must be from 1 to ${pageMax}`).optional(),
})

/** Records that a stage of the pipeline could not handle, the newest first. */
export const failureListSchema = z.strictObject({
  failures: z.array(z.strictObject({
    id: z.string(),
    stage: z.enum(stages),
    /** One of few words, by which the books count such records. */
    reason: z.string(),
    message: z.string(),
    received_at: z.iso.datetime().nullable(),
    connector_id: z.string().nullable(),
    /** The beginning of the record. */
    excerpt: z.string(),
    bytes: z.int(),
    /** Whether it can be sent through the pipeline again. */
    repeatable: z.boolean(),
    /** Whether it was, since the server started. */
    repeated: z.boolean(),
  })),
  /** Failures that are kept: the newest 500. */
  total: z.int(),
  next_cursor: z.string().nullable(),
  ...listMetadataSchema.shape,
})
export type FailureListBody = z.infer<typeof failureListSchema>

export const failureRepeatBodySchema = z.strictObject({
  ids: z.array(z.string().max(idLengthMax)).min(1, 'must name a failure').max(repeatIdsMax, `must have at most ${repeatIdsMax} ids`),
})

export const failureRepeatResultSchema = z.strictObject({
  sent: z.int(),
  failed: z.array(z.strictObject({ id: z.string(), code: z.enum(['NOT_FOUND', 'CONFLICT']), message: z.string() })),
})
export type FailureRepeatResultBody = z.infer<typeof failureRepeatResultSchema>
