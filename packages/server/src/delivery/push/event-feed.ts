import type { PushTopic } from '@tripline/contract/push/push'
import { limits } from '../limits.ts'

/** A message about a change, printed for all of its receivers. */
export type EventMessage = {
  readonly topic: PushTopic
  /** Recognises duplicates: the id of a new alert, else that of the domain event. */
  readonly key: string
  readonly bytes: Uint8Array
}

/** The result of a replay: the missed messages, or that there are too many. */
export type ReplayResult = readonly EventMessage[] | 'tooMany'

/** What a feed does with its connection. */
type EventFeedOutput = {
  readonly send: (message: EventMessage) => void
  readonly hasCapacity: (byteCount: number) => boolean
  /** Tells the client to read the lists again. */
  readonly sendGap: () => void
}

/**
 * Orders the changes that a connection learns of: missed ones first, then new ones. A change is stored before it is
 * published; so new ones are buffered while the store is read, and one from the store is skipped when it is published.
 */
export class EventFeed {
  readonly #output: EventFeedOutput
  readonly #elapsedMs: () => number
  #state: 'off' | 'live' | 'replaying' = 'off'
  /** Numbers the replays, so that the result of an outdated one is recognised. */
  #replayNumber = 0
  #buffered: EventMessage[] = []
  /** Keys of replayed messages that may still be published, until an instant. */
  #replayed = new Set<string>()
  #replayedUntilMs = 0

  constructor(output: EventFeedOutput, elapsedMs: () => number) {
    this.#output = output
    this.#elapsedMs = elapsedMs
  }

  /** Starts delivery; a feed that is live or replaying continues. */
  open(): void {
    if (this.#state === 'off') this.#state = 'live'
  }

  close(): void {
    this.#state = 'off'
    this.#replayNumber++
    this.#buffered = []
    this.#replayed.clear()
  }

  /**
   * Buffers new messages until the replay ends; returns the number of the replay. What an earlier replay buffered is stored
   * by now, so this one includes it.
   */
  beginReplay(): number {
    this.#state = 'replaying'
    this.#buffered = []
    this.#replayed.clear()
    return ++this.#replayNumber
  }

  /** Sends the missed messages, then the buffered ones. Does nothing if the feed was closed or started another replay. */
  endReplay(turn: number, missed: ReplayResult): void {
    if (turn !== this.#replayNumber) return
    const held = this.#buffered
    this.#state = 'live'
    this.#buffered = []
    if (missed === 'tooMany' || held.length > limits.push.replayAlertsMax || !this.#output.hasCapacity(sumBytes(missed))) {
      this.#output.sendGap()
      // The client reads the lists afterwards, which have what is left out here.
      if (held.length <= limits.push.replayAlertsMax) for (const message of held) this.push(message)
      return
    }
    for (const message of missed) this.#output.send(message)
    this.#replayed = new Set(missed.map(({ key }) => key))
    this.#replayedUntilMs = this.#elapsedMs() + limits.push.replayKnownMs
    for (const message of held) this.push(message)
  }

  /** Delivers a published message. */
  push(message: EventMessage): void {
    if (this.#state === 'off') return
    if (this.#state === 'replaying') return this.#buffer(message)
    if (this.#replayed.size > 0 && this.#wasReplayed(message.key)) return
    this.#output.send(message)
  }

  /** One more than the bound shows that there were too many. */
  #buffer(message: EventMessage): void {
    if (this.#buffered.length <= limits.push.replayAlertsMax) this.#buffered.push(message)
  }

  #wasReplayed(key: string): boolean {
    if (this.#elapsedMs() >= this.#replayedUntilMs) this.#replayed.clear()
    return this.#replayed.delete(key)
  }
}

function sumBytes(messages: readonly EventMessage[]): number {
  return messages.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
