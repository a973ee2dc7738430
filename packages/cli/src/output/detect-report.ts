import type { CorrelationCounts, Level } from '@tripline/engine'
import type { PoolCounts } from '@tripline/pool'
import type { Context } from '../framework/context.ts'
import type { LoadVerdictCounts } from '../rules/load-rules.ts'

/** What a run of `detect` adds up besides what engines count. */
export type Totals = {
  readonly malformed: number
  readonly rulesMatched: ReadonlySet<{ readonly level: Level | undefined }>
  /** Matches that were printed, or would have been. */
  readonly matchCount: number
  /** Time to parse and match events, of all threads together. */
  readonly matchMs: number
}

/** Says that events of unknown logsource were matched by no rule, and how to change that. */
export function hintUnrouted({ events, unrouted }: PoolCounts, { stderr }: Context): void {
  if (unrouted === 0) return
  stderr.write(`tripline: ${unrouted} of ${events} events have no known logsource and were tried with no rule; `
    + `name it in their field _logsource, or try every rule with --lenient\n`)
}

/** Says which events could not be correlated, and how to change that. */
export function hintUncorrelated({ late, undated, ungrouped, evicted }: CorrelationCounts, { stderr }: Context): void {
  if (late > 0) {
    stderr.write(`tripline: ${late} events came later than --lateness allows and were not correlated\n`)
  }
  hintUndated(undated, { stderr })
  if (ungrouped > 0) stderr.write(`tripline: ${ungrouped} events lack a field that they would be grouped by\n`)
  if (evicted > 0) {
    stderr.write(`tripline: ${evicted} events or values of correlations were forgotten to bound memory; matches may be missing\n`)
  }
}

/** Says that events were correlated at a time that they do not state. */
export function hintUndated(undated: number, { stderr }: Pick<Context, 'stderr'>): void {
  if (undated > 0) stderr.write(`tripline: ${undated} events state no time and were correlated as of their arrival\n`)
}

type Stats = {
  readonly counts: PoolCounts
  readonly totals: Totals
  readonly verdicts: LoadVerdictCounts
  readonly correlation: CorrelationCounts | undefined
  readonly wallMs: number
}

/** Prints the counts and times of a run as one line of JSON. */
export function reportStats({ counts, totals, verdicts, correlation, wallMs }: Stats, { stderr }: Context): void {
  stderr.write(JSON.stringify({
    events: counts.events,
    malformed: totals.malformed,
    rules: verdicts,
    matches: totals.matchCount,
    rules_matched: totals.rulesMatched.size,
    unrouted: counts.unrouted,
    ...(correlation && { correlation: toCorrelationStats(correlation) }),
    match_ms: round(totals.matchMs),
    wall_ms: round(wallMs),
  }) + '\n')
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

function toCorrelationStats(counts: CorrelationCounts): object {
  const { late, future, undated, ungrouped, unmeasured, evicted, degraded, groups } = counts
  return { late, future, undated, ungrouped, unmeasured, evicted, degraded, groups }
}
