import { readSnapshot } from '@tripline/engine'
import { limits } from '../limits.ts'

/** An event that a correlation may show: the bytes as they arrived, and the connector. */
export type RecentEvent = { readonly bytes: Uint8Array; readonly connectorId: string | undefined }

/** Keeps the last events of a tenant by their number in its stream, so that a correlation can show its newest. */
export class RecentEvents {
  readonly #events = new Map<number, RecentEvent>()
  /** Events that windows hold still, from a checkpoint. */
  readonly #recalled = new Map<number, RecentEvent>()
  #byteCount = 0

  add(sequence: number, event: RecentEvent): void {
    this.#byteCount += event.bytes.length - (this.#events.get(sequence)?.bytes.length ?? 0)
    this.#events.set(sequence, event)
    const { ringEventsMax, ringBytesMax } = limits.correlation
    for (const [oldest, { bytes }] of this.#events) {
      if (this.#events.size <= ringEventsMax && this.#byteCount <= ringBytesMax) return
      this.#events.delete(oldest)
      this.#byteCount -= bytes.length
    }
  }

  get(sequence: number): RecentEvent | undefined {
    return this.#events.get(sequence) ?? this.#recalled.get(sequence)
  }

  /** The events that windows of a saved state may still show, for its checkpoint: the newest of them, as JSON. */
  save(snapshot: Uint8Array): Uint8Array {
    const sequences = new Set<number>()
    for (const { groups, pending } of readSnapshot(snapshot).correlations) {
      for (const { events } of groups) sequences.add(events.at(-1)?.sequence ?? -1)
      for (const { sequence } of pending) sequences.add(sequence)
    }
    const kept: [number, string, string | null][] = []
    let byteCount = 0
    for (const sequence of [...sequences].sort((a, b) => b - a)) {
      const event = this.get(sequence)
      if (event === undefined) continue
      byteCount += event.bytes.length
      if (kept.length === limits.pipeline.recalledEventsMax || byteCount > limits.pipeline.recalledBytesMax) break
      kept.push([sequence, Buffer.from(event.bytes).toString('base64'), event.connectorId ?? null])
    }
    return Buffer.from(JSON.stringify(kept), 'utf8')
  }

  load(saved: Uint8Array): void {
    const kept: unknown = JSON.parse(Buffer.from(saved).toString('utf8'))
    for (const entry of Array.isArray(kept) ? kept : []) {
      const [sequence, text, connectorId]: readonly unknown[] = Array.isArray(entry) ? entry : []
      if (typeof sequence !== 'number' || typeof text !== 'string') continue
      this.#recalled.set(sequence, {
        bytes: Buffer.from(text, 'base64'), connectorId: typeof connectorId === 'string' ? connectorId : undefined,
      })
    }
  }
}
