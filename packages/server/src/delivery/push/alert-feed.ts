import { limits } from '../../limits.ts'

/** A `new_alert` message, and the alert's id, by which duplicates are recognised. */
export type AlertMessage = { readonly alertId: string; readonly bytes: Uint8Array }

/** The result of a replay: the missed alerts, or that there are too many. */
export type ReplayResult = readonly AlertMessage[] | 'tooMany'

/** What a feed does with its connection. */
type AlertFeedOutput = {
  readonly send: (message: Uint8Array) => void
  readonly hasCapacity: (byteCount: number) => boolean
  /** Tells the client to read the list of alerts again. */
  readonly sendGap: () => void
}

/**
 * Orders the alerts of a connection: missed alerts first, then new ones. An alert is stored before it is published; so
 * new alerts are buffered while the store is read, and an alert from the store is skipped when it is published.
 */
export class AlertFeed {
  readonly #output: AlertFeedOutput
  readonly #elapsedMs: () => number
  #state: 'off' | 'live' | 'replaying' = 'off'
  /** Numbers the replays, so that the result of an outdated one is recognised. */
  #replayNumber = 0
  #buffered: AlertMessage[] = []
  /** Replayed alerts that may still be published, until an instant. */
  #replayed = new Set<string>()
  #replayedUntilMs = 0

  constructor(output: AlertFeedOutput, elapsedMs: () => number) {
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
   * Buffers new alerts until the replay ends; returns the number of the replay. Alerts buffered by an earlier replay
   * are stored by now, so this one includes them.
   */
  beginReplay(): number {
    this.#state = 'replaying'
    this.#buffered = []
    this.#replayed.clear()
    return ++this.#replayNumber
  }

  /** Sends the missed alerts, then the buffered ones. Does nothing if the feed was closed or started another replay. */
  endReplay(turn: number, missed: ReplayResult): void {
    if (turn !== this.#replayNumber) return
    const held = this.#buffered
    this.#state = 'live'
    this.#buffered = []
    if (missed === 'tooMany' || held.length > limits.push.replayAlertsMax || !this.#output.hasCapacity(sumBytes(missed))) {
      this.#output.sendGap()
      // The client reads the list afterwards, which has the alerts left out here.
      if (held.length <= limits.push.replayAlertsMax) for (const alert of held) this.push(alert)
      return
    }
    for (const { bytes } of missed) this.#output.send(bytes)
    this.#replayed = new Set(missed.map(({ alertId }) => alertId))
    this.#replayedUntilMs = this.#elapsedMs() + limits.push.replayKnownMs
    for (const alert of held) this.push(alert)
  }

  /** Delivers a published alert. */
  push(alert: AlertMessage): void {
    if (this.#state === 'off') return
    if (this.#state === 'replaying') return this.#buffer(alert)
    if (this.#replayed.size > 0 && this.#wasReplayed(alert.alertId)) return
    this.#output.send(alert.bytes)
  }

  /** One more than the bound shows that there were too many. */
  #buffer(alert: AlertMessage): void {
    if (this.#buffered.length <= limits.push.replayAlertsMax) this.#buffered.push(alert)
  }

  #wasReplayed(alertId: string): boolean {
    if (this.#elapsedMs() >= this.#replayedUntilMs) this.#replayed.clear()
    return this.#replayed.delete(alertId)
  }
}

function sumBytes(messages: readonly AlertMessage[]): number {
  return messages.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
