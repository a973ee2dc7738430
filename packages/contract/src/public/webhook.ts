import { z } from 'zod'
import { limits } from '../limits.ts'
import { time, words } from './parameters.ts'
import { count, flag, instant, list, nullable, optional, plain, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { severities } from './vocabulary.ts'

const { nameLengthMax, urlLengthMax } = limits.webhooks

/** The same words in both profiles: they are in payloads and headers, too. */
const eventWord = z.enum([
  'alert.created', 'alert.updated', 'incident.created', 'incident.updated', 'collector.disconnected', 'collector.connected',
  'connector.unhealthy', 'rule.disabled',
])
const events = plain(eventWord)
const profile = plain(z.enum(['a', 'b']))
const filters = record({ severity: list(word(severities)) })

const entryFields = {
  id: text,
  name: text,
  url: text,
  events: list(events),
  filters,
  enabled: flag,
  profile,
  status: plain(z.enum(['active', 'disabled', 'disabled_by_failures', 'gone'])),
  created_at: instant,
  updated_at: instant,
  last_delivery_at: nullable(instant),
  failure_count: count,
  skipped_count: count,
} as const

/** A subscription to events. */
export const publicWebhook = record(entryFields)
export type PublicWebhook = ValueOf<typeof publicWebhook>

/** A webhook with its secret, which is shown when it is created and when it is rotated. */
export const publicWebhookWithSecret = record({ ...entryFields, secret: text })

const name = plain(z.string().trim().min(1).max(nameLengthMax))
const url = plain(z.string().max(urlLengthMax))
const someEvents = plain(z.array(eventWord).min(1))
const statedFilters = record({ severity: optional(list(word(severities))) })

/** A new webhook. Without a profile it gets the events in the words of the profile that registers it. */
export const newPublicWebhook = record({
  name, url, events: someEvents, filters: optional(statedFilters), profile: { shape: profile, missing: { a: 'a', b: 'b' } },
  enabled: optional(flag),
})

/** A change of a webhook. */
export const publicWebhookChange = record({
  name: optional(name), url: optional(url), events: optional(someEvents), filters: optional(statedFilters), profile: optional(profile),
  enabled: optional(flag),
})

/** One event on its way to a webhook, with its last attempt. */
export const publicDelivery = record({
  id: text,
  webhook_id: text,
  event_id: text,
  event: text,
  reason: plain(z.enum(['event', 'test', 'redelivery', 'replay'])),
  attempt: count,
  status: plain(z.enum(['pending', 'delivered', 'failed', 'canceled'])),
  http_status: nullable(count),
  duration_ms: nullable(count),
  error: nullable(text),
  next_attempt_at: nullable(instant),
  last_attempt_at: nullable(instant),
  created_at: instant,
  request_body: text,
  response_snippet: text,
})
export type PublicDelivery = ValueOf<typeof publicDelivery>

const statuses = { pending: { a: 'pending', b: 'pending' }, delivered: { a: 'delivered', b: 'delivered' },
  failed: { a: 'failed', b: 'failed' }, canceled: { a: 'canceled', b: 'canceled' } } as const

/** The filters of the log of deliveries. */
export const deliveryParameters = { status: words(statuses), from: time, to: time } as const

/** Which events are sent again. */
export const publicReplay = record({ from: time, to: time, events: optional(someEvents) })
export const publicReplayResult = record({ queued: count })
