import { readSnapshot } from '@tripline/engine'
import { limits } from '../limits.ts'

/**
 * A ring buffer of a tenant's last events as they arrived, by sequence, so that a correlation can show its newest
 * event.
 */
export class RecentEvents {
  readonly #events = new Map<number, Uint8Array>()
  /** Events of a checkpoint that windows still hold. */
  readonly #recalled = new Map<number, Uint8Array>()
  #byteCount = 0

  add(sequence: number, bytes: Uint8Array): void {
    this.#byteCount += bytes.length - (this.#events.get(sequence)?.length ?? 0)
    this.#events.set(sequence, bytes)
    const { ringEventsMax, ringBytesMax } = limits.correlation
    for (const [oldest, { length }] of this.#events) {
      if (this.#events.size <= ringEventsMax && this.#byteCount <= ringBytesMax) return
      this.#events.delete(oldest)
      this.#byteCount -= length
    }
  }

  get(sequence: number): Uint8Array | undefined {
    return this.#events.get(sequence) ?? this.#recalled.get(sequence)
  }

  /** Encodes the newest events that windows of a snapshot may still show, as JSON, for its checkpoint. */
  save(snapshot: Uint8Array): Uint8Array {
    const sequences = new Set<number>()
    for (const { groups, pending } of readSnapshot(snapshot).correlations) {
      for (const { events } of groups) sequences.add(events.at(-1)?.sequence ?? -1)
      for (const { sequence } of pending) sequences.add(sequence)
    }
    const kept: [number, string][] = []
    let byteCount = 0
    for (const sequence of [...sequences].sort((a, b) => b - a)) {
      const bytes = this.get(sequence)
      if (bytes === undefined) continue
      byteCount += bytes.length
      if (kept.length === limits.pipeline.recalledEventsMax || byteCount > limits.pipeline.recalledBytesMax) break
      kept.push([sequence, Buffer.from(bytes).toString('base64')])
    }
    return Buffer.from(JSON.stringify(kept), 'utf8')
  }

  load(saved: Uint8Array): void {
    const kept: unknown = JSON.parse(Buffer.from(saved).toString('utf8'))
    for (const entry of Array.isArray(kept) ? kept : []) {
      const [sequence, text]: readonly unknown[] = Array.isArray(entry) ? entry : []
      if (typeof sequence === 'number' && typeof text === 'string') this.#recalled.set(sequence, Buffer.from(text, 'base64'))
    }
  }
}
