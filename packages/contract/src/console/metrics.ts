import { z } from 'zod'
import { instantParameter } from '../page.ts'

export const intervalSchema = z.enum(['1m', '5m', '15m', '1h'])

/** The range of a series: the last hour by default, with an interval that suits the range. */
export const seriesQuerySchema = z.strictObject({
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  interval: intervalSchema.optional(),
})

const timestamp = z.iso.datetime()

/** The value of the bucket that begins at `timestamp`; 0 for an empty one. */
export const valuePointSchema = z.strictObject({ timestamp, value: z.number() })
export type ValuePoint = z.infer<typeof valuePointSchema>

/** Percentiles in milliseconds; null without measurements. */
export const latencyPointSchema = z.strictObject({
  timestamp,
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
})
export type LatencyPointBody = z.infer<typeof latencyPointSchema>

const values = z.array(valuePointSchema)

/** Metadata of series: the interval used, and ignored query parameters. */
export const seriesMetadataSchema = z.strictObject({ interval: intervalSchema, query_warnings: z.array(z.string()) })

export const connectorMetricsSchema = z.strictObject({
  connector_id: z.string(),
  metrics: z.strictObject({ events_received: values, events_failed: values, throughput_eps: values }),
  ...seriesMetadataSchema.shape,
})
export type ConnectorMetricsBody = z.infer<typeof connectorMetricsSchema>

export const pipelineSeriesSchema = z.strictObject({
  /** Events per second. */
  ingestion_rate: values,
  normalization_latency: z.array(latencyPointSchema),
  /** Events that could not be normalised, as they are in `/v1/pipeline/failures`. */
  normalization_failed: values,
  /** The time to evaluate an event by all rules. */
  evaluation_latency: z.array(latencyPointSchema),
  /** The time to enrich an alert. */
  enrichment_latency: z.array(latencyPointSchema),
  alerts_generated: values,
  /** Events that came too late for correlations, when they were evaluated; all else evaluates them. */
  late: values,
  /** Accepted events that no rule saw, when that was noticed: quarantined, or lost to corruption. */
  dropped: values,
  /** Events that connectors could not take: unreadable, refused, or more than allowed. */
  refused: values,
  /** By topic. */
  queue_consumer_lag: z.record(z.string(), values),
  ...seriesMetadataSchema.shape,
})
export type PipelineSeriesBody = z.infer<typeof pipelineSeriesSchema>
