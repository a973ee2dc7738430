import type { PushId } from '@tripline/contract/push/push'
import { limits } from '../limits.ts'
import type { TailMatch } from './tail-matches.ts'

/** An event of a live tail: its id, its text as a JSON object, and the product that it is of. */
export type PrintedEvent = { readonly id: string; readonly text: string; readonly source: string }

/** The events of a live tail between two messages; excess events are dropped and counted. */
export class Tail {
  readonly id: PushId
  /** Events per second. */
  readonly #eventsMax: number
  #events: PrintedEvent[] = []
  #byteCount = 0
  #droppedCount = 0
  #matches: TailMatch[] = []
  /** The ids of the last events that were sent, oldest first. */
  readonly #sentIds = new Set<string>()
  #secondBeganMs = Number.NEGATIVE_INFINITY
  #shownCount = 0

  constructor(id: PushId, eventsMax: number) {
    this.id = id
    this.#eventsMax = eventsMax
  }

  /** Adds an event that the query finds, with the rules that are known to match it. */
  push(event: PrintedEvent, matches: readonly TailMatch[]): void {
    const { tailMessageEventsMax, tailMessageBytesMax } = limits.push
    const byteCount = Buffer.byteLength(event.text)
    if (this.#events.length >= tailMessageEventsMax || this.#byteCount + byteCount > tailMessageBytesMax) {
      this.#droppedCount++
      return
    }
    this.#events.push(event)
    this.#byteCount += byteCount
    for (const match of matches) this.#note(match)
  }

  /** Takes what matched since, of events that it has. */
  match(matches: readonly TailMatch[]): void {
    const waiting = new Set(this.#events.map(({ id }) => id))
    for (const match of matches) if (waiting.has(match.eventId) || this.#sentIds.has(match.eventId)) this.#note(match)
  }

  #note(match: TailMatch): void {
    if (this.#matches.length < limits.push.tailMatchesMax) this.#matches.push(match)
  }

  /** Counts events that are dropped or were not evaluated. */
  drop(count: number): void {
    this.#droppedCount += count
  }

  get isEmpty(): boolean {
    return this.#events.length === 0 && this.#droppedCount === 0 && this.#matches.length === 0
  }

  /** Prints a message of the events since the one before; the tail is empty afterwards. */
  print(at: number, elapsedMs: number): TailMessage {
    if (elapsedMs - this.#secondBeganMs >= 1_000) {
      this.#secondBeganMs = elapsedMs
      this.#shownCount = 0
    }
    const events = this.#events.slice(0, this.#eventsMax - this.#shownCount)
    this.#shownCount += events.length
    const dropped = this.#droppedCount + this.#events.length - events.length
    for (const { id } of events) this.#sentIds.add(id)
    // Those of events that are left out now are left out with them.
    const matches = this.#matches.filter(({ eventId }) => this.#sentIds.has(eventId))
    this.#events = []
    this.#byteCount = 0
    this.#droppedCount = 0
    this.#matches = []
    this.#forgetOldest()
    const head = JSON.stringify({ type: 'tail_events', timestamp: new Date(at).toISOString() }).slice(0, -1)
    const texts = events.map((event) => event.text).join(',')
    const ids = JSON.stringify(events.map((event) => event.id))
    const sources = JSON.stringify(events.map((event) => event.source.slice(0, limits.push.textLengthMax)))
    const rest = `"event_ids":${ids},"sources":${sources},"matches":${printMatches(matches)},"dropped":${dropped}`
    const text = `${head},"data":{"id":${JSON.stringify(this.id)},"events":[${texts}],${rest}}}`
    return { bytes: Buffer.from(text), eventCount: events.length, droppedCount: dropped }
  }

  #forgetOldest(): void {
    for (const id of this.#sentIds) {
      if (this.#sentIds.size <= limits.push.tailEventsKnownMax) return
      this.#sentIds.delete(id)
    }
  }
}

function printMatches(matches: readonly TailMatch[]): string {
  return JSON.stringify(matches.map(({ eventId, ruleId, ruleTitle }) => ({
    event_id: eventId, rule_id: ruleId, rule_title: ruleTitle.slice(0, limits.push.textLengthMax),
  })))
}

/** A message of a tail and its counts, in case it cannot be sent. */
type TailMessage = { readonly bytes: Uint8Array; readonly eventCount: number; readonly droppedCount: number }
