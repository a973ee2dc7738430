import { copyOf, grown } from './key-table.ts'

/** Where no event is: the end of a list. */
export const noEvent = -1

/** What a correlation remembers of an event. */
export type RememberedEvent = {
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number
  /** Its number in the stream. */
  readonly sequence: number
  /** Which of the rules that the correlation names it matched, by place. */
  readonly member: number
}

/**
 * Events that windows hold, by number, in columns. Each knows the next one of its group. Numbers of events
 * that left are given to later ones.
 */
export class EventPool {
  #at = new Float64Array(16)
  #sequence = new Float64Array(16)
  #next = new Int32Array(16)
  #members: Uint8Array | undefined
  #data: Float64Array | undefined
  #end = 0
  #firstFree = noEvent
  #size = 0

  /** Members are kept only where there are several, and a number beside each event only where it is asked for. */
  constructor({ hasMembers, hasData }: { readonly hasMembers: boolean; readonly hasData: boolean }) {
    this.#members = hasMembers ? new Uint8Array(16) : undefined
    this.#data = hasData ? new Float64Array(16) : undefined
  }

  /** How many events it holds. */
  get size(): number {
    return this.#size
  }

  /** Bytes of memory that it takes. */
  get byteLength(): number {
    const extra = (this.#members?.byteLength ?? 0) + (this.#data?.byteLength ?? 0)
    return this.#at.byteLength + this.#sequence.byteLength + this.#next.byteLength + extra
  }

  /** Takes in an event, which is the last of its group's list. */
  add({ at, sequence, member }: RememberedEvent): number {
    const event = this.#place()
    this.#at[event] = at
    this.#sequence[event] = sequence
    this.#next[event] = noEvent
    if (this.#members !== undefined) this.#members[event] = member
    this.#size++
    return event
  }

  remove(event: number): void {
    this.#next[event] = this.#firstFree
    this.#firstFree = event
    this.#size--
  }

  link(event: number, next: number): void {
    this.#next[event] = next
  }

  at(event: number): number {
    return this.#at[event]!
  }

  sequence(event: number): number {
    return this.#sequence[event]!
  }

  next(event: number): number {
    return this.#next[event]!
  }

  member(event: number): number {
    return this.#members === undefined ? 0 : this.#members[event]!
  }

  /** The number beside an event; what it means is up to who sets it. */
  data(event: number): number {
    return this.#data === undefined ? 0 : this.#data[event]!
  }

  setData(event: number, data: number): void {
    if (this.#data === undefined) throw new Error('this pool keeps no numbers beside its events')
    this.#data[event] = data
  }

  #place(): number {
    const recycled = this.#firstFree
    if (recycled !== noEvent) {
      this.#firstFree = this.#next[recycled]!
      return recycled
    }
    if (this.#end === this.#at.length) this.#grow()
    return this.#end++
  }

  #grow(): void {
    const capacity = grown(this.#end)
    this.#at = copyOf(this.#at, new Float64Array(capacity))
    this.#sequence = copyOf(this.#sequence, new Float64Array(capacity))
    this.#next = copyOf(this.#next, new Int32Array(capacity))
    if (this.#members !== undefined) this.#members = copyOf(this.#members, new Uint8Array(capacity))
    if (this.#data !== undefined) this.#data = copyOf(this.#data, new Float64Array(capacity))
  }
}
