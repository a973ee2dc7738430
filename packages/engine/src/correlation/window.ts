import type { Correlation, FiringMode } from '../sigma/correlation.ts'
import { askedOf, shapeOf } from './asked.ts'
import type { Asked } from './asked.ts'
import { EventPool, noEvent } from './event-pool.ts'
import type { RememberedEvent } from './event-pool.ts'
import { fires } from './fires.ts'
import { GroupList } from './group-list.ts'
import { KeyTable, copyOf, grown, noSlot } from './key-table.ts'
import type { GroupView, MeasuredValue } from './measure.ts'

/** An event that a correlation takes in: what it remembers of it, its group, and what it brings along. */
export type Contribution = RememberedEvent & { readonly key: string; readonly value: MeasuredValue }

/** How much the windows of one correlation may hold. */
export type WindowBounds = {
  readonly groupsMax: number
  readonly groupEventsMax: number
}

/** How windows are kept. */
export type WindowOptions = {
  readonly mode: FiringMode
  readonly seed: number
  readonly bounds: WindowBounds
  /** By member: whether its matches are events themselves, not matches of a correlation. */
  readonly areEvents: readonly boolean[]
}

/** A group of which what is asked holds. */
export type Held = {
  readonly key: string
  /** When it was certain: with an event, or when a window closed. */
  readonly decidedAt: number
  /** The number that was compared. */
  readonly value: number | undefined
  /** What the window held, oldest first, at most as many as were asked for, of which the newest are there. */
  readonly events: readonly RememberedEvent[]
  readonly eventCount: number
}

/** How a group stands, for explanations. */
export type Standing = {
  readonly key: string
  readonly at: number
  readonly value: number | undefined
  /** Whether what is asked holds. */
  readonly holds: boolean
  /** The rules seen, by place among those that the correlation names. */
  readonly members: readonly number[]
}

/**
 * The windows of one correlation, one for each group (D-44). Events come in the order of their time. Sliding
 * windows hold what is younger than the timespan; closing ones begin with an event, end a timespan later and are
 * judged then.
 *
 * Groups stand in a list, sliding ones by their newest event, closing ones by their first: what is due next, to
 * be forgotten or judged, is at its head, and so is what goes first when there are too many.
 */
export class Windows {
  readonly #spanMs: number
  readonly #mode: FiringMode
  readonly #bounds: WindowBounds
  /** By member: whether an event that another member brought as well is counted once. */
  readonly #isOnce: readonly boolean[]
  readonly #keys: KeyTable
  readonly #events: EventPool
  readonly #asked: Asked
  #first = new Int32Array(16)
  #last = new Int32Array(16)
  #counts = new Int32Array(16)
  /** Of a sliding window, when its group last made a match; of a closing one, when it began. */
  #since = new Float64Array(16)
  /** Whether what is asked held when it was last looked at; of a closing window, whether it was decided early. */
  #held = new Uint8Array(16)
  readonly #groups = new GroupList()
  #evictedCount = 0
  /** One for all groups: made anew for each event, views would be most of what is thrown away. */
  readonly #view: { -readonly [key in keyof GroupView]: GroupView[key] }
  /** The groups that the newest event is in. They are judged once all that it brings is there. */
  readonly #unjudged: number[] = []
  #newestAt = -Infinity
  #newestSequence = -1

  constructor(correlation: Correlation, options: WindowOptions) {
    this.#spanMs = correlation.timespanMs
    this.#mode = correlation.firing ?? options.mode
    this.#bounds = options.bounds
    const tellsMembers = correlation.type === 'temporal' || correlation.type === 'temporal_ordered'
    this.#isOnce = options.areEvents.map((isEvent) => isEvent && !tellsMembers)
    this.#keys = new KeyTable(options.seed)
    this.#events = new EventPool(shapeOf(correlation))
    this.#asked = askedOf(correlation, this.#events, options.seed)
    this.#view = { count: 0, first: noEvent, last: noEvent, events: this.#events }
  }

  get groupCount(): number {
    return this.#keys.size
  }

  get eventCount(): number {
    return this.#events.size
  }

  /** Events and groups that were forgotten before their time, because there were too many. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  /** Bytes of memory that the windows take. */
  get byteLength(): number {
    const lists = this.#first.byteLength + this.#last.byteLength + this.#groups.byteLength
    const columns = lists + this.#counts.byteLength + this.#since.byteLength + this.#held.byteLength
    return columns + this.#keys.byteLength + this.#events.byteLength + this.#asked.measure.byteLength()
  }

  get isClosing(): boolean {
    return this.#asked.isClosing
  }

  /** When the next window closes; undefined while none is open. */
  get nextCloseAt(): number | undefined {
    return this.isClosing && this.#groups.head !== noSlot ? this.#since[this.#groups.head]! + this.#spanMs : undefined
  }

  /**
   * Takes in an event that is not older than any before, or more of what the last one brings, and adds what came to
   * hold until then. What comes to hold with this event, `judge` and the next one say.
   */
  add(contribution: Contribution, held: Held[]): void {
    const { at, sequence, key } = contribution
    if (sequence !== this.#newestSequence || at !== this.#newestAt) {
      this.judge(held)
      this.closeUntil(at, held)
      if (!this.isClosing) this.#dropExpired(at)
      this.#newestAt = at
      this.#newestSequence = sequence
    }
    const group = this.#groupOf(key)
    if (!this.#unjudged.includes(group)) {
      if (!this.isClosing) this.#slide(group, at)
      this.#unjudged.push(group)
    }
    if (this.#isThere(group, contribution)) return
    this.#append(group, contribution)
    if (this.#counts[group] === 1 && this.isClosing) this.#since[group] = at
    if (!this.isClosing) this.#groups.moveToEnd(group)
    if (this.#counts[group]! > this.#bounds.groupEventsMax) {
      this.#dropFirst(group)
      this.#evictedCount++
    }
  }

  /** Judges the groups of the newest event, which has brought all that it does, and adds those of which what is asked holds. */
  judge(held: Held[]): void {
    for (let group = this.#unjudged.shift(); group !== undefined; group = this.#unjudged.shift()) this.#judge(group, this.#newestAt, held)
  }

  /** Judges the windows that end at a time or before, and adds those of which what is asked holds. */
  closeUntil(at: number, held: Held[]): void {
    for (let closeAt = this.nextCloseAt; closeAt !== undefined && closeAt <= at; closeAt = this.nextCloseAt) {
      const group = this.#groups.head
      const wasDecided = this.#held[group] === 1
      if (!wasDecided && this.#asked.holds(group, this.#viewOf(group))) held.push(this.#heldBy(group, closeAt))
      this.#forget(group)
    }
  }

  /** Forgets the group that was quiet longest, or began first, and says whether there was one. */
  evictOldest(): boolean {
    if (this.#groups.head === noSlot) return false
    this.#evictedCount += this.#counts[this.#groups.head]!
    this.#forget(this.#groups.head)
    return true
  }

  /** How one group stands; undefined where there is none of this key. */
  standing(key: string): Standing | undefined {
    const group = this.#keys.find(key)
    return group === noSlot ? undefined : this.#standingOf(group)
  }

  /** What the windows hold, so that others can go on from it. */
  *save(): Generator<SavedGroup> {
    for (let group = this.#groups.head; group !== noSlot; group = this.#groups.after(group)) {
      const events: SavedEvent[] = []
      for (let event = this.#first[group]!; event !== noEvent; event = this.#events.next(event)) {
        events.push({ ...this.#rememberedOf(event), value: this.#asked.measure.broughtBy(event) })
      }
      yield { key: this.#keys.keyOf(group), since: this.#since[group]!, held: this.#held[group] === 1, events }
    }
  }

  /** Takes in a group that windows of the same definition held, behind all that it has. */
  load({ key, since, held, events }: SavedGroup): void {
    const group = this.#groupOf(key)
    for (const event of events) this.#append(group, event)
    this.#groups.moveToEnd(group)
    this.#since[group] = since
    this.#held[group] = Number(held)
  }

  #append(group: number, remembered: SavedEvent): void {
    const event = this.#events.add(remembered)
    if (this.#last[group] === noEvent) this.#first[group] = event
    else this.#events.link(this.#last[group]!, event)
    this.#last[group] = event
    this.#counts[group]!++
    this.#asked.measure.add(group, event, remembered.value)
  }

  /** Whether a group has an event already, because another of the rules matched it too: it is one event all the same. */
  #isThere(group: number, { sequence, member }: Contribution): boolean {
    const last = this.#last[group]!
    if (!this.#isOnce[member] || last === noEvent || this.#events.sequence(last) !== sequence) return false
    const lastMember = this.#events.member(last)
    return lastMember !== member && this.#isOnce[lastMember] === true
  }

  /** Lets a group's window slide to a time; what was asked may have ceased to hold just before. */
  #slide(group: number, at: number): void {
    this.#dropBefore(group, at - this.#spanMs)
    if (this.#held[group] === 1 && !this.#asked.isOfEvent && !this.#asked.holds(group, this.#viewOf(group))) this.#held[group] = 0
    this.#dropBefore(group, at - this.#spanMs + 1)
    if (this.#counts[group] === 0) this.#asked.measure.forget(group)
  }

  #dropBefore(group: number, time: number): void {
    while (this.#counts[group]! > 0 && this.#events.at(this.#first[group]!) < time) this.#dropFirst(group)
  }

  #judge(group: number, at: number, held: Held[]): void {
    const view = this.#viewOf(group)
    if (this.isClosing) {
      if (this.#held[group] === 1 || this.#asked.decided(group, view) !== true) return
      this.#held[group] = 1
      held.push(this.#heldBy(group, at))
      return
    }
    const didHold = this.#held[group] === 1
    const holds = this.#asked.holds(group, view)
    this.#held[group] = Number(holds)
    if (!holds || !fires(this.#mode, { didHold, sinceMatchMs: at - this.#since[group]!, timespanMs: this.#spanMs })) return
    this.#since[group] = at
    held.push(this.#heldBy(group, at))
    if (this.#mode === 'reset') this.#forget(group)
  }

  #heldBy(group: number, decidedAt: number): Held {
    const eventCount = this.#counts[group]!
    const events: RememberedEvent[] = []
    let skipped = Math.max(0, eventCount - shownEventsMax)
    for (let event = this.#first[group]!; event !== noEvent; event = this.#events.next(event)) {
      if (skipped > 0) skipped--
      else events.push(this.#rememberedOf(event))
    }
    const value = this.#asked.valueOf(group, this.#viewOf(group))
    return { key: this.#keys.keyOf(group), decidedAt, value, events, eventCount }
  }

  #rememberedOf(event: number): RememberedEvent {
    return { at: this.#events.at(event), sequence: this.#events.sequence(event), member: this.#events.member(event) }
  }

  #standingOf(group: number): Standing {
    const members = new Set<number>()
    for (let event = this.#first[group]!; event !== noEvent; event = this.#events.next(event)) members.add(this.#events.member(event))
    const at = this.#events.at(this.#last[group]!)
    const view = this.#viewOf(group)
    const [value, holds] = [this.#asked.valueOf(group, view), this.#asked.holds(group, view)]
    return { key: this.#keys.keyOf(group), at, value, holds, members: [...members] }
  }

  /** The events of a group; until it is asked for those of another. */
  #viewOf(group: number): GroupView {
    this.#view.count = this.#counts[group]!
    this.#view.first = this.#first[group]!
    this.#view.last = this.#last[group]!
    return this.#view
  }

  /** Forgets the groups of which nothing is left: their newest event has left the window. */
  #dropExpired(at: number): void {
    for (let group = this.#groups.head; group !== noSlot; group = this.#groups.head) {
      if (this.#events.at(this.#last[group]!) > at - this.#spanMs) return
      this.#forget(group)
    }
  }

  #groupOf(key: string): number {
    const knownCount = this.#keys.size
    const group = this.#keys.add(key)
    if (this.#keys.size === knownCount) return group
    // The new group is in no list yet, so that it is not what goes.
    while (this.#keys.size > this.#bounds.groupsMax && this.evictOldest());
    if (group >= this.#first.length) this.#grow(group + 1)
    this.#first[group] = noEvent
    this.#last[group] = noEvent
    this.#counts[group] = 0
    this.#since[group] = -Infinity
    this.#held[group] = 0
    this.#groups.append(group)
    return group
  }

  #forget(group: number): void {
    const unjudged = this.#unjudged.indexOf(group)
    if (unjudged !== -1) this.#unjudged.splice(unjudged, 1)
    while (this.#counts[group]! > 0) this.#dropFirst(group)
    this.#asked.measure.forget(group)
    this.#groups.remove(group)
    this.#keys.remove(group)
  }

  #dropFirst(group: number): void {
    const event = this.#first[group]!
    this.#asked.measure.remove(group, event)
    this.#first[group] = this.#events.next(event)
    if (--this.#counts[group]! === 0) this.#last[group] = noEvent
    this.#events.remove(event)
  }

  #grow(size: number): void {
    const capacity = Math.max(size, Math.min(grown(this.#first.length), this.#bounds.groupsMax))
    this.#first = copyOf(this.#first, new Int32Array(capacity))
    this.#last = copyOf(this.#last, new Int32Array(capacity))
    this.#counts = copyOf(this.#counts, new Int32Array(capacity))
    this.#groups.grow(capacity)
    this.#since = copyOf(this.#since, new Float64Array(capacity))
    this.#held = copyOf(this.#held, new Uint8Array(capacity))
  }
}

/** A group as it is saved, and an event of it. */
export type SavedGroup = {
  readonly key: string
  readonly since: number
  readonly held: boolean
  readonly events: readonly SavedEvent[]
}
export type SavedEvent = RememberedEvent & { readonly value: MeasuredValue }

/** Events of a window that a match names; there may be many thousands. */
const shownEventsMax = 100
