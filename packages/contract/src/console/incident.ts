import { z } from 'zod'
import { limits } from '../limits.ts'
import { largeListSchema, listParameters } from '../list.ts'
import { instantParameter, listParameter } from '../page.ts'
import { alertSchema, slaSchema } from './alert.ts'
import { consoleLevelSchema, mitreKey } from './rule.ts'

const instant = z.iso.datetime()
const { titleLengthMax, textLengthMax, namedMax } = limits.incidents
const { commentLengthMax } = limits.lists

/** Incident statuses of the console API. */
const incidentStatusSchema = z.enum(['open', 'investigating', 'contained', 'eradicated', 'recovered', 'closed'])

const entitySchema = z.strictObject({
  type: z.enum(['host', 'user', 'ip']),
  /** In small letters. */
  value: z.string(),
  alert_count: z.int(),
  /** The times of the first and the last event of these alerts. */
  first_seen: instant,
  last_seen: instant,
})

const incidentSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  severity: consoleLevelSchema,
  /** `info` on incidents of informational alerts, for which the console API has no severity. */
  severity_raw: z.literal('info').optional(),
  /** Whether a user set the severity; else it is the highest of the alerts. */
  severity_set: z.boolean(),
  status: incidentStatusSchema,
  assignee: z.string().nullable(),
  /** What opened it: a user, a program, a correlation rule, or alerts with something in common. */
  origin: z.enum(['user', 'api', 'rule', 'grouping']),
  alert_count: z.int(),
  /** When its first and last alert arrived; null without alerts. */
  first_alert_at: instant.nullable(),
  last_alert_at: instant.nullable(),
  /** The times of the first and the last event of its alerts, which may be long before these arrived; null without alerts. */
  first_event_at: instant.nullable(),
  last_event_at: instant.nullable(),
  /** The union of its alerts, in the order of ATT&CK. */
  [mitreKey]: z.strictObject({ tactics: z.array(z.string()), techniques: z.array(z.string()) }),
  /** Hosts, users and addresses of most alerts. */
  entities: z.array(entitySchema),
  /** A sentence made of the above. */
  ai_summary: z.string(),
  ai_summary_source: z.literal('template'),
  resolution_note: z.string(),
  /** The incident that has its alerts since a merge. */
  merged_into: z.string().nullable(),
  /** When it is due by the response target of its severity, and whether that was kept; null without a target. */
  sla: slaSchema.nullable(),
  created_at: instant,
  updated_at: instant,
  closed_at: instant.nullable(),
  reopened_at: instant.nullable(),
})
export type IncidentBody = z.infer<typeof incidentSchema>

export const incidentListSchema = z.strictObject({ incidents: z.array(incidentSchema), ...largeListSchema })
export type IncidentListBody = z.infer<typeof incidentListSchema>

export const incidentCommentSchema = z.strictObject({
  id: z.string(), incident_id: z.string(), author: z.string(), content: z.string(), created_at: instant,
})
export type IncidentCommentBody = z.infer<typeof incidentCommentSchema>

/** Oldest first. */
export const incidentCommentsSchema = z.strictObject({ comments: z.array(incidentCommentSchema) })

const timelineEntrySchema = z.strictObject({
  /** The number among the entries of the incident, from 1. */
  number: z.int(),
  at: instant,
  /** The email of a user, `apikey:<name>`, or a part of the server. */
  actor: z.string(),
  action: z.enum([
    'created', 'title_changed', 'description_changed', 'status_changed', 'severity_changed', 'assignee_changed', 'resolution_noted',
    'commented', 'alert_added', 'alert_removed', 'merged_from', 'merged_into', 'split_from', 'split_into', 'response_action', 'delivery',
  ]),
  /** Facts about the action, such as `from` and `to` of a change. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.array(z.string())])),
})
export type TimelineEntryBody = z.infer<typeof timelineEntrySchema>

export const incidentTimelineSchema = z.strictObject({ timeline: z.array(timelineEntrySchema), ...largeListSchema })
export type IncidentTimelineBody = z.infer<typeof incidentTimelineSchema>

/** An incident with what belongs to it. */
export const incidentDetailSchema = z.strictObject({
  ...incidentSchema.shape,
  /** The alerts whose events came last, these first; `alert_count` counts them all. */
  related_alerts: z.array(alertSchema),
  /** The assets that its hosts are. */
  affected_assets: z.array(z.strictObject({
    id: z.string(), hostname: z.string(), criticality: z.string(), risk_score: z.number(),
  })),
  /** What playbooks did about it. */
  response_actions: z.array(z.strictObject({
    id: z.string(), type: z.string(), status: z.string(), requested_by: z.string(), at: instant, result: z.string(),
  })),
  /** Oldest first. */
  comments: z.array(incidentCommentSchema),
  /** The last entries, oldest first; `/timeline` has all of them. */
  timeline: z.array(timelineEntrySchema),
})
export type IncidentDetailBody = z.infer<typeof incidentDetailSchema>

/** Query parameters of the incident list. */
export const incidentListQuerySchema = z.object({
  severity: listParameter(consoleLevelSchema).optional(),
  status: listParameter(incidentStatusSchema).optional(),
  assignee: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  ...listParameters,
})

/** Query parameters of a timeline. */
export const timelineQuerySchema = z.object({ ...listParameters })

const title = z.string().trim().min(1).max(titleLengthMax)
const longText = z.string().trim().max(textLengthMax)
const assignee = z.string().max(limits.auth.emailLengthMax)
const comment = z.string().trim().min(1).max(commentLengthMax, `must have at most ${commentLengthMax} characters`)
const ids = z.array(z.string().min(1).max(limits.push.idLengthMax)).min(1).max(namedMax)

/** A new incident; without a severity it has the highest of its alerts. */
export const newIncidentSchema = z.strictObject({
  title,
  description: longText.default(''),
  severity: consoleLevelSchema.optional(),
  assignee: assignee.nullable().optional(),
  /** Alerts that are in no incident. */
  alert_ids: z.array(z.string().min(1).max(limits.push.idLengthMax)).max(namedMax).default([]),
})

/** Changeable attributes of an incident. */
export const incidentPatchSchema = z
  .strictObject({
    title: title.optional(),
    description: longText.optional(),
    status: incidentStatusSchema.optional(),
    /** Null: the highest of its alerts. */
    severity: consoleLevelSchema.nullable().optional(),
    /** The email address of an active user; null removes the assignee. */
    assignee: assignee.nullable().optional(),
    resolution_note: longText.optional(),
    /** A comment to add. */
    comment: comment.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must contain at least one change')

export const newIncidentCommentSchema = z.strictObject({ content: comment })

/** Alerts that are in no incident. */
export const incidentAlertsSchema = z.strictObject({ alert_ids: ids })

/** Incidents that are merged into another. */
export const incidentMergeSchema = z.strictObject({ incident_ids: ids })

/** Alerts that become an incident of their own. */
export const incidentSplitSchema = z.strictObject({ alert_ids: ids, title: title.optional() })
