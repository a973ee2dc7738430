import { isJsonObject } from '@tripline/common/json'
import type { EventRef } from '@tripline/formats/event/event-id'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** An event as it arrived; one of an earlier version's checkpoint has no reference. */
type RecentEvent = { readonly bytes: Uint8Array; readonly ref: EventRef | undefined }

/**
 * A ring buffer of a tenant's last events as they arrived, by sequence, so that a correlation can show its newest
 * event, and where the last of those that were correlated are stored, so that all of a match lead to its alert.
 */
export class RecentEvents {
  readonly #events = new Map<number, RecentEvent>()
  /** Events of a checkpoint that windows still hold. */
  readonly #recalled = new Map<number, RecentEvent>()
  /** Where correlated events are stored, oldest first. */
  readonly #memberRefs = new Map<number, EventRef>()
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

  /** Remembers where an event of the ring buffer is stored, which a correlation takes in. */
  noteMember(sequence: number): void {
    const ref = this.#events.get(sequence)?.ref
    if (ref !== undefined) this.#addMemberRef(sequence, ref)
  }

  /** Where events that were correlated are stored, each once; those that are forgotten are left out. */
  listMemberRefs(sequences: readonly number[]): readonly EventRef[] {
    return [...new Set(sequences)].map((sequence) => this.#memberRefs.get(sequence)).filter((ref) => ref !== undefined)
  }

  #addMemberRef(sequence: number, ref: EventRef): void {
    this.#memberRefs.set(sequence, ref)
    if (this.#memberRefs.size > limits.correlation.memberRefsMax) this.#memberRefs.delete(this.#memberRefs.keys().next().value!)
  }

  /**
   * Encodes the newest of the events that windows may still show, and where those that were correlated are stored, as JSON, for a
   * checkpoint. Yields to others while it reads the sequences of the first.
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
    const members = Array.from(this.#memberRefs, ([sequence, { occurredAt, number }]) => [sequence, occurredAt, number])
    return Buffer.from(JSON.stringify({ events: kept, members }), 'utf8')
  }

  /** Takes in what was saved; checkpoints of earlier versions are a list of events alone. */
  load(saved: Uint8Array): void {
    const parsed: unknown = JSON.parse(Buffer.from(saved).toString('utf8'))
    const { events, members } = isJsonObject(parsed) ? parsed : { events: parsed, members: [] }
    for (const [sequence, text, occurredAt, number] of listRows(events)) {
      if (typeof sequence !== 'number' || typeof text !== 'string') continue
      this.#recalled.set(sequence, { bytes: Buffer.from(text, 'base64'), ref: parseRef(occurredAt, number) })
    }
    for (const [sequence, occurredAt, number] of listRows(members)) {
      const ref = parseRef(occurredAt, number)
      if (typeof sequence === 'number' && ref !== undefined) this.#addMemberRef(sequence, ref)
    }
  }
}

function listRows(list: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(list) ? list.filter((row) => Array.isArray(row)) : []
}

function parseRef(occurredAt: unknown, number: unknown): EventRef | undefined {
  return typeof occurredAt === 'number' && typeof number === 'number' ? { occurredAt, by: 'offset', number } : undefined
}
