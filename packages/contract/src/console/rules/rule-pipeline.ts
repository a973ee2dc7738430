import { z } from 'zod'
import { jsonObject } from '../../json-object.ts'
import { limits } from '../../limits.ts'

const { nameLengthMax, textLengthMax, pipelinesMax, priorityMax, testEventsMax } = limits.rulePipelines

const fields = {
  /** Unique in the tenant. */
  name: z.string('must be a string').trim().min(1, 'must not be empty').max(nameLengthMax),
  /** The pipeline in the YAML of pySigma. */
  text: z.string('must be YAML text').min(1).max(textLengthMax),
  /** Pipelines run in the order of their priorities, the lowest first; those of the same one in the order in which they were made. */
  priority: z.int().min(0).max(priorityMax),
  enabled: z.boolean(),
}

/** A processing pipeline of the tenant. */
export const rulePipelineSchema = z.strictObject({
  id: z.string(),
  ...fields,
  /** Counts changes, from 1. */
  revision: z.int(),
  /** Why it is not applied although it is enabled, such as a step that a release no longer has. */
  problem: z.string().nullable(),
  created_by: z.string(),
  updated_by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type RulePipelineBody = z.infer<typeof rulePipelineSchema>

/** What the pipelines make of the rules of the tenant. */
const effect = {
  /** Rules that they rewrite. */
  rules_changed: z.int(),
  /** Rules that they refuse: each is listed and does not run. */
  rules_refused: z.int(),
}

export const rulePipelineListSchema = z.strictObject({ pipelines: z.array(rulePipelineSchema), ...effect })
export type RulePipelineListBody = z.infer<typeof rulePipelineListSchema>

/** A changed pipeline, and what all pipelines make of the rules now. */
export const changedRulePipelineSchema = z.strictObject({
  pipeline: rulePipelineSchema,
  ...effect,
  /** Offset of the first event that the rewritten rules see; null if no running rule has changed. */
  effective_from_offset: z.int().nullable(),
})
export type ChangedRulePipelineBody = z.infer<typeof changedRulePipelineSchema>

/** Without a priority it has that of its text. */
export const newRulePipelineSchema = z.strictObject({
  ...fields, priority: fields.priority.optional(), enabled: fields.enabled.default(true),
})

export const rulePipelinePatchSchema = z.strictObject(fields).partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

/** A rule under pipelines: those of the request, in this order, or else those of the tenant that are enabled. */
export const rulePipelineTestSchema = z.strictObject({
  /** YAML text of one rule. */
  definition: z.string('must be YAML text'),
  pipelines: z.array(fields.text).max(pipelinesMax).optional(),
  /** Events to try the rewritten rule on. */
  events: z.array(z.unknown(), 'must be an array of events').max(testEventsMax).pipe(z.array(jsonObject)).default([]),
})

export const rulePipelineTestResultSchema = z.strictObject({
  /** Why the pipelines refuse the rule. */
  problem: z.string().nullable(),
  /** The parts that differ, such as `logsource`, `detection.condition` or `detection.selection`, as people read them. */
  changes: z.array(z.strictObject({ part: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  /** Whether the rewritten rule matches each event. */
  results: z.array(z.strictObject({ event_index: z.int(), matched: z.boolean(), matched_conditions: z.array(z.string()) })),
})
export type RulePipelineTestResultBody = z.infer<typeof rulePipelineTestResultSchema>
