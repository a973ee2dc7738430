import type { PoolCounts, RuleHead } from '@tripline/pool'
import type { Context } from './context.ts'
import type { VerdictCounts } from './load-rules.ts'

/** What a run of `detect` adds up besides what engines count. */
export type Totals = {
  readonly malformed: number
  readonly rulesMatched: ReadonlySet<RuleHead>
  /** Time to parse and match events, of all threads together. */
  readonly matchMs: number
}

/** Says that events of unknown logsource were matched by no rule, and how to change that. */
export function hintUnrouted({ events, unrouted }: PoolCounts, { stderr }: Context): void {
  if (unrouted === 0) return
  stderr.write(`tripline: ${unrouted} of ${events} events have no known logsource and were tried with no rule; `
    + `name it in their field _logsource, or try every rule with --lenient\n`)
}

type Stats = {
  readonly counts: PoolCounts
  readonly totals: Totals
  readonly verdicts: VerdictCounts
  readonly wallMs: number
}

/** Prints the counts and times of a run as one line of JSON. */
export function reportStats({ counts, totals, verdicts, wallMs }: Stats, { stderr }: Context): void {
  stderr.write(JSON.stringify({
    events: counts.events,
    malformed: totals.malformed,
    rules: verdicts,
    matches: counts.matches,
    rules_matched: totals.rulesMatched.size,
    unrouted: counts.unrouted,
    match_ms: rounded(totals.matchMs),
    wall_ms: rounded(wallMs),
  }) + '\n')
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
