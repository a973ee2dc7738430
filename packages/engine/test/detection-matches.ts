import type { DetectionMatch, Match } from '../src/index.ts'

/** Returns matches that must all be of detection rules; throws for others, which a test would lose otherwise. */
export function detectionMatches(matches: readonly Match[]): DetectionMatch[] {
  return matches.map((match) => {
    if (match.kind !== 'detection') throw new Error(`the correlation ${match.rule.id} matched where none was expected`)
    return match
  })
}
