import type { PushId } from '@tripline/contract/push/push'
import { limits } from '../limits.ts'

/** An event of a live tail: its id, and its text as a JSON object. */
export type PrintedEvent = { readonly id: string; readonly text: string }

/** The events of a live tail between two messages; excess events are dropped and counted. */
export class Tail {
  readonly id: PushId
  /** Events per second. */
  readonly #eventsMax: number
  #events: PrintedEvent[] = []
  #byteCount = 0
  #droppedCount = 0
  #secondBeganMs = Number.NEGATIVE_INFINITY
  #shownCount = 0

  constructor(id: PushId, eventsMax: number) {
    this.id = id
    this.#eventsMax = eventsMax
  }

  /** Adds a matching event. */
  push(event: PrintedEvent): void {
    const { tailMessageEventsMax, tailMessageBytesMax } = limits.push
    const byteCount = Buffer.byteLength(event.text)
    if (this.#events.length >= tailMessageEventsMax || this.#byteCount + byteCount > tailMessageBytesMax) {
      this.#droppedCount++
      return
    }
    this.#events.push(event)
    this.#byteCount += byteCount
  }

  /** Counts events that are dropped or were not evaluated. */
  drop(count: number): void {
    this.#droppedCount += count
  }

  get isEmpty(): boolean {
    return this.#events.length === 0 && this.#droppedCount === 0
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
    this.#events = []
    this.#byteCount = 0
    this.#droppedCount = 0
    const head = JSON.stringify({ type: 'tail_events', timestamp: new Date(at).toISOString() }).slice(0, -1)
    const texts = events.map((event) => event.text).join(',')
    const ids = JSON.stringify(events.map((event) => event.id))
    const text = `${head},"data":{"id":${JSON.stringify(this.id)},"events":[${texts}],"event_ids":${ids},"dropped":${dropped}}}`
    return { bytes: Buffer.from(text), eventCount: events.length, droppedCount: dropped }
  }
}

/** A message of a tail and its counts, in case it cannot be sent. */
type TailMessage = { readonly bytes: Uint8Array; readonly eventCount: number; readonly droppedCount: number }
