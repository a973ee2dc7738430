import { z } from 'zod'
import { largeListSchema, listParameters } from '../../list.ts'
import { flagParameter, instantParameter, listParameter } from '../../page.ts'
import { entryList, entryText } from './enrichment.ts'

/** A directory user that user names in events refer to. */
export const identitySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  department: z.string(),
  is_privileged: z.boolean(),
  aliases: z.array(z.string()),
  /** Null if never seen. */
  last_seen: z.iso.datetime().nullable(),
  open_alerts: z.int(),
  sources: z.array(z.string()),
})
export type IdentityBody = z.infer<typeof identitySchema>

export const identityListSchema = z.strictObject({
  identities: z.array(identitySchema),
  ...largeListSchema,
})

export const identityListQuerySchema = z.strictObject({
  department: listParameter(z.string()).optional(),
  is_privileged: flagParameter.optional(),
  ...listParameters,
})
export type IdentityListQuery = z.output<typeof identityListQuerySchema>

/** A change of a directory user; omitted fields are kept. */
export const identityChangeSchema = z.strictObject({
  email: entryText.optional(),
  department: entryText.optional(),
  is_privileged: z.boolean().optional(),
  aliases: entryList.optional(),
  last_seen: instantParameter.optional(),
  sources: entryList.optional(),
})
export type IdentityChange = z.output<typeof identityChangeSchema>

/** A row of an import. */
export const identityRowSchema = z.strictObject({ name: entryText.min(1), ...identityChangeSchema.shape })
export type IdentityRow = z.output<typeof identityRowSchema>
