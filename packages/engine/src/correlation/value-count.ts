import type { EventPool } from './event-pool.ts'
import { KeyTable, copyOf, grown } from './key-table.ts'
import type { GroupView, Measure, MeasuredValue } from './measure.ts'

/**
 * How often each value stands in each group. A pair of group and value has a slot, which is the number beside
 * each of its events.
 */
class ValueTable {
  readonly #pairs: KeyTable
  readonly #events: EventPool
  #counts = new Int32Array(16)

  constructor(events: EventPool, seed: number) {
    this.#events = events
    this.#pairs = new KeyTable(seed)
  }

  /** Counts a value in, and says whether it is the first of its kind in the group. */
  add(group: number, event: number, value: MeasuredValue): boolean {
    const pair = this.#pairs.add(`${group}:${value ?? ''}`)
    this.#counts = withRoomFor(pair, this.#counts)
    this.#events.setData(event, pair)
    return ++this.#counts[pair]! === 1
  }

  /** Counts an event's value out, and says whether it was the last of its kind in the group. */
  remove(event: number): boolean {
    const pair = this.#events.data(event)
    if (--this.#counts[pair]! > 0) return false
    this.#pairs.remove(pair)
    return true
  }

  /** How often the value of an event stands in its group. */
  countOf(event: number): number {
    return this.#counts[this.#events.data(event)]!
  }

  valueOf(event: number): string {
    const key = this.#pairs.keyOf(this.#events.data(event))
    return key.slice(key.indexOf(':') + 1)
  }

  byteLength(): number {
    return this.#pairs.byteLength + this.#counts.byteLength
  }
}

/** Counts the different values that events bring along. */
export class ValueCount implements Measure {
  readonly #values: ValueTable
  #distinct = new Int32Array(16)

  constructor(events: EventPool, seed: number) {
    this.#values = new ValueTable(events, seed)
  }

  add(group: number, event: number, value: MeasuredValue): void {
    this.#distinct = withRoomFor(group, this.#distinct)
    if (this.#values.add(group, event, value)) this.#distinct[group]!++
  }

  remove(group: number, event: number): void {
    if (this.#values.remove(event)) this.#distinct[group]!--
  }

  forget(): void {
    // Every value was counted out.
  }

  valueOf(group: number): number {
    return this.#distinct[group] ?? 0
  }

  broughtBy(event: number): string {
    return this.#values.valueOf(event)
  }

  byteLength(): number {
    return this.#values.byteLength() + this.#distinct.byteLength
  }
}

/** How much of a group has the value of its newest event, in percent: rare values have a small share (D-41). */
export class ValueShare implements Measure {
  readonly #values: ValueTable

  constructor(events: EventPool, seed: number) {
    this.#values = new ValueTable(events, seed)
  }

  add(group: number, event: number, value: MeasuredValue): void {
    this.#values.add(group, event, value)
  }

  remove(_group: number, event: number): void {
    this.#values.remove(event)
  }

  forget(): void {
    // Every value was counted out.
  }

  valueOf(_group: number, { count, last }: GroupView): number | undefined {
    return count === 0 ? undefined : (100 * this.#values.countOf(last)) / count
  }

  broughtBy(event: number): string {
    return this.#values.valueOf(event)
  }

  byteLength(): number {
    return this.#values.byteLength()
  }
}

function withRoomFor(slot: number, column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  return slot < column.length ? column : copyOf(column, new Int32Array(Math.max(grown(column.length), slot + 1)))
}
