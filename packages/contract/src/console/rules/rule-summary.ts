import { z } from 'zod'
import { limits } from '../../limits.ts'
import { countParameter, listMetadataSchema, listParameter } from '../../page.ts'
import { ruleListQuerySchema } from '../rule.ts'

const { facetValuesMax } = limits.ruleSummary

/** What rules are counted by: each is a parameter of the rule list, which takes the values that are counted. */
const ruleFacets = [
  'level', 'enabled', 'status', 'origin', 'health', 'verdict', 'product', 'category', 'service', 'tactic', 'technique', 'author', 'tag',
] as const

/** Query parameters of the summary: those of the list that select, and what is counted; default: each facet. */
export const ruleSummaryQuerySchema = ruleListQuerySchema.omit({ sort: true, cursor: true, page: true, size: true }).extend({
  facets: listParameter(z.enum(ruleFacets)).optional(),
  /** Values of each facet. */
  limit: countParameter.refine((count) => count >= 1 && count <= facetValuesMax, `must be from 1 to ${facetValuesMax}`).optional(),
})

/** How many rules there are, by what they have. */
export const ruleFacetsSchema = z.strictObject({
  total: z.int(),
  facets: z.array(z.strictObject({
    field: z.enum(ruleFacets),
    /** Different values. */
    distinct: z.int(),
    /** The most frequent values; the value is empty for rules without one. */
    values: z.array(z.strictObject({ value: z.string(), count: z.int() })),
  })),
  ...listMetadataSchema.shape,
})
export type RuleFacetsBody = z.infer<typeof ruleFacetsSchema>
export type RuleFacet = (typeof ruleFacets)[number]
