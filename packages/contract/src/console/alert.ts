import { z } from 'zod'
import { limits } from '../limits.ts'
import { largeListSchema, listParameters } from '../list.ts'
import { instantParameter, listParameter } from '../page.ts'
import { consoleLevelSchema, mitreKey } from './rule.ts'

const instant = z.iso.datetime()

/** Alert statuses of the console API. */
export const alertStatusSchema = z.enum(['open', 'investigating', 'resolved', 'false_positive'])
export const verdictSchema = z.enum(['true_positive', 'false_positive', 'benign', 'unreviewed'])

export const slaSchema = z.strictObject({
  due_at: instant,
  /** While it is open `on_track` or `overdue`, then `met` or `missed`. */
  state: z.enum(['on_track', 'overdue', 'met', 'missed']),
})
export type SlaBody = z.infer<typeof slaSchema>

export const alertSchema = z.strictObject({
  id: z.string(),
  rule_id: z.string(),
  rule_title: z.string(),
  /** The version of the rule that raised the alert; null for alerts of earlier releases. */
  rule_version: z.int().nullable(),
  severity: consoleLevelSchema,
  /** `info` on alerts of informational rules, for which the console API has no severity. */
  severity_raw: z.literal('info').optional(),
  status: alertStatusSchema,
  /** Summary of the first match's event; absent values are empty. */
  event: z.strictObject({
    /** The event's own time, or the time of receipt if it has none. */
    timestamp: instant,
    source: z.string(),
    host: z.string(),
    user: z.string(),
    process: z.string(),
    command_line: z.string(),
  }),
  enrichment: z.strictObject({
    user_context: z.strictObject({ department: z.string(), is_privileged: z.boolean() }),
    asset_context: z.strictObject({ criticality: z.string(), os: z.string(), ip: z.string() }),
    threat_intel: z.strictObject({ known_malicious: z.boolean(), reputation_score: z.number() }),
  }),
  [mitreKey]: z.strictObject({ tactics: z.array(z.string()), techniques: z.array(z.string()) }),
  assignee: z.string().nullable(),
  verdict: verdictSchema,
  /** Who set the verdict, and when. */
  reviewed_by: z.string().nullable(),
  reviewed_at: instant.nullable(),
  event_count: z.int(),
  /** When its last match arrived. */
  last_seen: instant,
  /** The times of its first and last event, or of arrival where it is unknown which stored event matched. */
  first_event_at: instant,
  last_event_at: instant,
  incident_id: z.string().nullable(),
  reopened_count: z.int(),
  /** When it left the status `open`, and when it was closed; null before, and after it was reopened. */
  acknowledged_at: instant.nullable(),
  closed_at: instant.nullable(),
  /** When it is due by the response target of its severity, and whether that was kept; null without a target. */
  sla: slaSchema.nullable(),
  /** When its first match arrived. */
  created_at: instant,
  updated_at: instant,
})
export type AlertBody = z.infer<typeof alertSchema>

export const alertListSchema = z.strictObject({ alerts: z.array(alertSchema), ...largeListSchema })
export type AlertListBody = z.infer<typeof alertListSchema>

/** An alert with its comments, and its first and last matches. */
export const alertDetailSchema = z.strictObject({
  ...alertSchema.shape,
  /** What the correlation found that raised it; null for a detection rule, and for alerts of earlier releases. */
  correlation: z.strictObject({
    condition: z.string(),
    /** Whether state of the rule was evicted shortly before: there may be more to this. */
    degraded: z.boolean(),
    /** How far the compared number may be off; null where it is exact. */
    approximate: z.strictObject({ relative_error: z.number(), window_error_ms: z.number() }).nullable(),
  }).nullable(),
  /** Oldest first. */
  comments: z.array(z.strictObject({ id: z.string(), author: z.string(), content: z.string(), created_at: instant })),
  /** The first and last matches in order of arrival, each with its event; null where the response would be too large. */
  evidence: z.array(z.strictObject({
    match_id: z.string(),
    timestamp: instant,
    /** The id of the stored event; null for matches of earlier releases. */
    event_id: z.string().nullable(),
    event: z.custom<{ readonly [field: string]: unknown }>((value) => typeof value === 'object' && !Array.isArray(value)).nullable(),
  })),
})
export type AlertDetailBody = z.infer<typeof alertDetailSchema>

/** What selects alerts in lists and figures alike. */
const alertSelection = {
  severity: listParameter(consoleLevelSchema).optional(),
  status: listParameter(alertStatusSchema).optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
} as const

/** Query parameters of the alert list. */
export const alertListQuerySchema = z.object({
  ...alertSelection,
  /** The id of a stored event: the alerts that it is part of, also as one of several that a correlation counted. */
  event_id: z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of a stored event').optional(),
  ...listParameters,
})

const { commentLengthMax } = limits.lists

/** Changeable attributes of an alert. */
export const alertChangeSchema = z
  .strictObject({
    status: alertStatusSchema.optional(),
    /** The email address of an active user; null removes the assignee. */
    assignee: z.string().max(limits.auth.emailLengthMax).nullable().optional(),
    /** A comment to add. */
    notes: z.string().trim().min(1).max(commentLengthMax, `must have at most ${commentLengthMax} characters`).optional(),
    verdict: verdictSchema.optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'at least one of status, assignee, notes and verdict is required',
  )
