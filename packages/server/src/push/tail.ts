import type { PushId } from '../contract/push.ts'
import { limits } from '../limits.ts'

/** The events of a live tail between two messages; excess events are dropped and counted. */
export class Tail {
  readonly id: PushId
  /** Events per second. */
  readonly #eventsMax: number
  #events: string[] = []
  #byteCount = 0
  #droppedCount = 0
  #secondBeganMs = Number.NEGATIVE_INFINITY
  #shownCount = 0

  constructor(id: PushId, eventsMax: number) {
    this.id = id
    this.#eventsMax = eventsMax
  }

  /** Adds a matching event, as the text of a JSON object. */
  push(event: string): void {
    const { tailMessageEventsMax, tailMessageBytesMax } = limits.push
    const byteCount = Buffer.byteLength(event)
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
    const text = `${head},"data":{"id":${JSON.stringify(this.id)},"events":[${events.join(',')}],"dropped":${dropped}}}`
    return { bytes: Buffer.from(text), eventCount: events.length, droppedCount: dropped }
  }
}

/** A message of a tail and its counts, in case it cannot be sent. */
export type TailMessage = { readonly bytes: Uint8Array; readonly eventCount: number; readonly droppedCount: number }
