import { getBucketStart, resolutions } from '@tripline/model/metric'
import type { CounterName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import type { LabelSum } from '@tripline/state/ports/metric-store'
import type { Metrics } from './metrics.ts'

const dayMs = 86_400_000

/** Sums a counter per label over the last 24 hours, to five minutes, largest first. */
export async function getLast24hCounts(
  { metrics: { recorder, store, clock } }: { readonly metrics: Pick<Metrics, 'clock' | 'recorder' | 'store'> },
  tenant: TenantId,
  { name, limit }: { readonly name: CounterName; readonly limit: number },
): Promise<readonly LabelSum[]> {
  await recorder.refresh(tenant)
  const at = clock.now()
  const from = getBucketStart(at - dayMs, resolutions.fiveMinutes)
  return await store.sums(tenant, { name, resolution: 'fiveMinutes', from, to: at + 1, limit })
}
