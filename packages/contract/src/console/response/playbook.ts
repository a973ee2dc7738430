import { z } from 'zod'
import { limits } from '../../limits.ts'
import { largeListSchema, listParameters } from '../../list.ts'

const instant = z.iso.datetime()
const { nameLengthMax, stepsMax, tagLengthMax, urlLengthMax } = limits.playbooks
const { commentLengthMax } = limits.lists

const commentStep = z.strictObject({ type: z.literal('comment'), content: z.string().trim().min(1).max(commentLengthMax) })
const statusStep = z.strictObject({
  type: z.literal('set_status'),
  /** A status of the playbook's subject, in the words of the console. */
  status: z.enum(['open', 'investigating', 'resolved', 'false_positive', 'contained', 'eradicated', 'recovered', 'closed']),
})
const assignStep = z.strictObject({ type: z.literal('assign'), assignee: z.string().min(1).max(limits.auth.emailLengthMax) })
const tagStep = z.strictObject({ type: z.literal('tag_asset'), tag: z.string().trim().min(1).max(tagLengthMax) })
const webhookStep = z.strictObject({
  type: z.literal('webhook'),
  /** https; it gets a JSON body about the subject, and the header `webhook-id`, the same for each attempt. */
  url: z.url({ protocol: /^https?$/ }).max(urlLengthMax),
})
const notifyStep = z.strictObject({
  type: z.literal('notify'),
  /** The id of a notification channel; its name is taken too, and stored as the id. */
  channel: z.string().min(1).max(nameLengthMax),
})

const stepSchema = z.discriminatedUnion('type', [commentStep, statusStep, assignStep, tagStep, webhookStep, notifyStep])

const filterSchema = z.custom<{ readonly [name: string]: unknown }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be a filter expression',
).meta({ type: 'object' })

const playbookFields = {
  name: z.string().trim().min(1).max(nameLengthMax),
  description: z.string().trim().max(limits.incidents.textLengthMax),
  /** `match`: once for each alert or incident that matches the filter; `manual`: when a user runs it. */
  trigger: z.enum(['manual', 'match']),
  /** A filter expression over the fields of alerts or incidents; null for all. */
  filter: filterSchema.nullable(),
  /** In order; a step that fails ends the run. */
  steps: z.array(stepSchema).min(1).max(stepsMax),
  enabled: z.boolean(),
}

/** Steps that are taken about alerts or incidents. */
export const playbookSchema = z.strictObject({
  id: z.string(), ...playbookFields, subject: z.enum(['alert', 'incident']), steps: z.array(stepSchema),
  runs_total: z.int(), last_run_at: instant.nullable(), created_at: instant, updated_at: instant,
})
export type PlaybookBody = z.infer<typeof playbookSchema>

export const playbookListSchema = z.strictObject({ playbooks: z.array(playbookSchema) })

export const newPlaybookSchema = z.strictObject({
  ...playbookFields, subject: z.enum(['alert', 'incident']), description: playbookFields.description.default(''),
  trigger: playbookFields.trigger.default('manual'), filter: playbookFields.filter.default(null),
  enabled: playbookFields.enabled.default(true),
})

export const playbookPatchSchema = z.strictObject(playbookFields).partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

/** The alert or incident that a playbook is run about. */
export const playbookStartSchema = z.strictObject({ subject_id: z.string().min(1).max(limits.push.idLengthMax) })

export const playbookRunSchema = z.strictObject({
  id: z.string(),
  playbook_id: z.string(),
  playbook_name: z.string(),
  subject: z.enum(['alert', 'incident']),
  subject_id: z.string(),
  /** Who started it; null for a run that started by itself. */
  requested_by: z.string().nullable(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  steps: z.array(z.strictObject({
    type: z.string(), status: z.enum(['pending', 'running', 'succeeded', 'failed', 'skipped']), at: instant.nullable(), result: z.string(),
  })),
  created_at: instant,
  finished_at: instant.nullable(),
})
export type PlaybookRunBody = z.infer<typeof playbookRunSchema>

export const playbookRunListSchema = z.strictObject({ runs: z.array(playbookRunSchema), ...largeListSchema })
export const playbookRunQuerySchema = z.object({ ...listParameters })
