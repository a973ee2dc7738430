import type { PipelineSourceListBody } from '@tripline/contract/console/pipeline'
import type { CounterName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { limits } from '../../limits.ts'
import { readSeriesRange } from '../../metrics/series-range.ts'
import type { MetricsDeps } from './metrics.ts'
import { roundToThousandth } from '../../http/round.ts'

/** A range of time, the last hour by default. */
type SourceRange = { readonly from: number | undefined; readonly to: number | undefined }

type Source = PipelineSourceListBody['sources'][number]

/**
 * Counts what each connector and each collector brought in a range, to the minute or to the length of what is stored of it; what
 * neither brought is one more source.
 *
 * @throws AppError INVALID_PARAMETER for an unsupported range.
 */
export async function listPipelineSources(
  { metrics }: MetricsDeps, tenant: TenantId, asked: SourceRange,
): Promise<Omit<PipelineSourceListBody, 'query_warnings'>> {
  const { meter, recorder, sources, store, clock } = metrics
  const { from, to, resolution } = readSeriesRange({ ...asked, interval: undefined }, clock.now())
  await recorder.refresh(tenant)
  const sums = async (name: CounterName): Promise<ReadonlyMap<string, number>> => {
    const found = await store.sums(tenant, { name, resolution, from, to, limit: limits.metrics.labelsMax })
    return new Map(found.map(({ label, sum }) => [label, sum]))
  }
  const [received, failed] = [await sums('connector_events_received'), await sums('connector_events_failed')]
  const rateOf = (name: CounterName, label?: string): number => roundToThousandth(meter.ratePerSecond(tenant, name, label))
  const collectors = (await sources.listCollectors(tenant)).map(({ id, name }) => ({ id, name, type: 'collector' }))
  const known = [...await sources.listConnectors(tenant), ...collectors].map(({ id, name, type }) => {
    const rate = rateOf('connector_events_received', id)
    return { id, name, type, events: received.get(id) ?? 0, events_failed: failed.get(id) ?? 0, events_per_second: rate }
  })
  const brought = known.reduce((sum, { events }) => sum + events, 0)
  const [accepted = 0] = (await sums('events_accepted')).values()
  // What was accepted is counted a moment after what connectors received.
  const total = Math.max(accepted, brought)
  const knownRate = known.reduce((sum, { events_per_second: rate }) => sum + rate, 0)
  const otherRate = Math.max(0, roundToThousandth(rateOf('events_accepted') - knownRate))
  const rest = { id: null, name: '', type: '', events: total - brought, events_failed: 0, events_per_second: otherRate }
  const all = [...known, ...(total > brought || otherRate > 0 ? [rest] : [])].map((source): Source => {
    return { ...source, share: total === 0 ? 0 : roundToThousandth((100 * source.events) / total) }
  })
  return {
    from: formatTimestamp(from), to: formatTimestamp(to), events: total,
    sources: all.toSorted((one, other) => other.events - one.events),
  }
}
