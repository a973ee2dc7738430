import { describe, expect, test } from 'vitest'
import { describeMismatch } from './compare-matches.ts'
import type { ActualMatch } from './compare-matches.ts'
import type { Expectation, ExpectedMatch } from './rule-test.ts'

const one = { at: undefined, group: undefined, eventCount: undefined }
const at = (seconds: number): ExpectedMatch => ({ ...one, at: seconds * 1_000 })
const by = (user: string): ExpectedMatch => ({ ...one, group: new Map([['user', user]]) })
const found = (seconds: number, user: string): ActualMatch => (
  { at: seconds * 1_000, group: new Map([['user', user]]), eventCount: 5 }
)
const exactly = (...matches: ExpectedMatch[]): Expectation => ({ kind: 'matches', matches })
const times = (count: number, isMinimum = false): Expectation => ({ kind: 'count', count, isMinimum })
const match: Expectation = { kind: 'match', isMatch: true }
const noMatch: Expectation = { kind: 'match', isMatch: false }

const alice = found(18, 'alice')
const bob = found(20, 'bob')

describe('matches that meet the expectation', () => {
  test.for<[title: string, expected: Expectation, found: readonly ActualMatch[]]>([
    ['some match', match, [alice, bob]],
    ['no match', noMatch, []],
    ['a number of matches', times(2), [alice, bob]],
    ['at least one match', times(1, true), [alice, bob]],
    ['a time', exactly(at(18)), [alice]],
    ['a group, in any case', exactly(by('ALICE')), [alice]],
    ['several, in any order', exactly(by('bob'), by('alice')), [alice, bob]],
    ['a number of events', exactly({ ...one, eventCount: 5 }), [alice]],
    ['a general and a specific expected match', exactly(one, by('alice')), [alice, bob]],
    ['none of a list', exactly(), []],
  ])('%s', ([, expected, matches]) => {
    expect(describeMismatch(expected, matches, 0)).toBe(undefined)
  })
})

describe('matches that differ from the expectation', () => {
  test.for<[expected: Expectation, found: readonly ActualMatch[], failure: string]>([
    [match, [], 'expected a match, found none'],
    [noMatch, [alice], 'expected no match, found one (at 18s by user=alice of 5 events)'],
    [times(1), [alice, bob], 'expected 1 match, found 2 (at 18s by user=alice of 5 events; at 20s by user=bob of 5 events)'],
    [times(3, true), [alice], 'expected at least 3 matches, found one (at 18s by user=alice of 5 events)'],
    [exactly(at(17)), [alice], 'expected one (at 17s), found one (at 18s by user=alice of 5 events)'],
    [exactly(by('alice')), [bob], 'expected one (by user=alice), found one (at 20s by user=bob of 5 events)'],
    [exactly(by('alice')), [alice, bob], 'expected one (by user=alice), '
      + 'found 2 (at 18s by user=alice of 5 events; at 20s by user=bob of 5 events)'],
    [exactly(one, one), [], 'expected 2 (any; any), found none'],
    [exactly(), [alice], 'expected none, found one (at 18s by user=alice of 5 events)'],
  ])('$2', ([expected, matches, failure]) => {
    expect(describeMismatch(expected, matches, 0)).toBe(failure)
  })

  test('the message lists only some of many matches', () => {
    const many = Array.from({ length: 30 }, (_, i) => found(i, 'alice'))
    expect(describeMismatch(noMatch, many, 0)).toMatch(/found 30 \(at 0s .*; at 9s by user=alice of 5 events; and 20 more\)$/)
  })
})
