import type { Readings } from '@tripline/compliance/signals/snapshot'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { GatherTerms } from './gather-terms.ts'

type AssetReadings = Pick<Readings, 'inventory' | 'logCoverage'> & { readonly scans: Readings['scans'] | undefined }

const dayMs = 86_400_000
/** Days after which a scan says nothing more, and after which a critical finding of a scan is overdue. */
const scanFreshMs = 30 * dayMs
const criticalDueMs = dayMs

/** Counts the assets of a tenant: those that report, have an owner, were scanned. Without any scan there is no reading of scans. */
export async function readAssets(
  { assets }: Pick<StateStore, 'assets'>, tenant: TenantId, { at, signal }: GatherTerms,
): Promise<AssetReadings> {
  const counts = { assets: 0, reporting: 0, owned: 0, scanned: 0, fresh: 0, overdueCriticals: 0 }
  for await (const chunk of assets.scan(tenant, {}, { signal })) {
    for (const { lastLogAt, lastScanAt, owner, vulnerabilities } of chunk) {
      counts.assets++
      if (lastLogAt !== undefined && lastLogAt >= at - dayMs) counts.reporting++
      if (owner !== '') counts.owned++
      if (lastScanAt === undefined) continue
      counts.scanned++
      if (lastScanAt >= at - scanFreshMs) counts.fresh++
      if (lastScanAt < at - criticalDueMs) counts.overdueCriticals += vulnerabilities.critical
    }
  }
  const { assets: total, reporting, owned, scanned, fresh, overdueCriticals } = counts
  return {
    logCoverage: { assets: total, reporting },
    inventory: { assets: total, owned },
    scans: scanned === 0 ? undefined : { assets: total, fresh, overdueCriticals },
  }
}
