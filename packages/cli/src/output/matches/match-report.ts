import type { DescribedMatch } from './describe-match.ts'
import type { MatchTotals } from './match-totals.ts'
import type { Paint } from './paint.ts'

/** The matches of a run, for formats that print them together. */
export type MatchReport = {
  /** In the order of their times; of very many, the first that were found. */
  readonly matches: readonly DescribedMatch[]
  readonly totals: MatchTotals
  readonly paint: Paint
  readonly createdAt: number
}
