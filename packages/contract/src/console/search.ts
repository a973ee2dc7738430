import { z } from 'zod'
import { jsonObject } from '../json-object.ts'
import { limits } from '../limits.ts'
import { listParameters } from '../list.ts'
import { flagParameter, instantParameter, listMetadataSchema, listParameter } from '../page.ts'

const { searchFieldsMax, fieldNameLengthMax } = limits.lists

const instant = z.iso.datetime()
const fieldNames = z
  .array(z.string().min(1).max(fieldNameLengthMax))
  .min(1)
  .max(searchFieldsMax, `must name at most ${searchFieldsMax} fields`)

/** Query parameters of a search; `q` is in the query language. */
export const searchQuerySchema = z.object({
  ...listParameters,
  q: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  /** The only fields to return. */
  fields: listParameter(z.string()).pipe(fieldNames).optional(),
  /** Whether to compute a histogram; by default only for the first page. */
  histogram: flagParameter.optional(),
  /** For a bare word: `quick` (default) answers once the page is full, with what is counted by then; `full` counts all. */
  counts: z.enum(['quick', 'full']).optional(),
})

/** A search as a JSON body, with the names of the public API. */
export const searchBodySchema = z.strictObject({
  query: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  size: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  cursor: z.string().optional(),
  /** `timestamp:desc`, the default, or `timestamp:asc`. */
  sort: z.string('must be text').optional(),
  fields: fieldNames.optional(),
  histogram: z.boolean('must be true or false').optional(),
  /** For a bare word: `quick` (default) answers once the page is full, with what is counted by then; `full` counts all. */
  counts: z.enum(['quick', 'full']).optional(),
})

export const searchEventSchema = z.strictObject({
  /** Identifies the stored event: the same in every search, alert and live tail. */
  id: z.string(),
  timestamp: instant,
  /** The product of the event, such as `windows`; empty if unknown. */
  source_type: z.string(),
  source_ip: z.string(),
  /** The numeric event code, such as the Windows event id. */
  event_id: z.int().nullable(),
  message: z.string(),
  severity: z.enum(['info', 'low', 'medium', 'high', 'critical']),
  /** The event as received, or its requested fields. */
  fields: jsonObject,
})
export type SearchEventBody = z.infer<typeof searchEventSchema>

export const searchResultSchema = z.strictObject({
  data: z.array(searchEventSchema),
  total: z.int(),
  /** `gte` if there may be more matches than were counted; then the counts of the histogram are lower bounds, too. */
  total_relation: z.enum(['eq', 'gte']),
  /** Events over time and by severity; severities without events are omitted. */
  histogram: z.array(z.strictObject({ time: instant, count: z.int(), breakdown: z.record(z.string(), z.int()) })).optional(),
  next_cursor: z.string().nullable(),
  /** The canonical text of the query. */
  query: z.string(),
  from: instant,
  to: instant,
  ...listMetadataSchema.shape,
})
export type SearchResultBody = z.infer<typeof searchResultSchema>
