import type { DetectionMatch, Match } from '../src/index.ts'

/** Matches that are all of detection rules; refuses others, which a test would else lose. */
export function detectionMatches(matches: readonly Match[]): DetectionMatch[] {
  return matches.map((match) => {
    if (match.kind !== 'detection') throw new Error(`the correlation ${match.rule.id} matched where none was expected`)
    return match
  })
}
