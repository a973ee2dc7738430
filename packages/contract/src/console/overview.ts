import { z } from 'zod'
import { instantParameter } from '../page.ts'
import { consoleLevelSchema } from './rule.ts'

const instant = z.iso.datetime()

/** Query parameters of the overview; without them the last seven days. */
export const overviewQuerySchema = z.object({ from: instantParameter.optional(), to: instantParameter.optional() })

/** A number with that of the period of the same length before. */
const compared = { total: z.int(), previous: z.int() } as const

const bySeverity = z.strictObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int() })
/** Seconds on average, over the alerts that were answered in the period; null where none was. */
const answerTimeSchema = z.strictObject({ seconds: z.number().nullable(), previous_seconds: z.number().nullable(), count: z.int() })
const doneSchema = z.strictObject(compared)

/** What a customer wants to know of a period: what happened, what is open, and what was done about it. */
export const overviewSchema = z.strictObject({
  from: instant,
  to: instant,
  /** The time zone of the tenant, in which days begin. */
  timezone: z.string(),
  alert_volume: z.strictObject({
    ...compared,
    by_severity: bySeverity,
    /** Each begins with its local day; the first and the last may be a part of theirs. */
    days: z.array(z.strictObject({ time: instant, ...bySeverity.shape })),
  }),
  /** Incidents that are neither recovered nor closed: now, and at the beginning of the period. */
  active_incidents: z.strictObject({ ...compared, by_severity: bySeverity }),
  ingestion_health: z.strictObject({
    connectors: z.strictObject({
      pending: z.int(), healthy: z.int(), degraded: z.int(), unhealthy: z.int(), disabled: z.int(),
    }),
    /** Over the last hour of the period, and over the same hour a week before. */
    events_per_second: z.number(),
    events_per_second_week_before: z.number(),
    events: doneSchema,
    /** Enabled connectors without an event for a day, the longest silent first. */
    silent: z.array(z.strictObject({ id: z.string(), name: z.string(), last_event_at: instant.nullable() })),
  }),
  detection_trend: z.strictObject({
    matches: doneSchema,
    alerts: doneSchema,
    days: z.array(z.strictObject({ time: instant, matches: z.int(), alerts: z.int() })),
    tactics: z.array(z.strictObject({ tactic: z.string(), ...compared })),
  }),
  /** What needs an answer: unreviewed alerts that are high or critical, and findings past the date to remediate them. */
  waiting_for_you: z.strictObject({
    alerts: z.int(),
    overdue_findings: z.int(),
    /** The worst of the alerts; of one severity the newest first. */
    worst: z.array(z.strictObject({
      id: z.string(), title: z.string(), severity: consoleLevelSchema, host: z.string(), created_at: instant,
    })),
  }),
  mtta: answerTimeSchema,
  mttr: answerTimeSchema,
  /** What was done in the period. */
  provider_actions: z.strictObject({
    alerts_acknowledged: doneSchema,
    alerts_closed: doneSchema,
    incidents_opened: doneSchema,
    incidents_closed: doneSchema,
    rules_changed: doneSchema,
  }),
  query_warnings: z.array(z.string()),
})
export type OverviewBody = z.infer<typeof overviewSchema>
