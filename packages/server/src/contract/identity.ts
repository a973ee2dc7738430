import { z } from 'zod'
import { entryList, entryText } from './enrichment.ts'
import { largeListSchema, listParameters } from './list.ts'
import { flagParameter, instantParameter, listParameter } from './page.ts'

/** Whom a user name in events stands for (section 4.3). */
export const identitySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  department: z.string(),
  is_privileged: z.boolean(),
  aliases: z.array(z.string()),
  /** Null where nothing was seen of them. */
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

/** What may be stated of a person whose name is known: what is left out stays as it is. */
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
