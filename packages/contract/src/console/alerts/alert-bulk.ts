import { z } from 'zod'
import { limits } from '../../limits.ts'
import { alertStatusSchema, verdictSchema } from '../alert.ts'
import { consoleLevelSchema } from '../rule.ts'

const { alertsMax } = limits.alertBulk
const { commentLengthMax } = limits.lists
const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

const setSchema = z.strictObject({
  status: alertStatusSchema.optional(),
  /** The email address of an active user; null removes the assignee. */
  assignee: z.string().max(limits.auth.emailLengthMax).nullable().optional(),
  verdict: verdictSchema.optional(),
  /** A comment to add to each alert. */
  notes: z.string().trim().min(1).max(commentLengthMax, `must have at most ${commentLengthMax} characters`).optional(),
}).refine(
  (set) => Object.values(set).some((value) => value !== undefined), 'at least one of status, assignee, notes and verdict is required',
)

/** A change of many alerts: by their ids, or all that a filter selects. */
export const alertBulkSchema = z.strictObject({
  ids: z.array(z.string().min(1).max(128)).min(1).max(alertsMax, `must have at most ${alertsMax} ids`).optional(),
  /** The parameters of the list of alerts that select. */
  filter: z.strictObject({
    severity: z.array(consoleLevelSchema).min(1).optional(),
    status: z.array(alertStatusSchema).min(1).optional(),
    from: instant.optional(),
    to: instant.optional(),
    q: z.string().max(limits.state.soughtLengthMax).optional(),
    /** A filter expression, as in the parameter `filters`. */
    filters: z.json().optional(),
  }).optional(),
  /** Refuses the change if another number of alerts is selected. */
  expect_total: z.int().min(0).optional(),
  set: setSchema,
  /** Changes only alerts in one of these statuses; the others stay as they are, and are counted as `kept`. */
  only_status: z.array(alertStatusSchema).min(1).optional(),
  /** Tells what would change, and changes nothing. */
  dry_run: z.boolean().default(false),
}).refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), 'exactly one of ids and filter is required')

const countsSchema = {
  /** Alerts that were selected. */
  matched: z.int(),
  changed: z.int(),
  /** Alerts that are as wanted already. */
  unchanged: z.int(),
  failed: z.array(z.strictObject({ id: z.string(), code: z.enum(['NOT_FOUND', 'PRECONDITION_FAILED', 'CONFLICT']) })),
}

export const alertBulkResultSchema = z.strictObject({
  ...countsSchema,
  /** Alerts that stay as they are because of `only_status`; they are none of the unchanged ones. */
  kept: z.int(),
  /** How many rules raised the alerts that were selected. */
  rules: z.int(),
  dry_run: z.boolean(),
  /** Takes the change back within ten minutes; null where nothing was changed. */
  undo: z.strictObject({ id: z.string(), expires_at: z.iso.datetime() }).nullable(),
})
export type AlertBulkResultBody = z.infer<typeof alertBulkResultSchema>

export const alertUndoResultSchema = z.strictObject(countsSchema)
