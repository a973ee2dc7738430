import type { EventObject } from '@tripline/engine'

/** What the obvious way keeps of an event. */
export type BaselineEvent = { readonly at: number; readonly host: string; readonly rule: number }

type GroupState = { events: BaselineEvent[]; held: boolean; matchedAt: number }

/**
 * The obvious way to correlate events in order: a map with an array for each group. Knows neither lateness nor
 * bounds, and what is asked of a window it asks of all its events.
 */
export class MapBaseline {
  readonly #spanMs: number
  readonly #isSatisfied: (window: readonly BaselineEvent[]) => boolean
  readonly #groups = new Map<string, GroupState>()

  constructor(spanMs: number, holds: (window: readonly BaselineEvent[]) => boolean) {
    this.#spanMs = spanMs
    this.#isSatisfied = holds
  }

  get groupCount(): number {
    return this.#groups.size
  }

  /** Takes in an event that a rule matched and says whether it makes a match, as mode `on_true` does. */
  add(fields: EventObject, rule: number): boolean {
    const at = Date.parse(String(fields['@timestamp']))
    const user = String(fields['user'])
    let group = this.#groups.get(user)
    if (group === undefined) this.#groups.set(user, (group = { events: [], held: false, matchedAt: -Infinity }))
    dropUntil(group.events, at - 1 - this.#spanMs)
    group.held &&= this.#isSatisfied(group.events)
    dropUntil(group.events, at - this.#spanMs)
    group.events.push({ at, host: String(fields['host']), rule })
    const holds = this.#isSatisfied(group.events)
    const fires = holds && (!group.held || at - group.matchedAt >= this.#spanMs)
    group.held = holds
    if (fires) group.matchedAt = at
    return fires
  }
}

/** Takes out what happened at a time or before. */
function dropUntil(events: BaselineEvent[], until: number): void {
  while (events.length > 0 && events[0]!.at <= until) events.shift()
}
