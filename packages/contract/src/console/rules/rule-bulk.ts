import { z } from 'zod'
import { limits } from '../../limits.ts'

const { idsMax } = limits.ruleBulk

/** A change of many rules at once. */
export const ruleBulkSchema = z.strictObject({
  ids: z.array(z.string().min(1).max(128)).min(1).max(idsMax, `must have at most ${idsMax} ids`),
  set: z.strictObject({ enabled: z.boolean('must be true or false') }),
})

/** What became of it; the rules that cannot be switched are listed and leave the others unaffected. */
export const ruleBulkResultSchema = z.strictObject({
  /** Different rules that were named. */
  matched: z.int(),
  changed: z.int(),
  /** Rules that are as wanted already. */
  unchanged: z.int(),
  failed: z.array(z.strictObject({ id: z.string(), code: z.enum(['NOT_FOUND', 'CONFLICT', 'INVALID_RULE']), message: z.string() })),
  /** Offset of the first event evaluated with the changed rules; null if the tenant's stream is unaffected. */
  effective_from_offset: z.int().nullable(),
})
export type RuleBulkResultBody = z.infer<typeof ruleBulkResultSchema>
