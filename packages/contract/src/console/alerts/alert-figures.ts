import { z } from 'zod'
import { limits } from '../../limits.ts'
import { largeListSchema, listParameters } from '../../list.ts'
import { countParameter, listMetadataSchema, listParameter } from '../../page.ts'
import { alertListQuerySchema } from '../alert.ts'
import { consoleLevelSchema } from '../rule.ts'

const { bucketsMax, bucketsMin, facetValuesMax } = limits.alertFigures
const { severity, status, from, to } = alertListQuerySchema.shape
const selection = { severity, status, from, to, q: listParameters.q, filters: listParameters.filters } as const

const instant = z.iso.datetime()

/** What alerts are counted by, beside time. */
const alertFacets = ['severity', 'status', 'rule_id', 'host', 'user', 'tactic', 'source', 'assignee', 'verdict'] as const

const bounded = (min: number, max: number) =>
  countParameter.refine((count) => count >= min && count <= max, `must be from ${min} to ${max}`)

/** Query parameters of the summary: those of the list that select, and what is counted. */
export const alertSummaryQuerySchema = z.object({
  ...selection,
  /** Spans of the histogram. */
  buckets: bounded(bucketsMin, bucketsMax).optional(),
  /** What each span is divided by. */
  by: z.enum(['severity', 'status']).optional(),
  facets: listParameter(z.enum(alertFacets)).optional(),
  /** Values of each facet. */
  limit: bounded(1, facetValuesMax).optional(),
})

/** How many of the selected alerts were answered in the range, and the seconds from their creation on average; null where none was. */
const answerTimeSchema = z.strictObject({ seconds: z.number().nullable(), count: z.int() }).nullable()

/** How many alerts there are, over time and by what they hold. */
export const alertSummarySchema = z.strictObject({
  total: z.int(),
  from: instant,
  to: instant,
  /** The length of a span of the histogram. */
  bucket_ms: z.int(),
  histogram: z.array(z.strictObject({ time: instant, count: z.int(), breakdown: z.record(z.string(), z.int()) })),
  facets: z.array(z.strictObject({
    field: z.enum(alertFacets),
    /** Different values among the counted alerts. */
    distinct: z.int(),
    /** The most frequent values; the value is empty for alerts without one. */
    values: z.array(z.strictObject({ value: z.string(), label: z.string(), count: z.int() })),
    /** The number of newest alerts that were counted, where it is not all. */
    sampled: z.int().nullable(),
  })),
  /** Mean time to acknowledge; null where the time was up before it was known. */
  mtta: answerTimeSchema,
  /** Mean time to resolve, likewise. */
  mttr: answerTimeSchema,
  ...listMetadataSchema.shape,
})
export type AlertSummaryBody = z.infer<typeof alertSummarySchema>

const alertGroupKeys = ['rule_id', 'host', 'user', 'tactic', 'rule_host'] as const

/** Query parameters of the groups. */
export const alertGroupQuerySchema = z.object({ ...alertListQuerySchema.omit({ event_id: true }).shape, by: z.enum(alertGroupKeys) })

/** Alerts that have something in common. */
export const alertGroupListSchema = z.strictObject({
  groups: z.array(z.strictObject({
    /** The rule id, host, user or tactic; of `rule_host` the rule id and the host with a blank between. Empty for none. */
    key: z.string(),
    label: z.string(),
    count: z.int(),
    /** Alerts among them that are open or under investigation. */
    open: z.int(),
    /** The worst. */
    severity: consoleLevelSchema,
    first_at: instant,
    last_at: instant,
    /** Counts of 24 equal spans from the first to the last alert of all groups. */
    spark: z.array(z.int()),
  })),
  /** The number of newest alerts that were grouped. */
  grouped: z.int(),
  ...largeListSchema,
})
export type AlertGroupListBody = z.infer<typeof alertGroupListSchema>
