import type { ExpectedMatch, Expectation } from './rule-test.ts'
import { printTestTime } from './test-time.ts'

/** A match that the rule produced in a test. */
export type ActualMatch = {
  /** When it was decided, in milliseconds since the epoch. */
  readonly at: number
  /** Empty for a detection rule and for a correlation without groups. */
  readonly group: ReadonlyMap<string, string>
  /** The number of events in the match. */
  readonly eventCount: number
}

/** Describes how the matches differ from the expectation; undefined when they meet it. */
export function describeMismatch(expected: Expectation, found: readonly ActualMatch[], startAt: number): string | undefined {
  if (meetsExpectation(expected, found)) return undefined
  return `expected ${printExpectation(expected, startAt)}, found ${printAll(found, startAt)}`
}

function meetsExpectation(expected: Expectation, found: readonly ActualMatch[]): boolean {
  if (expected.kind === 'match') return found.length > 0 === expected.isMatch
  if (expected.kind === 'count') {
    return expected.isMinimum ? found.length >= expected.count : found.length === expected.count
  }
  return found.length === expected.matches.length && matchesAll(expected.matches, found)
}

/** Whether each expected match has a match of its own; assigns those with the most constraints first. */
function matchesAll(expected: readonly ExpectedMatch[], found: readonly ActualMatch[]): boolean {
  const left = [...found]
  for (const one of expected.toSorted((a, b) => countConstraints(b) - countConstraints(a))) {
    const place = left.findIndex((candidate) => matchesExpected(one, candidate))
    if (place === -1) return false
    left.splice(place, 1)
  }
  return true
}

function countConstraints({ at, group, eventCount }: ExpectedMatch): number {
  return (group?.size ?? 0) + (at === undefined ? 0 : 1) + (eventCount === undefined ? 0 : 1)
}

function matchesExpected({ at, group, eventCount }: ExpectedMatch, found: ActualMatch): boolean {
  if (at !== undefined && at !== found.at) return false
  if (eventCount !== undefined && eventCount !== found.eventCount) return false
  // Group keys ignore case, so expected values do too.
  return [...(group ?? [])].every(([field, value]) => found.group.get(field)?.toLowerCase() === value.toLowerCase())
}

function printExpectation(expected: Expectation, startAt: number): string {
  if (expected.kind === 'match') return expected.isMatch ? 'a match' : 'no match'
  if (expected.kind === 'matches') return printAll(expected.matches, startAt)
  return `${expected.isMinimum ? 'at least ' : ''}${expected.count} ${expected.count === 1 ? 'match' : 'matches'}`
}

/** Matches that a message lists. */
const printedMax = 10

function printAll(matches: readonly (ActualMatch | ExpectedMatch)[], startAt: number): string {
  if (matches.length === 0) return 'none'
  const more = matches.length <= printedMax ? '' : `; and ${matches.length - printedMax} more`
  const shown = matches.slice(0, printedMax).map((match) => printOne(match, startAt)).join('; ')
  return `${matches.length === 1 ? 'one' : matches.length} (${shown}${more})`
}

function printOne({ at, group, eventCount }: ActualMatch | ExpectedMatch, startAt: number): string {
  const by = Array.from(group ?? [], ([field, value]) => `${field}=${value}`).join(', ')
  const parts = [
    at === undefined ? '' : `at ${printTestTime(at, startAt)}`,
    by === '' ? '' : `by ${by}`,
    eventCount === undefined ? '' : `of ${eventCount} ${eventCount === 1 ? 'event' : 'events'}`,
  ]
  return parts.filter((part) => part !== '').join(' ') || 'any'
}
