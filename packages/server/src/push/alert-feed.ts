import { limits } from '../limits.ts'

/** A `new_alert` message, and the alert's id, by which it is known when it comes twice. */
export type AlertMessage = { readonly alertId: string; readonly bytes: Uint8Array }

/** How a replay ended: the alerts that were missed, or that there are too many of them. */
export type ReplayResult = readonly AlertMessage[] | 'tooMany'

/** What a feed does to its connection. */
export type AlertFeedOutput = {
  readonly send: (message: Uint8Array) => void
  readonly hasCapacity: (byteCount: number) => boolean
  /** Tells the client that it has to read the list of alerts again. */
  readonly sendGap: () => void
}

/**
 * Puts the alerts of a connection into one order: those that were missed, then those that come (D-34). An alert is
 * stored before it is published; so while the store is asked, what is published waits, and an alert that the store
 * knew is passed over when it is published.
 */
export class AlertFeed {
  readonly #output: AlertFeedOutput
  readonly #elapsedMs: () => number
  #state: 'off' | 'live' | 'replaying' = 'off'
  /** Counts what was begun, so that the answer to an older question is known. */
  #replayNumber = 0
  #buffered: AlertMessage[] = []
  /** Alerts that were replayed and may still be published, until an instant. */
  #replayed = new Set<string>()
  #replayedUntilMs = 0

  constructor(output: AlertFeedOutput, elapsedMs: () => number) {
    this.#output = output
    this.#elapsedMs = elapsedMs
  }

  /** Lets alerts through from now on; one that is open or replays goes on as it does. */
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
   * Holds back what comes until the replay is there; what it returns belongs to it. What an earlier replay held back is
   * stored by now, so this one brings it.
   */
  beginReplay(): number {
    this.#state = 'replaying'
    this.#buffered = []
    this.#replayed.clear()
    return ++this.#replayNumber
  }

  /** Sends what was missed, then what came meanwhile. Does nothing where the feed was closed or began another replay. */
  endReplay(turn: number, missed: ReplayResult): void {
    if (turn !== this.#replayNumber) return
    const held = this.#buffered
    this.#state = 'live'
    this.#buffered = []
    if (missed === 'tooMany' || held.length > limits.push.replayAlertsMax || !this.#output.hasCapacity(sumBytes(missed))) {
      this.#output.sendGap()
      // The client reads the list after this, so it finds there what is left out here.
      if (held.length <= limits.push.replayAlertsMax) for (const alert of held) this.push(alert)
      return
    }
    for (const { bytes } of missed) this.#output.send(bytes)
    this.#replayed = new Set(missed.map(({ alertId }) => alertId))
    this.#replayedUntilMs = this.#elapsedMs() + limits.push.replayKnownMs
    for (const alert of held) this.push(alert)
  }

  /** Takes an alert that was published. */
  push(alert: AlertMessage): void {
    if (this.#state === 'off') return
    if (this.#state === 'replaying') return this.#buffer(alert)
    if (this.#replayed.size > 0 && this.#wasReplayed(alert.alertId)) return
    this.#output.send(alert.bytes)
  }

  /** One more than may be sent says that there were too many. */
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
