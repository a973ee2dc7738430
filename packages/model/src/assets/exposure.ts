import { getRiskLevel } from '../enrichment/asset.ts'
import type { AssetFacts, RiskLevel } from '../enrichment/asset.ts'

/** What the band of a risk score asks for. */
type RiskAction = 'next_cycle' | 'within_30_days' | 'within_7_days' | 'immediate'

const dayMs = 86_400_000

/** For each band what to do, and how many milliseconds after the scan it is due; the lowest has no date. */
const bands: { readonly [level in RiskLevel]: { readonly action: RiskAction; readonly dueMs: number | undefined } } = {
  low: { action: 'next_cycle', dueMs: undefined },
  medium: { action: 'within_30_days', dueMs: 30 * dayMs },
  high: { action: 'within_7_days', dueMs: 7 * dayMs },
  critical: { action: 'immediate', dueMs: 0 },
}

export function getRiskAction(riskScore: number): RiskAction {
  return bands[getRiskLevel(riskScore)].action
}

/** When the risk of an asset must be treated: the time that its band allows after the scan that found it. */
export function getDueAt({ riskScore, lastScanAt }: Pick<AssetFacts, 'riskScore' | 'lastScanAt'>): number | undefined {
  const { dueMs } = bands[getRiskLevel(riskScore)]
  return lastScanAt === undefined || dueMs === undefined ? undefined : lastScanAt + dueMs
}

/** Ways in which an asset is a blind spot: it sends no events, or no scanner looks at it. */
const blindSpotKinds = ['no_logs', 'no_scan'] as const
export type BlindSpot = (typeof blindSpotKinds)[number]

/** Milliseconds after which an asset is a blind spot of each kind. */
export const blindSpotMs: { readonly [kind in BlindSpot]: number } = { no_logs: dayMs, no_scan: 7 * dayMs }

/** What is not seen of an asset: events for a day, scans for a week. One that never had any is a blind spot as well. */
export function listBlindSpots({ lastLogAt, lastScanAt }: Pick<AssetFacts, 'lastLogAt' | 'lastScanAt'>, at: number): readonly BlindSpot[] {
  const last = { no_logs: lastLogAt, no_scan: lastScanAt }
  return blindSpotKinds.filter((kind) => at - (last[kind] ?? -Infinity) > blindSpotMs[kind])
}
