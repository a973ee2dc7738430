import { z } from 'zod'
import { listParameter } from '../../page.ts'
import { alertStatusSchema, verdictSchema } from '../alert.ts'
import { surroundingsSchema } from '../event.ts'
import { consoleLevelSchema, ruleTestResultSchema } from '../rule.ts'

const instant = z.iso.datetime()

const contextPart = z.enum(['explain', 'entities', 'similar', 'around', 'rule', 'history'])

/** What to tell of an alert; all but `around` and `history` where it is not stated. */
export const alertContextQuerySchema = z.object({ include: listParameter(contextPart).optional() })

const verdictCounts = z.strictObject({
  true_positive: z.int(), false_positive: z.int(), benign: z.int(), unreviewed: z.int(),
})

const entityFields = {
  /** Open alerts with the same host or user. */
  open_alerts: z.int(),
  /** Verdicts of the newest 1,000 alerts of the same rule with it, this one not counted. */
  verdicts: verdictCounts,
}

/** Why an alert came, and what is known of what it is about; a part that was not asked for is absent. */
export const alertContextSchema = z.strictObject({
  alert_id: z.string(),
  rule: z.strictObject({
    id: z.string(),
    /** The version that raised the alert; null for alerts of earlier releases. */
    version: z.int().nullable(),
    /** The version of now; null for a rule that was removed. */
    current_version: z.int().nullable(),
    /** The text that raised the alert; null where it is not known any more. */
    definition: z.string().nullable(),
    description: z.string(),
    false_positives: z.array(z.string()),
    references: z.array(z.string()),
    /** Alerts of the rule in the last 24 hours. */
    alerts_last_24h: z.int(),
  }).optional(),
  explain: z.strictObject({
    /** The stored event that is explained; null where its id is not known. */
    event_id: z.string().nullable(),
    /** Whether it is explained by the rule as it was, or by the rule of now. */
    rule_as_it_was: z.boolean(),
    /** Null where nothing can be explained; `problem` has the reason. */
    result: ruleTestResultSchema.shape.results.element.nullable(),
    problem: z.string().nullable(),
  }).optional(),
  entities: z.strictObject({
    host: z.strictObject({
      name: z.string(), asset_id: z.string().nullable(), criticality: z.string(), os: z.string(), owner: z.string(), ...entityFields,
    }).nullable(),
    user: z.strictObject({
      name: z.string(), identity_id: z.string().nullable(), department: z.string(), is_privileged: z.boolean(), ...entityFields,
    }).nullable(),
  }).optional(),
  /** The newest other alerts of the same rule. */
  similar: z.array(z.strictObject({
    id: z.string(), severity: consoleLevelSchema, status: alertStatusSchema, verdict: verdictSchema, host: z.string(), user: z.string(),
    created_at: instant,
  })).optional(),
  /** The events 15 minutes before and after on the same host; null for an event that is not stored any more. */
  around: surroundingsSchema.nullable().optional(),
  /** What the audit trail has of it, oldest first: its last changes, also those of many alerts at once. */
  history: z.array(z.strictObject({
    at: instant,
    /** The email address of a user, `apikey:<name>`, or a part of the server. */
    actor: z.string(),
    /** `restored` takes a change of many alerts back. */
    action: z.enum(['changed', 'restored']),
    changes: z.array(z.strictObject({
      name: z.enum(['status', 'verdict', 'assignee', 'comment']),
      /** Null for none, and where only the new value is recorded. */
      from: z.string().nullable(),
      to: z.string().nullable(),
    })),
  })).optional(),
})
export type AlertContextBody = z.infer<typeof alertContextSchema>
