import type { DeduplicatorTotals } from '../stages/deduplicate.ts'
import type { DetectTotals } from '../tenants/tenant-detector.ts'

/**
 * The accounting of a tenant's events since its creation: accepted = evaluated + quarantined + deduplicated + inFlight + lost
 * (docs/reference/promises.md).
 */
export type EventAccounting = {
  readonly accepted: number
  readonly evaluated: number
  /** By reason. */
  readonly quarantined: ReadonlyMap<string, number>
  readonly deduplicated: number
  readonly inFlight: number
  /** Accepted events whose bytes were corrupted before they were evaluated. */
  readonly lost: number
  /** Events that came too late for correlations, and correlation state evicted for space. */
  readonly late: number
  readonly stateEvicted: number
}

/** Computes the accounting of a tenant from the accepted events and the totals of the two stages that settle them. */
export function computeAccounting(accepted: number, unique: DeduplicatorTotals, detected: DetectTotals): EventAccounting {
  const { evaluated, late, stateEvicted } = detected
  const { deduplicated } = unique
  const quarantined = new Map(unique.quarantined)
  for (const [reason, count] of detected.quarantined) quarantined.set(reason, (quarantined.get(reason) ?? 0) + count)
  const settled = evaluated + deduplicated + [...quarantined.values()].reduce((sum, count) => sum + count, 0)
  // A repeated message may be lost when its event was evaluated before.
  const lost = Math.max(0, Math.min(unique.lost + detected.lost, accepted - settled))
  return { accepted, evaluated, quarantined, deduplicated, lost, inFlight: accepted - settled - lost, late, stateEvicted }
}
