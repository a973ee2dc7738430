import { z } from 'zod'
import { limits } from '../limits.ts'
import { largeListSchema, listParameters } from '../list.ts'
import { instantParameter, listParameter } from '../page.ts'

const subscribedEventSchema = z.enum([
  'alert.created', 'alert.updated', 'incident.created', 'incident.updated', 'collector.disconnected', 'collector.connected',
  'connector.unhealthy', 'rule.disabled',
])
const severitySchema = z.enum(['critical', 'high', 'medium', 'low', 'info'])
const statusSchema = z.enum(['active', 'disabled', 'disabled_by_failures', 'gone'])
const deliveryStatusSchema = z.enum(['pending', 'delivered', 'failed', 'canceled'])
const instant = z.iso.datetime()

/** A subscription to events; the severities narrow alerts and incidents, and none means all. */
export const webhookSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(subscribedEventSchema),
  filters: z.strictObject({ severity: z.array(severitySchema) }),
  enabled: z.boolean(),
  /** Words and key case of payloads: those of the integration API's profile A or B. */
  profile: z.enum(['a', 'b']),
  /** `disabled_by_failures`: five events in a row used up their attempts; `gone`: the receiver answered 410. */
  status: statusSchema,
  created_at: instant,
  updated_at: instant,
  /** Of the last event that arrived; null before the first. */
  last_delivery_at: instant.nullable(),
  /** Events in a row whose attempts were used up. */
  failure_count: z.int(),
  /** Events that found too many waiting; a replay sends them. */
  skipped_count: z.int(),
})
export type WebhookBody = z.infer<typeof webhookSchema>

/** A webhook with its signing secret, which is shown when it is created and when it is rotated. */
export const webhookWithSecretSchema = webhookSchema.extend({ secret: z.string() })
export type WebhookWithSecretBody = z.infer<typeof webhookWithSecretSchema>

export const webhookListSchema = z.strictObject({ webhooks: z.array(webhookSchema), ...largeListSchema })
export const webhookListQuerySchema = z.strictObject({ status: listParameter(statusSchema).optional(), ...listParameters })

const { nameLengthMax, urlLengthMax } = limits.webhooks
const name = z.string('must be a string').trim().min(1, 'must not be empty')
  .max(nameLengthMax, `must have at most ${nameLengthMax} characters`)
const url = z.string('must be a string').max(urlLengthMax, `must have at most ${urlLengthMax} characters`)
const events = z.array(subscribedEventSchema).min(1, 'must name at least one event')
const filters = z.strictObject({ severity: z.array(severitySchema).optional() })

/** A new webhook. */
export const newWebhookBodySchema = z.strictObject({
  name, url, events, filters: filters.optional(), profile: z.enum(['a', 'b']).optional(), enabled: z.boolean().default(true),
})
export type NewWebhookBody = z.output<typeof newWebhookBodySchema>

const changes = z.strictObject({ name, url, events, filters, profile: z.enum(['a', 'b']), enabled: z.boolean() })
export const webhookPatchSchema = changes.partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')
export type WebhookPatchBody = z.output<typeof webhookPatchSchema>

/** One event on its way to a webhook, with its last attempt. */
export const webhookDeliverySchema = z.strictObject({
  id: z.string(),
  webhook_id: z.string(),
  /** The `webhook-id` of its requests: the same on each attempt, and when it is sent again. */
  event_id: z.string(),
  event: z.enum([...subscribedEventSchema.options, 'webhook.test']),
  /** Why it was made. */
  reason: z.enum(['event', 'test', 'redelivery', 'replay']),
  /** Attempts made so far. */
  attempt: z.int(),
  status: deliveryStatusSchema,
  /** Null where no response came. */
  http_status: z.int().nullable(),
  duration_ms: z.int().nullable(),
  error: z.string().nullable(),
  next_attempt_at: instant.nullable(),
  last_attempt_at: instant.nullable(),
  created_at: instant,
  /** The payload, in the words of the webhook's profile. */
  request_body: z.string(),
  /** The beginning of the last response. */
  response_snippet: z.string(),
})
export type WebhookDeliveryBody = z.infer<typeof webhookDeliverySchema>

export const webhookDeliveryListSchema = z.strictObject({ deliveries: z.array(webhookDeliverySchema), ...largeListSchema })
export const webhookDeliveryListQuerySchema = z.strictObject({
  status: listParameter(deliveryStatusSchema).optional(), event: listParameter(webhookDeliverySchema.shape.event).optional(),
  ...listParameters,
})

/** Which events are sent again: those within `[from, to)`, of some types or of all that the webhook subscribes to. */
export const webhookReplayBodySchema = z.strictObject({ from: instantParameter, to: instantParameter, events: events.optional() })
export type WebhookReplayBody = z.output<typeof webhookReplayBodySchema>

export const webhookReplaySchema = z.strictObject({ queued: z.int() })
