import { z } from 'zod'
import { limits } from '../limits.ts'
import { entryText, entryValue } from './enrichment.ts'
import { largeListSchema, listParameters } from './list.ts'
import { flagParameter, instantParameter, listParameter } from './page.ts'

const type = z.enum(['ip', 'cidr', 'domain', 'url', 'hash', 'email'])
const percent = z.int().min(0).max(100)
const instant = z.iso.datetime()

/** An indicator (section 4.3, threat-intel-iocs). */
export const indicatorSchema = z.strictObject({
  id: z.string(),
  type,
  value: z.string(),
  source: z.string(),
  confidence: percent,
  reputation_score: percent,
  description: z.string(),
  valid_from: instant,
  /** Null where it has no end. */
  valid_until: instant.nullable(),
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
  /** Those that count now. */
  valid: flagParameter.optional(),
  ...listParameters,
})
export type IndicatorListQuery = z.output<typeof indicatorListQuerySchema>

/** What may be changed of an indicator; null takes its end away. */
export const indicatorChangeSchema = z.strictObject({
  confidence: percent.optional(),
  reputation_score: percent.optional(),
  description: z.string().max(limits.enrichment.descriptionLengthMax).optional(),
  valid_from: instantParameter.optional(),
  valid_until: instantParameter.nullable().optional(),
})
export type IndicatorChange = z.output<typeof indicatorChangeSchema>

/** A row of an import; without a source it is the import's. */
export const indicatorRowSchema = z.strictObject({
  type, value: entryValue, source: entryText.min(1).default('import'), ...indicatorChangeSchema.shape,
})
export type IndicatorRow = z.output<typeof indicatorRowSchema>
