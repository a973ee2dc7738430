import type { EventRef } from '@tripline/formats/event/event-id'
import type { MatchEvent } from './match-event.ts'

/** The verdict of a reviewer. */
export type MatchVerdict = 'true_positive' | 'false_positive' | 'benign' | 'unreviewed'

/** A stored match of a rule. */
export type RuleMatch = {
  /** Derived (`deriveMatchId`); begins with `matchedAt`, so sorting by id sorts by time. */
  readonly id: string
  readonly ruleId: string
  /** The alert that it raised or joined. */
  readonly alertId: string
  /** Identifies the stored event; undefined where it is unknown. */
  readonly eventRef: EventRef | undefined
  /** When the event was received. */
  readonly matchedAt: number
  readonly event: MatchEvent
  readonly verdict: MatchVerdict
  readonly reviewedBy: string | undefined
  readonly reviewedAt: number | undefined
}
