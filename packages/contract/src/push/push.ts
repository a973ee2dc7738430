import { z } from 'zod'
import { alertStatusSchema, verdictSchema } from '../console/alert.ts'
import { connectorStatusSchema } from '../console/sources/connector.ts'
import { consoleLevelSchema } from '../console/rule.ts'
import { limits } from '../limits.ts'

/** The topics that clients can subscribe to, and their message types. */
export const pushTopics = {
  metrics: 'metrics_update',
  connector_health: 'connector_status_change',
  alerts: 'new_alert',
  alert_updates: 'alert_updated',
  incidents: 'incident_updated',
  jobs: 'job_progress',
  search: 'tail_events',
} as const
export type PushTopic = keyof typeof pushTopics

export function isPushTopic(name: string): name is PushTopic {
  return Object.hasOwn(pushTopics, name)
}

/** A client's id of a message or live tail; returned unchanged. */
const pushIdSchema = z.union([z.string().min(1).max(limits.push.idLengthMax), z.number()])
export type PushId = z.infer<typeof pushIdSchema>

/** A message from a client. Unknown fields are ignored. */
export const clientMessageSchema = z.object({
  action: z.enum(['subscribe', 'unsubscribe']),
  topics: z.array(z.string()),
  /** Requests a reply, and identifies a live tail. */
  id: pushIdSchema.optional(),
  /** The id of the last message, from which messages are replayed; or that of an alert or a time, for alerts alone. */
  since: z.string().min(1).max(limits.push.sinceLengthMax).optional(),
  /** For a live tail: a query, empty for every event, and the maximum number of events per second. */
  params: z.object({
    query: z.string().default(''),
    sample: z.int().min(1).max(limits.push.tailEventsMax).default(limits.push.tailEventsMax),
  }).optional(),
})
export type ClientMessage = z.infer<typeof clientMessageSchema>

export const pushErrorCodes = [
  'GAP_TOO_LARGE', 'INVALID_MESSAGE', 'INVALID_QUERY', 'RATE_LIMITED', 'TOO_MANY_TAILS', 'UNKNOWN_TOPIC',
] as const
export type PushErrorCode = (typeof pushErrorCodes)[number]

/** The field `data` of each server message by type. */
export const pushDataSchemas = {
  metrics_update: z.strictObject({
    ingestion_rate: z.number(),
    normalization_latency_p99: z.number(),
    alerts_last_minute: z.int(),
    queue_consumer_lag_total: z.int(),
  }),
  connector_status_change: z.strictObject({
    connector_id: z.string(),
    old_status: connectorStatusSchema,
    new_status: connectorStatusSchema,
    message: z.string(),
  }),
  /** Enough to know whether the alert fits the filter of a list. */
  new_alert: z.strictObject({
    alert_id: z.string(),
    severity: consoleLevelSchema,
    rule_title: z.string(),
    host: z.string(),
    rule_id: z.string(),
    user: z.string(),
    source: z.string(),
    tactics: z.array(z.string()),
    status: alertStatusSchema,
    event_count: z.int(),
    created_at: z.iso.datetime(),
  }),
  alert_updated: z.strictObject({
    alert_id: z.string(),
    status: alertStatusSchema,
    verdict: verdictSchema,
    assignee: z.string().nullable(),
    /** The email address of the user who made the change; null where it is not known. */
    updated_by: z.string().nullable(),
    /** Matches of the alert; null for changes by an earlier release. */
    event_count: z.int().nullable(),
  }),
  incident_updated: z.strictObject({ incident_id: z.string(), status: z.string(), severity: z.string() }),
  /** Is not repeated: who missed it reads the job. */
  job_progress: z.strictObject({
    job: z.enum(['backtest', 'report', 'evidence']),
    id: z.string(),
    status: z.enum(['running', 'succeeded', 'failed', 'removed']),
    /** Percent. */
    progress: z.int().min(0).max(100),
  }),
  /** Events of a live tail in order, and how many matches were dropped since the previous message. */
  tail_events: z.strictObject({
    id: pushIdSchema,
    events: z.array(z.record(z.string(), z.unknown())),
    /** The ids of the events, in their order. */
    event_ids: z.array(z.string()),
    /** The products that they are of, in their order; empty where that is unknown. */
    sources: z.array(z.string()),
    /**
     * Rules that matched events of this message, or of one before: an event is evaluated beside being sent. A correlation names its
     * newest event.
     */
    matches: z.array(z.strictObject({ event_id: z.string(), rule_id: z.string(), rule_title: z.string() })),
    dropped: z.int(),
  }),
  /** The token of the connection expires at this time, which ends it: connect again with a new one. */
  session_ending: z.strictObject({ ends_at: z.iso.datetime() }),
  /** The current subscriptions of the client; what happens after that event is pushed to it. */
  subscribed: z.strictObject({ id: pushIdSchema, topics: z.array(z.enum(Object.keys(pushTopics))), last_event_id: z.string() }),
  error: z.strictObject({
    code: z.enum(pushErrorCodes),
    message: z.string(),
    topics: z.array(z.string()).optional(),
    id: pushIdSchema.optional(),
    /** Position of the problem in the query, in UTF-16 units from 0. */
    position: z.int().optional(),
  }),
} as const
export type PushMessageType = keyof typeof pushDataSchemas
export type PushData<Type extends PushMessageType> = z.infer<(typeof pushDataSchemas)[Type]>

/** Envelope of server messages. */
export const pushEnvelopeSchema = z.strictObject({
  type: z.enum(Object.keys(pushDataSchemas)),
  timestamp: z.iso.datetime(),
  /** Of messages about changes: the same if the message is repeated. */
  id: z.string().optional(),
  data: z.unknown(),
})

export type PushEnvelope = z.infer<typeof pushEnvelopeSchema>

/** Query parameter for a token or ticket, besides the subprotocol `bearer`. */
export const connectQuerySchema = z.object({ token: z.string().optional() })

/** A ticket that opens one connection, and its lifetime in seconds. */
export const ticketSchema = z.strictObject({ ticket: z.string(), expires_in: z.int() })
export type TicketBody = z.infer<typeof ticketSchema>
