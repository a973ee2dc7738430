import { z } from 'zod'
import { limits } from './limits.ts'
import { countParameter, listMetadataSchema, paginationSchema } from './page.ts'

const { soughtLengthMax } = limits.state

/** The query contract of large lists: pages by `cursor` and `limit`, or by `page` and `size`. */
export const listParameters = {
  /** `<field>:<asc|desc>`, several separated by commas. */
  sort: z.string().optional(),
  cursor: z.string().optional(),
  limit: countParameter.optional(),
  /** Text to search for. */
  q: z.string().max(soughtLengthMax, `must have at most ${soughtLengthMax} characters`).optional(),
  /** A structured filter as JSON: `{"field":"host","op":"prefix","value":"lab-"}`, combined by `and`, `or` and `not`. */
  filters: z.string().optional(),
  page: countParameter.optional(),
  size: countParameter.optional(),
} as const

/** Pagination and metadata of a large list; `next_cursor` is null on the last page. */
export const largeListSchema = {
  pagination: z.strictObject({ ...paginationSchema.shape, next_cursor: z.string().nullable() }),
  ...listMetadataSchema.shape,
} as const
const largeList = z.strictObject(largeListSchema)
export type LargeListBody = z.infer<typeof largeList>
