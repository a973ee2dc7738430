import { z } from 'zod'
import { limits } from '../limits.ts'

/** The pages of the console that have saved views. */
export const viewPages = ['alerts', 'incidents', 'search', 'assets', 'rules', 'connectors', 'audit'] as const

const viewFields = {
  name: z.string().min(1).max(limits.views.nameLengthMax),
  /** The query of the page's address, without the question mark. */
  query: z.string().max(limits.views.queryLengthMax),
  /** Whether all users of the tenant see it. */
  is_shared: z.boolean(),
}

/** A new saved view. */
export const newViewBodySchema = z.strictObject({
  ...viewFields, page: z.enum(viewPages), is_shared: viewFields.is_shared.default(false),
})

export const viewPatchSchema = z.strictObject(viewFields).partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

/** A saved view: a page of the console with its filters, under a name. */
export const viewSchema = z.strictObject({
  id: z.string(),
  page: z.enum(viewPages),
  ...viewFields,
  owner_id: z.string(),
  /** Whether it belongs to the user who asks. */
  is_own: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ViewBody = z.infer<typeof viewSchema>

export const viewListQuerySchema = z.strictObject({ page: z.enum(viewPages).optional() })
export const viewListSchema = z.strictObject({ views: z.array(viewSchema), query_warnings: z.array(z.string()) })
