import type { Diagnostic } from '../diagnostics.ts'
import type { EventObject } from '../event/event.ts'

/** Where the virtual clock of a test begins, unless the test says otherwise. */
export const defaultStartAt = Date.UTC(2026, 0, 1)

/** One test of a rule: events on a virtual clock, and what is to come of them. */
export type RuleTest = {
  readonly name: string
  /** Where it stands in its text, from 1. */
  readonly line: number
  readonly column: number
  /** What relative times are counted from, in milliseconds since the epoch. */
  readonly startAt: number
  /** In the order of their times; one that comes at the same time as another stands as it was written. */
  readonly events: readonly TestEvent[]
  readonly expected: Expectation
}

/** An event, and when it arrives; that is when it happened, too, unless it states a time of its own. */
export type TestEvent = { readonly at: number; readonly event: EventObject }

export type Expectation =
  /** Some match, or none. */
  | { readonly kind: 'match'; readonly isMatch: boolean }
  /** So many matches; or at least so many. */
  | { readonly kind: 'count'; readonly count: number; readonly isMinimum: boolean }
  /** Exactly these matches. */
  | { readonly kind: 'matches'; readonly matches: readonly ExpectedMatch[] }

/** A match that is to be found; what is undefined is not asked. */
export type ExpectedMatch = {
  /** When it is certain, in milliseconds since the epoch. */
  readonly at: number | undefined
  /** By field or alias of `group-by`: the value, in any case. */
  readonly group: ReadonlyMap<string, string> | undefined
  /** How many events it is made of. */
  readonly eventCount: number | undefined
}

/** The tests of one rule that stand in one document. */
export type RuleTestSuite = {
  /** The `path` of the source that holds the tests. */
  readonly path: string
  /** The rule they are of; undefined where there is none, which is one of the diagnostics. */
  readonly ruleId: string | undefined
  /** The title of that rule; empty where there is none. */
  readonly title: string
  readonly tests: readonly RuleTest[]
  /** What is wrong with the document; tests that cannot be read are not among `tests`. */
  readonly diagnostics: readonly Diagnostic[]
}
