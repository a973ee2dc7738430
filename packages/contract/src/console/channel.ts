import { z } from 'zod'
import { limits } from '../limits.ts'
import { largeListSchema, listParameters } from '../list.ts'
import { listParameter } from '../page.ts'

const instant = z.iso.datetime()
const {
  nameLengthMax, urlLengthMax, secretLengthMax, templateLengthMax, certificateLengthMax, recipientsMax, hostLengthMax, channelsOfRouteMax,
  minutesMax,
} = limits.channels
const eventSchema = z.enum([
  'alert.created', 'alert.updated', 'incident.created', 'incident.updated', 'collector.disconnected', 'collector.connected',
  'connector.unhealthy', 'rule.disabled',
])
const severitySchema = z.enum(['critical', 'high', 'medium', 'low', 'info'])
const languageSchema = z.enum(['en', 'ko'])
const name = z.string('must be a string').trim().min(1, 'must not be empty').max(nameLengthMax)
const url = z.url({ protocol: /^https?$/, error: 'must be like https://host/path' }).max(urlLengthMax)
const secret = z.string().min(1).max(secretLengthMax)
const senderPattern = /^(?:[^<>@\r\n"]*<[^\s<>@"]+@[^\s<>@"]+>|[^\s<>@"]+@[^\s<>@"]+)$/
/** An address alone, or with a name: `SOC <soc@example.org>`. */
const sender = z.string().max(limits.auth.emailLengthMax + nameLengthMax)
  .refine((text) => senderPattern.test(text), 'must be like soc@example.org or SOC <soc@example.org>')

const emailSettings = z.strictObject({
  type: z.literal('email'),
  host: z.string().min(1).max(hostLengthMax).regex(/^[\w.:-]+$/, 'must be a host name or an address'),
  port: z.int().min(1).max(65_535).default(587),
  /** `starttls` and `tls` never fall back to a connection in the clear. */
  security: z.enum(['starttls', 'tls', 'none']).default('starttls'),
  /** Empty for a server without authentication. */
  username: z.string().max(nameLengthMax * 3).default(''),
  from: sender,
  to: z.array(z.email().max(limits.auth.emailLengthMax)).min(1).max(recipientsMax),
  /** A certificate in PEM that signs that of the server, where no public authority does; empty otherwise. */
  ca_certificate: z.string().max(certificateLengthMax).default(''),
})
const webhookSettings = z.strictObject({
  type: z.literal('webhook'),
  /** JSON with placeholders such as `{{title}}` inside strings; empty for the usual body. */
  template: z.string().max(templateLengthMax).default(''),
})
const pagerSettings = z.strictObject({
  type: z.literal('pagerduty'), url: url.default('https://events.pagerduty.com/v2/enqueue'),
})
const settingsSchema = z.discriminatedUnion('type', [
  emailSettings, z.strictObject({ type: z.literal('slack') }), z.strictObject({ type: z.literal('teams') }), webhookSettings, pagerSettings,
])
/** As they are shown: an erasure may have removed the last recipient. */
const shownSettingsSchema = z.discriminatedUnion('type', [
  emailSettings.extend({ to: z.array(z.string()) }), z.strictObject({ type: z.literal('slack') }),
  z.strictObject({ type: z.literal('teams') }), webhookSettings, pagerSettings,
])

/** Secrets are written, never read: `url` of Slack, Teams and webhooks, `password` of mail, `routing_key` of PagerDuty. */
const secretsSchema = z.strictObject({
  url: url.optional(), password: secret.optional(), authorization: secret.regex(/^[\x20-\x7E]+$/, 'must be one line of ASCII').optional(),
  routing_key: secret.optional(),
})

/** Where notifications go. */
export const channelSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  settings: shownSettingsSchema,
  /** The secrets that are set. */
  secrets: z.array(z.enum(['url', 'password', 'authorization', 'routing_key'])),
  language: languageSchema,
  enabled: z.boolean(),
  /** Of the last message that arrived; null before the first. */
  last_delivery_at: instant.nullable(),
  /** Notifications that found too many waiting. */
  skipped_count: z.int(),
  created_at: instant,
  updated_at: instant,
})
export type ChannelBody = z.infer<typeof channelSchema>

export const channelListSchema = z.strictObject({ channels: z.array(channelSchema) })

export const newChannelSchema = z.strictObject({
  name, settings: settingsSchema, secrets: secretsSchema.default({}), language: languageSchema.default('en'),
  enabled: z.boolean().default(true),
})
export type NewChannelBody = z.output<typeof newChannelSchema>

/** Secrets that are omitted stay; the type of a channel stays. */
export const channelPatchSchema = z.strictObject({
  name, settings: settingsSchema, secrets: secretsSchema, language: languageSchema, enabled: z.boolean(),
}).partial().refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

/** A message on its way to a channel, with its last attempt. */
export const channelDeliverySchema = z.strictObject({
  id: z.string(),
  channel_id: z.string(),
  /** Null for a message that no route made. */
  route_id: z.string().nullable(),
  reason: z.enum(['event', 'escalation', 'test', 'playbook', 'report']),
  status: z.enum(['pending', 'delivered', 'failed', 'canceled']),
  title: z.string(),
  /** What it tells of. */
  notice_count: z.int(),
  /** Attempts made so far. */
  attempt: z.int(),
  /** The code of an HTTP or SMTP response; null where none came. */
  response_code: z.int().nullable(),
  duration_ms: z.int().nullable(),
  error: z.string().nullable(),
  next_attempt_at: instant.nullable(),
  last_attempt_at: instant.nullable(),
  created_at: instant,
  /** The beginning of the last response. */
  response_snippet: z.string(),
})
export type ChannelDeliveryBody = z.infer<typeof channelDeliverySchema>

export const channelDeliveryListSchema = z.strictObject({ deliveries: z.array(channelDeliverySchema), ...largeListSchema })
export const channelDeliveryListQuerySchema = z.strictObject({
  status: listParameter(channelDeliverySchema.shape.status).optional(),
  reason: listParameter(channelDeliverySchema.shape.reason).optional(),
  ...listParameters,
})

const filterSchema = z.custom<{ readonly [name: string]: unknown }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be a filter expression',
).meta({ type: 'object' })
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be like 22:00')
const channelIds = z.array(z.string().min(1).max(limits.push.idLengthMax)).min(1).max(channelsOfRouteMax)

/** Hours in the tenant's time zone in which notifications are held; the range may pass midnight. */
const quietHoursSchema = z.strictObject({
  from: timeOfDay,
  to: timeOfDay,
  /** Days on which it begins, 1 for Monday to 7 for Sunday. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7).default([1, 2, 3, 4, 5, 6, 7]),
  /** Severities that are sent all the same. */
  except_severities: z.array(severitySchema).max(5).default([]),
}).refine(({ from, to }) => from !== to, 'must not end when they begin')

const minutes = z.int().min(0).max(minutesMax)
const routeFields = {
  name,
  events: z.array(eventSchema).min(1).max(eventSchema.options.length),
  /** A filter expression of the list of alerts or incidents; null for all. Then all events are about the same. */
  filter: filterSchema.nullable(),
  channel_ids: channelIds,
  quiet_hours: quietHoursSchema.nullable(),
  /** Minutes after a message in which events are collected for the next one; 0 for none. */
  throttle_minutes: minutes,
  /** Minutes for which events are collected in one message; 0 for one message each. */
  digest_minutes: minutes,
  /** Who else is notified of an alert or incident that is still open. */
  escalation: z.strictObject({ after_minutes: minutes.min(1), channel_ids: channelIds }).nullable(),
  enabled: z.boolean(),
}

/** Which events go to which channels, and when. */
export const channelRouteSchema = z.strictObject({ id: z.string(), ...routeFields, created_at: instant, updated_at: instant })
export type ChannelRouteBody = z.infer<typeof channelRouteSchema>

export const channelRouteListSchema = z.strictObject({ routes: z.array(channelRouteSchema) })

export const newChannelRouteSchema = z.strictObject({
  ...routeFields, filter: routeFields.filter.default(null), quiet_hours: routeFields.quiet_hours.default(null),
  throttle_minutes: minutes.default(0), digest_minutes: minutes.default(0), escalation: routeFields.escalation.default(null),
  enabled: z.boolean().default(true),
})
export type NewChannelRouteBody = z.output<typeof newChannelRouteSchema>

export const channelRoutePatchSchema = z.strictObject(routeFields).partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')
