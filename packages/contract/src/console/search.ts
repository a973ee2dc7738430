import { z } from 'zod'
import { jsonObject } from '../json-object.ts'
import { limits } from '../limits.ts'
import { listParameters } from '../list.ts'
import { flagParameter, instantParameter, listMetadataSchema, listParameter } from '../page.ts'
import { wholeNumberParameter } from '../public/parameters.ts'

const { searchFieldsMax, fieldNameLengthMax, searchBucketsMin, searchBucketsMax } = limits.lists

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
  /** The most bars of the histogram, whose length is a round one. */
  buckets: wholeNumberParameter(searchBucketsMin, searchBucketsMax).optional(),
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
  /** The most bars of the histogram, whose length is a round one. */
  buckets: z.int('must be a whole number').min(searchBucketsMin).max(searchBucketsMax).optional(),
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
  /**
   * What the search cost: the stored events that it read, of those of the range. What filters exclude and what an earlier search
   * found is not read; all numbers are to the block.
   */
  scanned: z.strictObject({
    events: z.int(),
    /** The blocks that it read as they are stored, compressed; those in memory count with the bytes of their events. */
    bytes: z.int(),
    total: z.int(),
  }),
  /** The canonical text of the query. */
  query: z.string(),
  from: instant,
  to: instant,
  ...listMetadataSchema.shape,
})
export type SearchResultBody = z.infer<typeof searchResultSchema>

const countedValues = z.array(z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.int() }))

/** The fields of the newest stored events, for completion. */
export const searchFieldListSchema = z.strictObject({
  /** Ordered by name; nested names are joined by dots. */
  fields: z.array(z.strictObject({
    name: z.string(),
    types: z.array(z.enum(['text', 'number', 'boolean', 'null', 'list'])),
    event_count: z.int(),
    /** Frequent values, most frequent first; the counts are lower bounds. */
    top: countedValues,
  })),
  ...listMetadataSchema.shape,
})
export type SearchFieldListBody = z.infer<typeof searchFieldListSchema>

/** Query parameters of the facets of a search; without `fields` those that divide the events best are chosen. */
export const searchFacetQuerySchema = z.object({
  q: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  fields: listParameter(z.string()).pipe(fieldNames).optional(),
})

/** The values of fields among the newest events that a search finds. */
export const searchFacetsSchema = z.strictObject({
  facets: z.array(z.strictObject({
    field: z.string(),
    /** Counted events that have the field, and the different values among them. */
    event_count: z.int(),
    distinct: z.int(),
    /** The most frequent values; longer ones than a filter takes are left out. */
    values: countedValues,
  })),
  /** The newest matching events, which alone were counted. */
  events_counted: z.int(),
  /** Whether more events match. */
  sampled: z.boolean(),
  query: z.string(),
  from: instant,
  to: instant,
  ...listMetadataSchema.shape,
})
export type SearchFacetsBody = z.infer<typeof searchFacetsSchema>

/** Query parameters of a histogram that is split by the values of a field. */
export const searchSplitQuerySchema = z.object({
  q: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  field: z.string().min(1).max(fieldNameLengthMax),
  /** The most bars of the histogram, whose length is a round one. */
  buckets: wholeNumberParameter(searchBucketsMin, searchBucketsMax).optional(),
})

/** The events that a search finds over time, by the most frequent values of a field. */
export const searchSplitSchema = z.strictObject({
  field: z.string(),
  /** The most frequent values among the newest matching events, with the events of the range that have them; texts regardless of case. */
  values: countedValues,
  /** Whether the values were chosen among the newest of more matching events. */
  sampled: z.boolean(),
  /** `by_value` has the events of each value in the order of `values`; an event that has several counts for each. */
  histogram: z.array(z.strictObject({ time: instant, count: z.int(), by_value: z.array(z.int()) })),
  total: z.int(),
  /** `gte` if there may be more matches than were counted. */
  total_relation: z.enum(['eq', 'gte']),
  query: z.string(),
  from: instant,
  to: instant,
  ...listMetadataSchema.shape,
})
export type SearchSplitBody = z.infer<typeof searchSplitSchema>
