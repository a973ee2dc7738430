import { z } from 'zod'
import { limits } from '../limits.ts'
import { jsonObject } from './json-object.ts'
import { listParameters } from './list.ts'
import { flagParameter, instantParameter, listMetadataSchema, listParameter } from './page.ts'

const { searchFieldsMax, fieldNameLengthMax } = limits.lists

const instant = z.iso.datetime()
const fieldNames = z
  .array(z.string().min(1).max(fieldNameLengthMax))
  .min(1)
  .max(searchFieldsMax, `must name at most ${searchFieldsMax} fields`)

/** Query parameters of a search; `q` is a text of the search language. */
export const searchQuerySchema = z.object({
  ...listParameters,
  q: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  /** Fields to answer alone. */
  fields: listParameter(z.string()).pipe(fieldNames).optional(),
  /** Whether events are counted over time; they are, unless it says false or the page is not the first. */
  histogram: flagParameter.optional(),
})

/** A search as a body (D-39): the names of the public API. */
export const searchBodySchema = z.strictObject({
  query: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  size: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  cursor: z.string().optional(),
  fields: fieldNames.optional(),
  histogram: z.boolean('must be true or false').optional(),
})

export const searchEventSchema = z.strictObject({
  timestamp: instant,
  /** What product the event is of, such as `windows`; empty where that is unknown. */
  source_type: z.string(),
  source_ip: z.string(),
  /** The numeric code of the event, such as that of Windows (D-69). */
  event_id: z.int().nullable(),
  message: z.string(),
  severity: z.enum(['info', 'low', 'medium', 'high', 'critical']),
  /** The event as it arrived, or those of its fields that were asked for. */
  fields: jsonObject,
})
export type SearchEventBody = z.infer<typeof searchEventSchema>

export const searchResultSchema = z.strictObject({
  data: z.array(searchEventSchema),
  total: z.int(),
  /** `gte` where the search ended before it had counted all. */
  total_relation: z.enum(['eq', 'gte']),
  /** Events over time and by severity; severities that do not occur are left out. */
  histogram: z.array(z.strictObject({ time: instant, count: z.int(), breakdown: z.record(z.string(), z.int()) })).optional(),
  next_cursor: z.string().nullable(),
  /** The query in its canonical text. */
  query: z.string(),
  from: instant,
  to: instant,
  ...listMetadataSchema.shape,
})
export type SearchResultBody = z.infer<typeof searchResultSchema>
