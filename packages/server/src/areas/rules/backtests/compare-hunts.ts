import type { RuleSet } from '@tripline/engine'
import { limits } from '../../../limits.ts'
import { runHunt } from './hunt.ts'
import type { Hunt, HuntMatch, HuntOptions, HuntProgress, HuntResult } from './hunt.ts'

/** The results of two versions of a rule set over the same events. */
export type HuntComparison = {
  readonly before: HuntResult
  readonly after: HuntResult
  /** Matches of the first version only; at most `limits.hunt.differencesMax` are listed. */
  readonly gone: Difference
  /** Matches of the second version only. */
  readonly added: Difference
}

/** As for one hunt; progress is of the first or of the second of them. */
type ComparisonOptions = Omit<HuntOptions, 'onMatch' | 'onProgress'> & {
  readonly onProgress?: (progress: HuntProgress, part: 0 | 1) => void | Promise<void>
}

export type Difference = { readonly count: number; readonly matches: readonly HuntMatch[] }

/**
 * Hunts with two versions of a rule set and finds which matches disappear and which are new. Two matches are equal if rule,
 * newest event and time are. Compares at most `limits.hunt.comparedMax` matches of each.
 */
export async function compareHunts(
  { changed, ...hunt }: Hunt & { readonly changed: RuleSet }, { onProgress, ...options }: ComparisonOptions,
): Promise<HuntComparison> {
  const [before, after] = [new Map<string, HuntMatch>(), new Map<string, HuntMatch>()]
  const collectInto = (matches: Map<string, HuntMatch>) => (match: HuntMatch): void => {
    if (matches.size < limits.hunt.comparedMax) matches.set(getMatchKey(match), match)
  }
  const optionsOf = (part: 0 | 1, matches: Map<string, HuntMatch>): HuntOptions => ({
    ...options, onMatch: collectInto(matches), ...(onProgress && { onProgress: (progress) => onProgress(progress, part) }),
  })
  const first = await runHunt(hunt, optionsOf(0, before))
  const second = await runHunt({ ...hunt, ruleSet: changed }, optionsOf(1, after))
  return { before: first, after: second, gone: subtractMatches(before, after), added: subtractMatches(after, before) }
}

function getMatchKey({ ruleId, at, sequence, event }: HuntMatch): string {
  // One event can complete several groups at once.
  return JSON.stringify([ruleId, at, sequence, event])
}

function subtractMatches(matches: ReadonlyMap<string, HuntMatch>, others: ReadonlyMap<string, HuntMatch>): Difference {
  const rest = [...matches].filter(([key]) => !others.has(key)).map(([, match]) => match)
  return { count: rest.length, matches: rest.slice(0, limits.hunt.differencesMax) }
}
