import type { Diagnostic, EventObject } from '@tripline/engine'

/** The default start of the virtual clock of a test. */
export const defaultStartAt = Date.UTC(2026, 0, 1)

/** A test of a rule: events on a virtual clock, and the expected matches. */
export type RuleTest = {
  readonly name: string
  /** Its line in the text, from 1. */
  readonly line: number
  readonly column: number
  /** The start of the virtual clock, in milliseconds since the epoch; relative times count from it. */
  readonly startAt: number
  /** Sorted by time; events with the same time keep the order of the test. */
  readonly events: readonly TestEvent[]
  readonly expected: Expectation
}

/** An event and its arrival time, which is also its event time unless it has a time field. */
export type TestEvent = { readonly at: number; readonly event: EventObject }

export type Expectation =
  /** At least one match, or none. */
  | { readonly kind: 'match'; readonly isMatch: boolean }
  /** This number of matches, or at least this number. */
  | { readonly kind: 'count'; readonly count: number; readonly isMinimum: boolean }
  /** Exactly these matches. */
  | { readonly kind: 'matches'; readonly matches: readonly ExpectedMatch[] }

/** An expected match; undefined members are not compared. */
export type ExpectedMatch = {
  /** When it is decided, in milliseconds since the epoch. */
  readonly at: number | undefined
  /** The value by field or alias of `group-by`; case does not matter. */
  readonly group: ReadonlyMap<string, string> | undefined
  /** The number of events in the match. */
  readonly eventCount: number | undefined
}

/** The tests of a rule in one document. */
export type RuleTestSuite = {
  /** The `path` of the source with the tests. */
  readonly path: string
  /** The tested rule; undefined when it is missing, which the diagnostics report. */
  readonly ruleId: string | undefined
  /** The title of the rule; empty when it is missing. */
  readonly title: string
  readonly tests: readonly RuleTest[]
  /** The problems of the document; `tests` excludes invalid tests. */
  readonly diagnostics: readonly Diagnostic[]
}
