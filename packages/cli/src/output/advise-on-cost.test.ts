import type { RuleCost } from '@tripline/engine'
import { expect, test } from 'vitest'
import { findCostAdvice } from './advise-on-cost.ts'

/** A rule about which there is nothing to say. */
const plain: RuleCost = {
  id: 'r',
  title: 'R',
  metEvents: 1_000,
  candidates: 5,
  asked: 0,
  confirmed: 3,
  sampledNs: 1_000,
  requirement: 'Image ...\\longer.exe',
  isAnchored: true,
  isSearchable: true,
  shortestText: 11,
}

test.for<[cost: Partial<RuleCost>, advice: string | undefined]>([
  [{}, undefined],
  [{ metEvents: 0 }, 'none of these events has its logsource; its time is that of comparing fields that other events have, too'],
  [{ metEvents: 0, sampledNs: 0 }, 'none of these events has its logsource'],
  [{ isAnchored: false, isSearchable: false },
    'no requirement: runs on every event of its logsource; add a literal that must be there'],
  [{ isSearchable: false }, 'nothing in it can be looked for, so that every new value is compared; '
    + 'add a literal that must be there, beside its regular expression or in it'],
  [{ confirmed: 99 }, undefined],
  [{ confirmed: 100 }, 'holds on 100 of the 1,000 events that it met: is it meant to?'],
  [{ metEvents: 99, confirmed: 99 }, undefined],
  [{ asked: 30 }, undefined],
  [{ asked: 999 }, 'what it looks for is common: its matcher was asked about 999 events, of which 3 match; '
    + 'add a literal that tells them apart'],
  [{ shortestText: 4, candidates: 13 }, undefined],
  [{ shortestText: 4, candidates: 14 }, 'the shortest text that it looks for has 4 characters and is common; look for a longer one'],
  [{ shortestText: 1, candidates: 14 }, 'the shortest text that it looks for has 1 character and is common; look for a longer one'],
  [{ shortestText: 5, candidates: 14 }, undefined],
  [{ shortestText: 4, sampledNs: 1_000_000 },
    'the shortest text that it looks for has 4 characters and is common; look for a longer one'],
  [{ sampledNs: 99_999 }, undefined],
  [{ sampledNs: 100_000 }, 'its time is that of comparisons such as regular expressions and networks, which are asked of '
    + 'new values whatever else it requires'],
  [{ candidates: 0 }, 'never a candidate in these events'],
])('%j: %s', ([cost, advice]) => {
  expect(findCostAdvice({ ...plain, ...cost })).toBe(advice)
})
