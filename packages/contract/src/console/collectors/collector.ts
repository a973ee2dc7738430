import { z } from 'zod'
import { limits } from '../../limits.ts'
import { largeListSchema, listParameters } from '../../list.ts'
import { instantParameter, listParameter } from '../../page.ts'
import { connectorStatusSchema } from '../sources/connector.ts'

const { nameLengthMax, textLengthMax, errorLengthMax, sourcesMax } = limits.collectors
const statusSchema = z.enum(['pending', 'online', 'degraded', 'offline', 'retired'])
const instant = z.iso.datetime()

/** An installed agent, as lists show it. */
const collectorSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  hostname: z.string(),
  /** `pending`: enrolled and never heard; `offline`: not heard for 90 s; `retired`: revoked. */
  status: statusSchema,
  /** The version of the agent. */
  version: z.string(),
  os: z.string(),
  os_family: z.string(),
  last_seen: instant.nullable(),
  /** Events that were accepted and are no repetitions: in all, and over the last minute. */
  events_ingested: z.int(),
  events_per_second: z.number(),
  uptime_hours: z.number(),
  created_at: instant,
  updated_at: instant,
})
export type CollectorBody = z.infer<typeof collectorSchema>

/** A collector with its last report. */
export const collectorDetailSchema = collectorSchema.extend({
  health: z.strictObject({
    cpu_percent: z.number().nullable(),
    memory_mb: z.number().nullable(),
    last_error: z.string().nullable(),
    config_version: z.string().nullable(),
    /** Milliseconds by which its clock is ahead of the server's. */
    clock_skew_ms: z.int().nullable(),
  }),
  sources: z.array(z.strictObject({
    name: z.string(), type: z.string(), status: connectorStatusSchema, events_per_second: z.number(), last_event_at: instant.nullable(),
    last_error: z.string().nullable(),
  })),
  buffer: z.strictObject({
    events: z.int(), bytes: z.int(), capacity_bytes: z.int(), oldest_event_at: instant.nullable(), dropped_total: z.int(),
  }),
})
export type CollectorDetailBody = z.infer<typeof collectorDetailSchema>

export const collectorListSchema = z.strictObject({ collectors: z.array(collectorSchema), ...largeListSchema })
export const collectorListQuerySchema = z.strictObject({ status: listParameter(statusSchema).optional(), ...listParameters })

const name = z.string('must be a string').trim().min(1, 'must not be empty')
  .max(nameLengthMax, `must have at most ${nameLengthMax} characters`)
const text = z.string('must be a string').max(textLengthMax, `must have at most ${textLengthMax} characters`)

export const collectorPatchSchema = z.strictObject({ name })

/** A token for one collector; its name is the host name where none is stated. */
export const newEnrolmentTokenSchema = z.strictObject({ name: name.optional() })
export const enrolmentTokenSchema = z.strictObject({ token: z.string(), expires_at: instant })

const hostname = text.min(1, 'must not be empty')
/** What an agent sends to enrol. */
export const enrolmentSchema = z.object({ token: text, hostname, version: text, os: text, os_family: text })
/** The credential is shown only now: the agent sends events and heartbeats with it. */
export const enrolledSchema = z.strictObject({
  collector_id: z.string(), name: z.string(), credential: z.string(), heartbeat_interval_seconds: z.int(),
})

const count = z.int().min(0)
const rate = z.number().min(0)
const shortError = z.string().max(errorLengthMax).nullable().default(null)
const at = instantParameter.nullable().default(null)

/** The state of an agent. Fields that this server does not know are ignored: the agent may be newer. */
export const heartbeatSchema = z.object({
  version: text,
  hostname,
  os: text,
  os_family: text,
  uptime_seconds: rate,
  /** The agent's clock. */
  sent_at: at,
  health: z.object({
    cpu_percent: rate.nullable().default(null), memory_mb: rate.nullable().default(null), last_error: shortError,
    config_version: text.nullable().default(null),
  }).default({ cpu_percent: null, memory_mb: null, last_error: null, config_version: null }),
  sources: z.array(z.object({
    name: text, type: text, status: connectorStatusSchema, events_per_second: rate, last_event_at: at, last_error: shortError,
    /** What the source read since the agent started; older agents do not report it. */
    counts: z.object({ events: count, bytes: count, dropped: count }).optional(),
  })).max(sourcesMax, `must have at most ${sourcesMax} sources`),
  buffer: z.object({ events: count, bytes: count, capacity_bytes: count, oldest_event_at: at, dropped_total: count }),
})
export type HeartbeatBody = z.output<typeof heartbeatSchema>

export const heartbeatReplySchema = z.strictObject({
  status: statusSchema,
  server_time: instant,
  heartbeat_interval_seconds: z.int(),
  /** Sources that must not run, and why. */
  refused_sources: z.array(z.strictObject({ name: z.string(), reason: z.enum(['plan']) })),
})
