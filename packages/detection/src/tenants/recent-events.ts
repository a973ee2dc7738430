import type { EventRef } from '@tripline/formats/event/event-id'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** An event as it arrived; one of an earlier version's checkpoint has no reference. */
type RecentEvent = { readonly bytes: Uint8Array; readonly ref: EventRef | undefined }

/**
 * A ring buffer of a tenant's last events as they arrived, by sequence, so that a correlation can show its newest
 * event.
 */
export class RecentEvents {
  readonly #events = new Map<number, RecentEvent>()
  /** Events of a checkpoint that windows still hold. */
  readonly #recalled = new Map<number, RecentEvent>()
  #byteCount = 0

  add(sequence: number, event: RecentEvent): void {
    this.#byteCount += event.bytes.length - (this.#events.get(sequence)?.bytes.length ?? 0)
    this.#events.set(sequence, event)
    const { ringEventsMax, ringBytesMax } = limits.correlation
    for (const [oldest, { bytes: { length } }] of this.#events) {
      if (this.#events.size <= ringEventsMax && this.#byteCount <= ringBytesMax) return
      this.#events.delete(oldest)
      this.#byteCount -= length
    }
  }

  get(sequence: number): RecentEvent | undefined {
    return this.#events.get(sequence) ?? this.#recalled.get(sequence)
  }

  /**
   * Encodes the newest of the events that windows may still show, as JSON, for a checkpoint. Yields to others while it
   * reads the sequences of those.
   */
  async save(shownSequences: Iterable<number>): Promise<Uint8Array> {
    const shown = new Set<number>()
    let count = 0
    for (const sequence of shownSequences) {
      shown.add(sequence)
      if (++count % limits.correlation.turnGroupsMax === 0) await othersFirst()
    }
    const kept: [sequence: number, bytes: string, occurredAt?: number, offset?: number][] = []
    let byteCount = 0
    for (const [sequence, { bytes, ref }] of [...this.#recalled, ...this.#events].reverse()) {
      if (!shown.delete(sequence)) continue
      byteCount += bytes.length
      if (kept.length === limits.pipeline.recalledEventsMax || byteCount > limits.pipeline.recalledBytesMax) break
      const text = Buffer.from(bytes).toString('base64')
      kept.push(ref === undefined ? [sequence, text] : [sequence, text, ref.occurredAt, ref.number])
    }
    return Buffer.from(JSON.stringify(kept), 'utf8')
  }

  load(saved: Uint8Array): void {
    const kept: unknown = JSON.parse(Buffer.from(saved).toString('utf8'))
    for (const entry of Array.isArray(kept) ? kept : []) {
      const [sequence, text, occurredAt, number]: readonly unknown[] = Array.isArray(entry) ? entry : []
      if (typeof sequence !== 'number' || typeof text !== 'string') continue
      const ref = typeof occurredAt === 'number' && typeof number === 'number' ? { occurredAt, by: 'offset', number } as const : undefined
      this.#recalled.set(sequence, { bytes: Buffer.from(text, 'base64'), ref })
    }
  }
}
