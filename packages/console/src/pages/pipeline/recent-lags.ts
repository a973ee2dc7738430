import type { PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import type { LagPoint } from './forecast-drain.ts'

/** The lag of each topic when it was read. */
export type LagSample = { readonly timestamp: string; readonly topics: PipelineMetricsBody['queue']['topics'] }

type Measured = Pick<PipelineMetricsBody, 'timestamp' | 'queue'>

/** What is older tells little of now. */
const keptMs = 60_000
/** Fewer samples may be of one moment. */
const samplesMin = 3

/** Adds a sample to those of the last minute, oldest first. */
export function addLags(before: readonly LagSample[], { timestamp, queue: { topics } }: Measured): readonly LagSample[] {
  const kept = before.filter((sample) => Date.parse(timestamp) - Date.parse(sample.timestamp) < keptMs)
  return [...kept, { timestamp, topics }]
}

/** The recent lags of a topic; without enough of them those of the stored series, which has one a minute. */
export function chooseLags(samples: readonly LagSample[], topic: string, stored: readonly LagPoint[]): readonly LagPoint[] {
  if (samples.length < samplesMin) return stored
  return samples.map(({ timestamp, topics }) => ({ timestamp, value: topics.find(({ name }) => name === topic)?.consumer_lag ?? 0 }))
}
