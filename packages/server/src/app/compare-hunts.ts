import type { RuleSet } from '@tripline/engine'
import { limits } from '../limits.ts'
import { runHunt } from './hunt.ts'
import type { Hunt, HuntMatch, HuntOptions, HuntResult } from './hunt.ts'

/** Two versions of rules over the same events. */
export type HuntComparison = {
  readonly before: HuntResult
  readonly after: HuntResult
  /** Matches of the first version that the second does not make; at most `limits.hunt.differencesMax` are listed. */
  readonly gone: Difference
  /** Matches that only the second version makes. */
  readonly added: Difference
}

export type Difference = { readonly count: number; readonly matches: readonly HuntMatch[] }

/**
 * Hunts with two versions of rules and tells which matches disappear and which are new. A match is the same when it is of
 * the same rule, the same newest event and the same time. Compares at most `limits.hunt.comparedMax` matches of each.
 */
export async function compareHunts(
  { changed, ...hunt }: Hunt & { readonly changed: RuleSet }, options: Omit<HuntOptions, 'onMatch'>,
): Promise<HuntComparison> {
  const [before, after] = [new Map<string, HuntMatch>(), new Map<string, HuntMatch>()]
  const collectInto = (matches: Map<string, HuntMatch>) => (match: HuntMatch): void => {
    if (matches.size < limits.hunt.comparedMax) matches.set(getMatchKey(match), match)
  }
  const first = await runHunt(hunt, { ...options, onMatch: collectInto(before) })
  const second = await runHunt({ ...hunt, ruleSet: changed }, { ...options, onMatch: collectInto(after) })
  return { before: first, after: second, gone: subtractMatches(before, after), added: subtractMatches(after, before) }
}

function getMatchKey({ ruleId, at, sequence, event }: HuntMatch): string {
  // Of one event, several groups may match at once.
  return JSON.stringify([ruleId, at, sequence, event])
}

function subtractMatches(matches: ReadonlyMap<string, HuntMatch>, others: ReadonlyMap<string, HuntMatch>): Difference {
  const rest = [...matches].filter(([key]) => !others.has(key)).map(([, match]) => match)
  return { count: rest.length, matches: rest.slice(0, limits.hunt.differencesMax) }
}
