import type { PushData } from '@tripline/contract/push/push'

/** The titles of the rules that matched an event, by its id, in the order in which events matched first. */
export type MatchedRules = ReadonlyMap<string, readonly string[]>

/** Adds matches that a live tail told of; each rule once an event, and the newest `eventsMax` events. */
export function addMatches(known: MatchedRules, matches: PushData<'tail_events'>['matches'], eventsMax: number): MatchedRules {
  if (matches.length === 0) return known
  const all = new Map(known)
  for (const { event_id: id, rule_title: title } of matches) all.set(id, [...new Set([...all.get(id) ?? [], title])])
  return new Map([...all].slice(-eventsMax))
}
