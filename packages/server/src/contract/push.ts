import { z } from 'zod'
import { limits } from '../limits.ts'
import { alertStatusSchema, verdictSchema } from './alert.ts'
import { connectorStatusSchema } from './connector.ts'
import { consoleLevelSchema } from './rule.ts'

/** What a client may subscribe to, and the messages that it gets for it (D-30). */
export const pushTopics = {
  metrics: 'metrics_update',
  connector_health: 'connector_status_change',
  alerts: 'new_alert',
  alert_updates: 'alert_updated',
  incidents: 'incident_updated',
  search: 'tail_events',
} as const
export type PushTopic = keyof typeof pushTopics

export function isPushTopic(name: string): name is PushTopic {
  return Object.hasOwn(pushTopics, name)
}

/** What a client names a message or a live tail by; it is given back as it came. */
const pushIdSchema = z.union([z.string().min(1).max(limits.push.idLengthMax), z.number()])
export type PushId = z.infer<typeof pushIdSchema>

/** What a client says (section 6). Fields that are not known are passed over, as clients do with ours (G1). */
export const clientMessageSchema = z.object({
  action: z.enum(['subscribe', 'unsubscribe']),
  topics: z.array(z.string()),
  /** Asks for an answer, and names a live tail (D-32, D-33). */
  id: pushIdSchema.optional(),
  /** The id of the last alert that was seen, or an instant, from which alerts are replayed (D-34). */
  since: z.string().min(1).max(limits.push.sinceLengthMax).optional(),
  /** Of a live tail: a query, every event without one, and how many events a second are wanted at most. */
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

/** The field `data` of each message of the server, by its type: those of section 6, then ours. */
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
  new_alert: z.strictObject({ alert_id: z.string(), severity: consoleLevelSchema, rule_title: z.string(), host: z.string() }),
  alert_updated: z.strictObject({
    alert_id: z.string(),
    status: alertStatusSchema,
    verdict: verdictSchema,
    assignee: z.string().nullable(),
  }),
  incident_updated: z.strictObject({ incident_id: z.string(), status: z.string(), severity: z.string() }),
  /** Events of a live tail, in order, and how many that match were left out since the message before. */
  tail_events: z.strictObject({ id: pushIdSchema, events: z.array(z.record(z.string(), z.unknown())), dropped: z.int() }),
  /** The topics that the client is subscribed to now. */
  subscribed: z.strictObject({ id: pushIdSchema, topics: z.array(z.enum(Object.keys(pushTopics))) }),
  error: z.strictObject({
    code: z.enum(pushErrorCodes),
    message: z.string(),
    topics: z.array(z.string()).optional(),
    id: pushIdSchema.optional(),
    /** Where in the query the problem is, in UTF-16 units from 0. */
    position: z.int().optional(),
  }),
} as const
export type PushType = keyof typeof pushDataSchemas
export type PushData<Type extends PushType> = z.infer<(typeof pushDataSchemas)[Type]>

/** A message of the server, whatever its type (section 6). */
export const pushEnvelopeSchema = z.strictObject({
  type: z.enum(Object.keys(pushDataSchemas)),
  timestamp: z.iso.datetime(),
  data: z.unknown(),
})

export type PushEnvelope = z.infer<typeof pushEnvelopeSchema>

/** Where a token or a ticket may stand, beside the protocol `bearer` (D-36). */
export const connectQuerySchema = z.object({ token: z.string().optional() })

/** What opens one connection, within so many seconds (D-36). */
export const ticketSchema = z.strictObject({ ticket: z.string(), expires_in: z.int() })
export type TicketBody = z.infer<typeof ticketSchema>
