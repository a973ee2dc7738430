import type { CorrelationMatch } from './correlation/correlation-match.ts'
import type { CorrelationCounts, CorrelationHealth, CorrelationOptions } from './correlation/correlation-options.ts'
import { noState, skipState } from './correlation/correlator-state.ts'
import type { LoadedState } from './correlation/correlator-state.ts'
import type { Correlator } from './correlation/correlator.ts'
import type { IdleCorrelation } from './correlation/plan.ts'
import type { NormalizedEvent } from './event/event.ts'
import { FieldReader } from './event/field-reader.ts'
import { EventRingBuffer } from './event/ring-buffer.ts'
import type { RingBufferLimits } from './event/ring-buffer.ts'
import { toTexts } from './event/value.ts'
import type { FieldValue } from './event/value.ts'
import type { RuleSet } from './rule-set.ts'
import { readSnapshotInSteps, writeSnapshot, writeSnapshotChunks } from './snapshot/snapshot.ts'
import type { EngineState } from './snapshot/engine-state.ts'
import { Suppressor } from './suppressor.ts'
import type { Suppression } from './suppressor.ts'
import { findEventTime } from './taxonomy/event-time.ts'

/** What an engine remembers of its stream. */
export type StreamOptions = {
  /**
   * How correlation rules are run; false runs none, and the matches of rules that they name come out like those of
   * any other rule, for a `Correlator` elsewhere.
   */
  readonly correlation?: CorrelationOptions | false
  /** Matches to hold back because they are like others. Without it, none are. */
  readonly suppressions?: readonly Suppression[]
  /** Keeps the last events, to be read by number and time (`Engine.ring`). Without it, none are kept. */
  readonly ring?: RingBufferLimits
}

let CorrelatorClass: typeof Correlator | undefined

/** Provides what runs correlations; `provide-correlator.ts` calls it. Programs whose rule sets have none do without it. */
export function provideCorrelator(correlator: typeof Correlator): void {
  CorrelatorClass = correlator
}

/** Where events stand in the stream, and when they arrived, in milliseconds since the epoch, if that is known. */
export type StreamPlace = { readonly sequence: number; readonly receivedAt: number | undefined }

/**
 * What an engine knows of the events that it has seen: what correlations and suppressions remember, the last
 * events themselves, and where the stream stands.
 */
export class StreamState {
  readonly ring: EventRingBuffer | undefined
  readonly #correlation: CorrelationOptions | false
  readonly #suppressor: Suppressor | undefined
  #correlator: Correlator | undefined
  #sequence = 0

  constructor(ruleSet: RuleSet, { correlation = {}, suppressions = [], ring }: StreamOptions) {
    this.#correlation = correlation
    this.#suppressor = suppressions.length === 0 ? undefined : new Suppressor(suppressions)
    this.ring = ring && new EventRingBuffer(ring)
    this.use(ruleSet)
  }

  /** Goes on with other rules; correlations that are defined as they were keep what they know. */
  use(ruleSet: RuleSet): void {
    if (this.#correlation === false || this.#correlator?.isOf(ruleSet) === true) return
    if (CorrelatorClass === undefined && ruleSet.correlations.length === 0) return
    this.#correlator = new (getCorrelatorClass())(ruleSet, { options: this.#correlation, before: this.#correlator })
  }

  /** What correlations have seen and hold; undefined where none are run. */
  get correlation(): CorrelationCounts | undefined {
    return this.#correlator?.counts
  }

  /** What each correlation remembers; none where none are run. */
  get correlationHealth(): readonly CorrelationHealth[] {
    return this.#correlator?.health ?? []
  }

  /** The time that the stream has come to by its events; minus infinity before the first that was correlated. */
  get newestAt(): number {
    return this.#correlator?.newestAt ?? -Infinity
  }

  get idleCorrelations(): readonly IdleCorrelation[] {
    return this.#correlator?.idle ?? []
  }

  get suppressedCount(): number {
    return this.#suppressor?.suppressedCount ?? 0
  }

  /** The number of the next event. */
  get sequence(): number {
    return this.#sequence
  }

  /** Tells how far the stream has come. */
  moveTo(sequence: number): void {
    this.#sequence = sequence
  }

  /**
   * Takes in that a detection rule, by its number and id, held on an event, and says whether that is a match to hand out:
   * not where it is for correlations only, or like one before that is to stand for it.
   */
  take(rule: { readonly number: number; readonly id: string }, place: StreamPlace, eventOf: () => NormalizedEvent): boolean {
    if (this.#correlator?.isFed(rule.number) === true) this.#correlator.take(rule.number, { ...place, event: eventOf() })
    if (this.#correlator?.isSilent(rule.number) === true) return false
    if (this.#suppressor === undefined) return true
    const event = eventOf()
    const at = findEventTime(event) ?? place.receivedAt ?? 0
    return this.#suppressor.admit({ ruleId: rule.id, at, valueOf: (field) => textOf(event, field) })
  }

  /** What correlations found since the last time, without what is held back. */
  settle(): CorrelationMatch[] {
    const found = this.#correlator?.settle() ?? []
    const suppressor = this.#suppressor
    if (suppressor === undefined) return found
    return found.filter(({ rule, decidedAt, group }) => {
      return suppressor.admit({ ruleId: rule.id, at: decidedAt, valueOf: (field) => group.get(field) ?? '' })
    })
  }

  /** Moves on to a time that was reached without events. Throws a RangeError for NaN. */
  advance(to: number): void {
    if (Number.isNaN(to)) throw new RangeError('the time to advance to is not a number')
    this.#correlator?.advance(to)
  }

  /** Puts events into the ring, which is there; `sequences` are their numbers, ascending. */
  keep(events: readonly NormalizedEvent[], sequences: Float64Array, receivedAt: number | undefined): void {
    const { ring } = this
    if (ring === undefined) return
    const tolerated = (receivedAt ?? Infinity) + futureToleranceOf(this.#correlation)
    const occurredAt = Float64Array.from(events, (event) => {
      const at = findEventTime(event)
      // What is from the future would push out all that is of today.
      if (at !== undefined && at <= tolerated) return at
      return receivedAt ?? (Number.isFinite(ring.newestAt) ? ring.newestAt : 0)
    })
    ring.append({ events, sequences, occurredAt })
  }

  /** All of it but the events themselves, as bytes. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return writeSnapshot(this.#save())
  }

  /** The same as chunks of bytes; nothing may be taken in before the last. */
  snapshotChunks(): Generator<Uint8Array<ArrayBuffer>, undefined> {
    return writeSnapshotChunks(this.#save())
  }

  /** The sequences of the events that matches of correlations may show next. */
  shownSequences(): Iterable<number> {
    return this.#correlator?.shownSequences() ?? []
  }

  /** Takes from correlations what is over a bound. Returns whether it is done, or wants to be called again. */
  trimCorrelations(eventsMax: number): boolean {
    return this.#correlator?.trim(eventsMax) ?? true
  }

  /** Goes on from what `snapshot` wrote, in short steps of work. @throws SnapshotError, with nothing changed */
  *restore(bytes: Uint8Array): Generator<undefined, LoadedState> {
    const state = yield* readSnapshotInSteps(bytes)
    this.#sequence = state.sequence
    const loaded = this.#correlator === undefined ? yield* skipState(state) : yield* this.#correlator.load(state)
    this.#suppressor?.load(state.suppressions)
    return loaded
  }

  #save(): EngineState {
    const correlations = this.#correlator?.save() ?? noState
    return { ...correlations, sequence: this.#sequence, suppressions: this.#suppressor?.save() ?? [] }
  }
}

function getCorrelatorClass(): typeof Correlator {
  if (CorrelatorClass !== undefined) return CorrelatorClass
  throw new Error('the rule set has correlations, which this program cannot run; load it with loadRuleSet')
}

function futureToleranceOf(correlation: CorrelationOptions | false): number {
  return (correlation === false ? undefined : correlation.futureToleranceMs) ?? 300_000
}

/** The value of a field as one text; nothing where it is absent. */
function textOf({ fields, aliases, ignoresNameCase }: NormalizedEvent, field: string): string {
  const values: FieldValue[] = []
  new FieldReader([field], aliases, ignoresNameCase).read(fields, values)
  const text = toTexts(values[0])
  return typeof text === 'string' ? text : (text ?? []).join(', ')
}
