import type { MatchEvent } from './match-event.ts'

/** What a reviewer says a match was (D-17). */
export type MatchVerdict = 'true_positive' | 'false_positive' | 'benign' | 'unreviewed'

/** That a rule held on an event, as it is kept. */
export type RuleMatch = {
  /** Derived (`deriveMatchId`); begins with `matchedAt`, so matches sort by time where they sort by id. */
  readonly id: string
  readonly ruleId: string
  /** When the event was accepted. */
  readonly matchedAt: number
  readonly event: MatchEvent
  readonly verdict: MatchVerdict
  readonly reviewedBy: string | undefined
  readonly reviewedAt: number | undefined
}
