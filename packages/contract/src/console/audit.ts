import { z } from 'zod'
import { largeListSchema, listParameters } from '../list.ts'
import { instantParameter } from '../page.ts'

/** An action in the audit trail. Its hash covers the entry and the hash of the previous one. */
export const auditEntrySchema = z.strictObject({
  seq: z.int(),
  at: z.iso.datetime(),
  actor: z.strictObject({
    type: z.enum(['user', 'api_key', 'connector', 'collector', 'system', 'anonymous']), id: z.string(), email: z.string().nullable(),
  }),
  action: z.string(),
  target: z.strictObject({ type: z.string(), id: z.string() }),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  request_id: z.string().nullable(),
  outcome: z.enum(['success', 'refused', 'failed']),
  /** Changed attributes, each as before and after, or details of the action; secrets are masked. */
  diff: z.record(z.string(), z.unknown()).nullable(),
  prev_hash: z.string(),
  hash: z.string(),
})
export type AuditEntryBody = z.infer<typeof auditEntrySchema>

export const auditListSchema = z.strictObject({ entries: z.array(auditEntrySchema), ...largeListSchema })
export type AuditListBody = z.infer<typeof auditListSchema>

export const auditListQuerySchema = z.object({
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  ...listParameters,
})

/** The result of verifying the trail; `broken_at` is the first modified or missing entry. */
export const auditReportSchema = z.strictObject({
  ok: z.boolean(),
  entries: z.int(),
  first_seq: z.int(),
  last_seq: z.int(),
  broken_at: z.int().nullable(),
  problem: z.string().nullable(),
})
export type AuditReportBody = z.infer<typeof auditReportSchema>

/** Query parameters of the changes of a tenant; without them those of the last 24 hours. */
export const changesQuerySchema = z.object({ from: instantParameter.optional(), to: instantParameter.optional() })

/** What was changed about a tenant, for every role: a part of the audit trail without its circumstances. */
export const changesSchema = z.strictObject({
  changes: z.array(z.strictObject({
    at: z.string(),
    kind: z.enum(['rule', 'connector', 'settings', 'start']),
    /** As in the audit trail, such as `rule.update`; `server.start` for the start of the server. */
    action: z.string(),
    /** The title of the rule, the name of the connector, or the settings that were changed. */
    title: z.string(),
    /** The email address of the user; null for the server itself. */
    by: z.string().nullable(),
    /** Where the console shows it; null for what is removed. */
    link: z.string().nullable(),
  })),
  from: z.string(),
  to: z.string(),
  /** Whether there are more than were returned, which are the newest. */
  truncated: z.boolean(),
  query_warnings: z.array(z.string()),
})
export type ChangesBody = z.infer<typeof changesSchema>
