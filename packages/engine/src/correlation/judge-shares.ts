import { foldCase } from '../event/fold-case.ts'
import type { Correlation, FiringMode } from '../sigma/correlation.ts'
import type { ValueShare } from './aggregates/value-share.ts'
import type { Contribution } from './contribution.ts'
import { isFiring } from './firing-mode.ts'
import { areMet } from './group-condition.ts'
import { nanosPerMs } from './time/time-scale.ts'

type ShareContext = {
  readonly share: ValueShare | undefined
  readonly correlation: Correlation
  readonly mode: FiringMode
}

/** A value whose share makes a match. */
type FiredShare = { readonly value: number; readonly sharedValue: string }

/**
 * Looks at the share of each value that an event brought to a group, and notes what came of it: each value makes matches of
 * its own, so that the order of an event's values makes no difference.
 */
export function judgeShares(
  group: number, contributions: readonly Contribution[], { share, correlation, mode }: ShareContext,
): readonly FiredShare[] {
  const { condition, isCaseSensitive, timespanMs } = correlation
  if (share === undefined || condition.kind === 'formula') return []
  const { at } = contributions[0]!
  const timespan = timespanMs * nanosPerMs
  const values = contributions.map(({ value }) => String(value ?? ''))
  const distinct = new Map(values.toReversed().map((value) => [isCaseSensitive ? value : foldCase(value), value]))
  const fired: FiredShare[] = []
  for (const sharedValue of distinct.values()) {
    const found = share.shareOf(group, sharedValue)
    if (found === undefined) continue
    const { slot, share: percent } = found
    const [didHold, sinceMatch] = [share.isHeld(slot), at - share.firedAt(slot)]
    const holds = areMet(condition.thresholds, percent)
    share.setHeld(slot, holds)
    if (!holds || !isFiring(mode, { didHold, sinceMatch, timespan, isArrival: true, isOfFew: false })) continue
    share.setFired(slot, at)
    fired.push({ value: percent, sharedValue })
  }
  return fired
}
