import { z } from 'zod'
import { limits } from '../../limits.ts'
import { largeListSchema, listParameters } from '../../list.ts'
import { flagParameter, instantParameter, listParameter } from '../../page.ts'
import { entryText, entryValue } from './enrichment.ts'

const type = z.enum(['ip', 'cidr', 'domain', 'url', 'hash', 'email'])
const percent = z.int().min(0).max(100)
const instant = z.iso.datetime()

/** An indicator of compromise. */
export const indicatorSchema = z.strictObject({
  id: z.string(),
  type,
  value: z.string(),
  source: z.string(),
  confidence: percent,
  reputation_score: percent,
  description: z.string(),
  valid_from: instant,
  /** Null without an end. */
  valid_until: instant.nullable(),
  /** At the time of the answer; an expired one is removed 30 days after its end. */
  status: z.enum(['upcoming', 'valid', 'expired']),
  hits: z.int(),
  last_hit_at: instant.nullable(),
})
export type IndicatorBody = z.infer<typeof indicatorSchema>

export const indicatorListSchema = z.strictObject({
  indicators: z.array(indicatorSchema),
  ...largeListSchema,
})

export const indicatorListQuerySchema = z.strictObject({
  type: listParameter(type).optional(),
  source: listParameter(z.string()).optional(),
  value: listParameter(z.string()).optional(),
  /** Currently valid ones. */
  valid: flagParameter.optional(),
  ...listParameters,
})
export type IndicatorListQuery = z.output<typeof indicatorListQuerySchema>

/** Changeable attributes of an indicator; a null `valid_until` removes the end. */
export const indicatorChangeSchema = z.strictObject({
  confidence: percent.optional(),
  reputation_score: percent.optional(),
  description: z.string().max(limits.enrichment.descriptionLengthMax).optional(),
  valid_from: instantParameter.optional(),
  valid_until: instantParameter.nullable().optional(),
})
export type IndicatorChange = z.output<typeof indicatorChangeSchema>

/** A row of an import; the source defaults to `import`. */
export const indicatorRowSchema = z.strictObject({
  type, value: entryValue, source: entryText.min(1).default('import'), ...indicatorChangeSchema.shape,
})
export type ImportedIndicator = z.output<typeof indicatorRowSchema>
