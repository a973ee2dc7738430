import { z } from 'zod'
import { jsonObject } from '../json-object.ts'
import { limits } from '../limits.ts'
import { flagParameter } from '../page.ts'
import { ruleDetailSchema } from './rule.ts'

const { exceptionsMax, exceptionReasonLengthMax, exceptionTitleLengthMax } = limits.rules

/** An exception as sent by a client: selections and a condition of a Sigma filter, and its expiry. */
const exceptionBodySchema = z.strictObject({
  /** The id of an existing exception, which keeps its owner and creation time. */
  id: z.string('must be a string').optional(),
  title: z.string('must be a string').min(1).max(exceptionTitleLengthMax).optional(),
  detection: jsonObject,
  owner: z.string('must be a string').min(1).max(exceptionTitleLengthMax).optional(),
  reason: z.string('must give a reason').min(1, 'must give a reason').max(exceptionReasonLengthMax),
  expires_at: z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).transform((text) => Date.parse(text)),
})

/** A new exception of a rule. */
export const newExceptionBodySchema = exceptionBodySchema.omit({ id: true })

const switches = {
  enabled: z.boolean('must be true or false').optional(),
  lifecycle: z.enum(['draft', 'published'], "must be 'draft' or 'published'").optional(),
  filters: z
    .array(exceptionBodySchema, 'must be an array of exceptions')
    .max(exceptionsMax, `must have at most ${exceptionsMax} exceptions`)
    .optional(),
}

const text = z.string('must be a string')
const texts = z.array(text, 'must be an array of strings')

/** Attributes of a rule's text by their API names; the engine validates them. Null removes one. */
export const ruleAttributesSchema = z.strictObject({
  title: text,
  description: text.nullable(),
  level: text.nullable(),
  status: text.nullable(),
  detection: jsonObject,
  logsource: z.strictObject({ category: text, product: text, service: text, definition: text }).partial(),
  tags: texts.nullable(),
  false_positives: texts.nullable(),
  references: texts.nullable(),
  author: text.nullable(),
  tests: z.array(z.unknown(), 'must be an array of tests').nullable(),
}).partial()

/** A change of a rule: text, attributes, state and exceptions, in any combination. */
export const ruleChangeBodySchema = z.strictObject({
  definition: z.string('must be YAML text').optional(),
  ...switches,
  ...ruleAttributesSchema.shape,
}).refine((body) => Object.keys(body).length > 0, 'the body must contain at least one change')
export type RuleChangeBody = z.infer<typeof ruleChangeBodySchema>

/** New custom rules: a definition of one YAML document, or of several, which are saved together or not at all. */
export const newRuleBodySchema = z.strictObject({ definition: z.string('must be YAML text'), ...switches })
export type NewRuleBody = z.infer<typeof newRuleBodySchema>

/** `force` saves a rule even if its own tests fail. */
export const ruleChangeQuerySchema = z.object({ force: flagParameter.optional() })

/** A rule after a change. */
export const changedRuleSchema = z.strictObject({
  ...ruleDetailSchema.shape,
  /** Offset of the first event evaluated with the changed rule; null if the tenant's stream is unaffected. */
  effective_from_offset: z.int().nullable(),
  warnings: z.array(z.string()),
})
export type ChangedRuleBody = z.infer<typeof changedRuleSchema>

/** The created rule, or all of them in the order of the text if it holds several. */
export const createdRulesSchema = z.union([changedRuleSchema, z.strictObject({ rules: z.array(changedRuleSchema) })])
