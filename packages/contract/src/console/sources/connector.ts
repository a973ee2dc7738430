import { z } from 'zod'
import { limits } from '../../limits.ts'

export const connectorTypeSchema = z.enum([
  'syslog', 'http_ndjson', 'elastic_bulk', 'splunk_hec', 'otlp_http', 'http_poll', 'file', 'kafka', 'nats',
  'vulnerability_scanner', 'taxii', 'csv_feed', 'journald',
])
export const connectorStatusSchema = z.enum(['pending', 'healthy', 'degraded', 'unhealthy', 'disabled'])

/** The id that stands for a connector that is not stored. */
export const newConnectorId = 'new'

const instant = z.iso.datetime()

/** Settings by key, with `********` for secrets. */
const config = z.record(z.string(), z.unknown())

export const connectorSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: connectorTypeSchema,
  status: connectorStatusSchema,
  enabled: z.boolean(),
  health: z.strictObject({ last_check: instant.nullable(), message: z.string(), consecutive_failures: z.int() }),
  stats: z.strictObject({
    events_received_total: z.int(),
    events_failed_total: z.int(),
    bytes_received_total: z.int(),
    /** Over the last minute. */
    events_per_second: z.number(),
    last_event_at: instant.nullable(),
    /** Events a second in each half minute of the last 15 minutes, the one under way last; absent for sources of collectors. */
    events_per_second_15m: z.array(z.number()).optional(),
    /** The percentage of the events of these 15 minutes that failed. Absent likewise. */
    error_rate_15m: z.number().optional(),
    /**
     * Seconds since a poll last read all that the source had: what is newer is not here yet. Null before the first such poll since the
     * server started or the settings changed, and of what is not polled: senders and brokers do not tell how far they are.
     */
    lag_seconds: z.int().nullable(),
    /**
     * Seconds between the time that its newest event states and the arrival of that, 0 where it states a later one. Null without an
     * event of the last 15 minutes, and where it states no time.
     */
    delay_seconds: z.int().nullable(),
  }),
  config,
  /** For a source that a collector runs: it is configured there, and cannot be changed here. */
  managed_by: z.literal('collector').optional(),
  collector_id: z.string().optional(),
  created_at: instant,
  updated_at: instant,
})
export type ConnectorBody = z.infer<typeof connectorSchema>

export const connectorListSchema = z.strictObject({ connectors: z.array(connectorSchema) })

/** A new connector; for push connectors with URL and token, which are shown only once. */
export const newConnectorSchema = connectorSchema.extend({
  ingest: z.strictObject({ url: z.string(), token: z.string() }).optional(),
})
export type NewConnectorBody = z.infer<typeof newConnectorSchema>

const checkSchema = z.strictObject({
  type: z.enum(['connectivity', 'authentication', 'data_flow']),
  status: z.enum(['pass', 'warn', 'fail', 'skip']),
  message: z.string(),
  /** For connectivity. */
  latency_ms: z.int().optional(),
  /** For data flow. */
  events_in_last_minute: z.int().optional(),
})
export type ConnectorCheckBody = z.infer<typeof checkSchema>

export const connectorHealthSchema = z.strictObject({
  connector_id: z.string(),
  status: connectorStatusSchema,
  last_check: instant.nullable(),
  checks: z.array(checkSchema),
  /** Status changes, newest first. */
  history: z.array(z.strictObject({ timestamp: instant, status: connectorStatusSchema })),
})
export type ConnectorHealthBody = z.infer<typeof connectorHealthSchema>

export const connectorTestSchema = z.strictObject({
  /** Null for a connector that is not stored. */
  connector_id: z.string().nullable(),
  status: connectorStatusSchema,
  checks: z.array(checkSchema),
  tested_at: instant,
  duration_ms: z.int(),
  /** First events of the source, if it sent any. */
  sample: z.array(z.record(z.string(), z.unknown())).optional(),
})
export type ConnectorTestBody = z.infer<typeof connectorTestSchema>

const name = z.string('must be a string').trim().min(1, 'must not be empty')
  .max(limits.connector.nameLengthMax, `must have at most ${limits.connector.nameLengthMax} characters`)
const isEnabled = z.boolean('must be true or false')
/** The allowed settings depend on type and stored settings, and are checked once both are known. */
const settings = z.record(z.string(), z.unknown(), 'must be an object')
/** The types that this server runs; the others are known for connectors that earlier releases stored. */
export const runningTypes = [
  'http_ndjson', 'elastic_bulk', 'splunk_hec', 'otlp_http', 'http_poll', 'syslog', 'vulnerability_scanner', 'kafka', 'nats', 'taxii',
  'csv_feed',
] as const
const runningNames = `one of ${runningTypes.join(', ')}`
const type = z.enum(runningTypes, {
  error: ({ input }) => {
    const { data: known } = connectorTypeSchema.safeParse(input)
    return (known && findRunProblem(known)) ?? `must be ${runningNames}`
  },
})

/** Why connectors of a type cannot be enabled, and what to use instead; undefined for those that run. */
export function findRunProblem(known: string): string | undefined {
  if (runningTypes.some((running) => running === known)) return undefined
  return `connectors of type '${known}' do not run on this server; use ${runningNames}`
}

export const newConnectorBodySchema = z.strictObject({
  name,
  type,
  enabled: isEnabled.default(true),
  config: settings,
})

export const connectorChangeBodySchema = z.strictObject({
  name: name.optional(),
  enabled: isEnabled.optional(),
  config: settings.optional(),
})

export const connectorTestBodySchema = z.strictObject({ type: type.optional(), config: settings.optional() })
