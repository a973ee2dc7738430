import { limits } from '../limits.ts'

/** A rule that matched an event. */
export type TailMatch = { readonly eventId: string; readonly ruleId: string; readonly ruleTitle: string }

/**
 * The newest matches of a tenant, held for events that its live tails get later: detection and the store read the same events
 * independently of each other, so that a match is known before its event or after it.
 */
export class TailMatches {
  /** By event, in the order in which these matched first. */
  readonly #byEvent = new Map<string, readonly TailMatch[]>()

  add(match: TailMatch): void {
    this.#byEvent.set(match.eventId, [...this.get(match.eventId).slice(0, limits.push.tailMatchesMax - 1), match])
    for (const eventId of this.#byEvent.keys()) {
      if (this.#byEvent.size <= limits.push.tailEventsKnownMax) break
      this.#byEvent.delete(eventId)
    }
  }

  get(eventId: string): readonly TailMatch[] {
    return this.#byEvent.get(eventId) ?? []
  }
}
