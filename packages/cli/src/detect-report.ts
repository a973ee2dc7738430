import type { CompiledRule, Engine } from '@tripline/engine'
import type { Context } from './context.ts'
import type { VerdictCounts } from './load-rules.ts'

/** What a run of `detect` adds up besides what the engine counts. */
export type Totals = {
  readonly malformed: number
  readonly rulesMatched: ReadonlySet<CompiledRule>
  /** Time to split and parse lines, without the time to read them. */
  readonly parseMs: number
  /** Time to match events and to print the matches. */
  readonly matchMs: number
}

/** Says that events of unknown logsource were matched by no rule, and how to change that. */
export function hintUnrouted({ events, unrouted }: Engine['counts'], { stderr }: Context): void {
  if (unrouted === 0) return
  stderr.write(`tripline: ${unrouted} of ${events} events have no known logsource and were tried with no rule; `
    + `name it in their field _logsource, or try every rule with --lenient\n`)
}

type Stats = {
  readonly counts: Engine['counts']
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
    parse_ms: rounded(totals.parseMs),
    match_ms: rounded(totals.matchMs),
    wall_ms: rounded(wallMs),
  }) + '\n')
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
