import { findingSeverities } from '@tripline/model/assets/finding'
import type { AssetFinding } from '@tripline/model/assets/finding'
import { getRiskLevel, riskLevels } from '@tripline/model/enrichment/asset'
import type { RiskLevel } from '@tripline/model/enrichment/asset'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'

/** Exact counts of the assets of a tenant and of the findings that are open on them. */
export type AssetCounts = {
  readonly total: number
  readonly scannedCount: number
  readonly ownedCount: number
  readonly byRisk: { readonly [level in RiskLevel]: number }
  readonly openBySeverity: { readonly [severity in AssetFinding['vulnerability']['severity']]: number }
}

type CountTerms = { readonly scannedSince: number; readonly signal: AbortSignal }

/** Counts in one pass over all assets: lists count exactly up to a number only, and each has the counts of its findings. */
export async function countAssets(
  { assets }: Pick<StateStore, 'assets'>, tenant: TenantId, { scannedSince, signal }: CountTerms,
): Promise<AssetCounts> {
  let [total, scannedCount, ownedCount] = [0, 0, 0]
  const byRisk = newCounts(riskLevels)
  const openBySeverity = newCounts(findingSeverities)
  for await (const chunk of assets.scan(tenant, {}, { signal })) {
    total += chunk.length
    for (const { owner, lastScanAt, riskScore, vulnerabilities } of chunk) {
      if (owner !== '') ownedCount++
      if (lastScanAt !== undefined && lastScanAt >= scannedSince) scannedCount++
      byRisk[getRiskLevel(riskScore)]++
      for (const severity of findingSeverities) openBySeverity[severity] += vulnerabilities[severity]
    }
  }
  return { total, scannedCount, ownedCount, byRisk, openBySeverity }
}

function newCounts<Name extends string>(names: readonly Name[]): { [name in Name]: number } {
  return Object.fromEntries(names.map((name) => [name, 0])) as { [name in Name]: number }
}
