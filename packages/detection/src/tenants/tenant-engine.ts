import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { Engine, parseEvent } from '@tripline/engine'
import type {
  CompiledCorrelation, CompiledRule, CorrelationMatch, EventObject, LinesOutcome, MalformedLine, Match, PushOptions,
  RuleCost, RuleHealth, RuleSet,
} from '@tripline/engine'
import type { EventRef } from '@tripline/formats/event/event-id'
import type { AlertCorrelation } from '@tripline/model/alert'
import { deriveMatchId } from '@tripline/model/ids'
import type { MatchOrigin } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { getAcceptedEventRef } from '../stages/event-message.ts'
import type { EventHeader } from '../stages/event-message.ts'
import { RecentEvents } from './recent-events.ts'
import type { RuleCounts } from './rule-counts.ts'

/** The rules that a tenant runs. */
export type ActiveRules = {
  readonly ruleSet: RuleSet
  /** The version of each rule, which is part of the ids of its matches. */
  readonly versions: ReadonlyMap<string, number>
}

/** An event as the stage has read it. */
export type DetectedEvent = {
  readonly head: EventHeader
  readonly bytes: Uint8Array
  /** The event object for the rules; undefined where the engine reads the bytes, which are one line then. */
  readonly event: EventObject | undefined
}

/** The matches of events, and the events, by position, that are malformed. */
type EvaluationResult = { readonly matches: readonly DetectedMatch[]; readonly malformed: readonly MalformedLine[] }

/** A match and the event that it shows. */
export type DetectedMatch = {
  readonly id: string
  readonly rule: CompiledRule | CompiledCorrelation
  readonly matchedAt: number
  readonly event: EventObject
  /** The event as it arrived, as text. */
  readonly evidence: string
  readonly ruleVersion: number
  /** Identifies the stored event; undefined where none is shown. */
  readonly eventRef: EventRef | undefined
  /** The other stored events that a correlation counted, oldest first, as far as they are known. */
  readonly memberRefs: readonly EventRef[]
  /** What a correlation found; undefined for a detection rule. */
  readonly correlation?: AlertCorrelation
}

/** The position of a tenant's detection in its stream. */
export type DetectionPosition = {
  /** The offset on `raw-events` of the last evaluated event; -1 before the first. */
  readonly mark: number
  /** The sequence number of the next event in the engine's stream. */
  readonly sequence: number
  readonly lastReceivedAt: number
  /** The event time when the last event had been evaluated; undefined if no event had one. */
  readonly timeAt: number | undefined
}

export const initialPosition: DetectionPosition = { mark: -1, sequence: 0, lastReceivedAt: 0, timeAt: undefined }

type TenantEngineOptions = {
  readonly tenant: TenantId
  readonly rules: ActiveRules
  readonly counts: RuleCounts
  readonly position: DetectionPosition
}

const lineEnd = Buffer.from('\n')

/**
 * The engine of one tenant. It is deterministic: the same messages give the same matches with the same ids, whatever
 * the batches and checkpoints, because time comes from events and from ticks among them.
 */
export class TenantEngine {
  readonly #tenant: TenantId
  readonly #counts: RuleCounts
  readonly #engine: Engine
  readonly #recent = new RecentEvents()
  #versions: ReadonlyMap<string, number>
  #position: DetectionPosition

  constructor({ tenant, rules: { ruleSet, versions }, counts, position }: TenantEngineOptions) {
    this.#tenant = tenant
    this.#versions = versions
    this.#counts = counts
    this.#position = position
    const { allowedLatenessMs, futureToleranceMs, groupsMax: groups, eventsMax: events } = limits.correlation
    const onTaken = (sequence: number): void => this.#recent.noteMember(sequence)
    this.#engine = new Engine(ruleSet, { correlation: { allowedLatenessMs, futureToleranceMs, stateMax: { groups, events }, onTaken } })
    counts.attach(this.#engine)
  }

  get position(): DetectionPosition {
    return this.#position
  }

  /** Events that came too late for correlations, and correlation state evicted for space. */
  get correlation(): { readonly late: number; readonly evicted: number } {
    return this.#engine.correlation ?? { late: 0, evicted: 0 }
  }

  /** Events and values that correlations remember, and those that wait. */
  get stateSize(): number {
    const { events = 0, pending = 0 } = this.#engine.correlation ?? {}
    return events + pending
  }

  /** How far events came with each running rule, by id; correlations are not included. */
  get health(): ReadonlyMap<string, RuleHealth> {
    return new Map(this.#engine.ruleHealth().map((health) => [health.id, health]))
  }

  /** The correlations that lost state within their last timespan, so that matches may be missing, by id. */
  get degradedRules(): ReadonlySet<string> {
    return new Set(this.#engine.correlationHealth().filter(({ isDegraded }) => isDegraded).map(({ id }) => id))
  }

  /** The cost of each rule. */
  get ruleCosts(): readonly RuleCost[] {
    return this.#engine.ruleCosts()
  }

  /** Whether there are windows that only time ends. */
  get isWaiting(): boolean {
    const { groups = 0, pending = 0 } = this.#engine.correlation ?? {}
    return groups > 0 || pending > 0
  }

  /**
   * Evaluates events that arrived at one moment, all as bytes or all as objects; the caller leaves out those that were
   * evaluated before.
   */
  evaluate(events: readonly DetectedEvent[]): EvaluationResult {
    const [first] = events
    const last = events.at(-1)
    if (first === undefined || last === undefined) return { matches: [], malformed: [] }
    const { receivedAt } = first.head
    const { sequence } = this.#position
    this.#counts.roll(receivedAt)
    if (this.#engine.ruleSet.correlations.length > 0) {
      for (const [i, { head, bytes }] of events.entries()) this.#recent.add(sequence + i, { bytes, ref: getAcceptedEventRef(head) })
    }
    const { matches, malformed } = this.#push(events, { sequence, receivedAt })
    this.#moveTo(last.head, sequence + events.length)
    return { matches: matches.map((match) => this.#toMatch(match, events, receivedAt)), malformed }
  }

  #push(events: readonly DetectedEvent[], place: PushOptions): Pick<LinesOutcome, 'matches' | 'malformed'> {
    const objects = events.map(({ event }) => event).filter((event) => event !== undefined)
    if (objects.length === events.length) return { matches: this.#engine.push(objects, place), malformed: [] }
    return this.#engine.pushBytes(Buffer.concat(events.flatMap(({ bytes }) => [bytes, lineEnd])), place)
  }

  /** Skips an event that cannot be evaluated. */
  skip({ head }: DetectedEvent): void {
    this.#moveTo(head, this.#position.sequence + 1)
  }

  /** Advances event time during silence, somewhat behind the clock, because senders may only pause. */
  tick(tickAt: number): DetectedMatch[] {
    const { timeAt, lastReceivedAt } = this.#position
    const silentMs = tickAt - lastReceivedAt - limits.pipeline.silenceMs
    if (timeAt === undefined || silentMs <= 0) return []
    const matches = this.#engine.advance(timeAt + silentMs)
    return matches.map((match) => this.#toMatch(match, [], tickAt))
  }

  /** Swaps the rules from the next event on; unchanged rules keep their state. */
  useRules({ ruleSet, versions }: ActiveRules): void {
    this.#counts.countAcrossSwap(() => this.#engine.swap(ruleSet))
    this.#versions = versions
  }

  /** Continues from a snapshot and the events that its windows may show. Yields to others. @throws SnapshotError */
  async restore(snapshot: Uint8Array, events: Uint8Array): Promise<void> {
    const steps = this.#engine.restoreInSteps(snapshot)
    while (steps.next().done !== true) await othersFirst()
    this.#recent.load(events)
  }

  /**
   * Evicts correlation state over a share, what was quiet longest first; it is counted. Yields to others. What was evicted
   * depends on other tenants, so that replayed messages may then match otherwise than before.
   */
  async trimState(share: number): Promise<void> {
    while (!this.#engine.trimCorrelations(share)) await othersFirst()
  }

  /** The engine's snapshot in chunks; nothing may be evaluated before the last is taken. */
  snapshotChunks(): Iterable<Uint8Array> {
    return this.#engine.snapshotChunks()
  }

  /** Encodes the events that windows may show, for a checkpoint. */
  saveEvents(): Promise<Uint8Array> {
    return this.#recent.save(this.#engine.shownSequences())
  }

  #moveTo({ offset, receivedAt }: EventHeader, sequence: number): void {
    const { newestAt } = this.#engine
    const lastReceivedAt = Math.max(receivedAt, this.#position.lastReceivedAt)
    this.#position = { mark: offset, sequence, lastReceivedAt, timeAt: Number.isFinite(newestAt) ? newestAt : undefined }
  }

  #toMatch(match: Match, events: readonly DetectedEvent[], decidedAt: number): DetectedMatch {
    this.#counts.addMatch(match.rule.id)
    if (match.kind === 'correlation') return this.#toCorrelationMatch(match, decidedAt)
    const { head, bytes } = events[match.row]!
    const { receivedAt, id, offset } = head
    const { rule, event } = match
    return {
      id: this.#createMatchId(rule.id, { acceptedAt: receivedAt, eventId: id, eventOffset: offset }),
      rule, matchedAt: receivedAt, event, evidence: decodeUtf8(bytes), eventRef: getAcceptedEventRef(head),
      memberRefs: [], ruleVersion: this.#getVersion(rule.id),
    }
  }

  /** A correlation match shows its newest event; group, time and shared value distinguish it from others of that event. */
  #toCorrelationMatch(match: CorrelationMatch, matchedAt: number): DetectedMatch {
    const { rule, group, decidedAt, events, newest, sharedValue, conditions, isDegraded, approximate } = match
    const { sequence } = newest
    const recent = this.#recent.get(sequence)
    const evidence = recent === undefined ? JSON.stringify(Object.fromEntries(group)) : decodeUtf8(recent.bytes)
    const eventId = JSON.stringify([decidedAt, ...group, ...(sharedValue === undefined ? [] : [sharedValue])])
    return {
      id: this.#createMatchId(rule.id, { acceptedAt: matchedAt, eventId, eventOffset: sequence }),
      rule, matchedAt, event: parseEvidence(evidence), evidence, eventRef: recent?.ref, ruleVersion: this.#getVersion(rule.id),
      memberRefs: this.#recent.listMemberRefs(events.map((event) => event.sequence).filter((member) => member !== sequence)),
      correlation: { condition: conditions.join('; '), isDegraded, opensIncident: rule.rule.correlation.opensIncident, approximate },
    }
  }

  #createMatchId(ruleId: string, origin: Pick<MatchOrigin, 'acceptedAt' | 'eventId' | 'eventOffset'>): string {
    return deriveMatchId({ tenant: this.#tenant, ruleId, ruleVersion: this.#getVersion(ruleId), ...origin })
  }

  #getVersion(ruleId: string): number {
    return this.#versions.get(ruleId) ?? 1
  }
}

function parseEvidence(text: string): EventObject {
  const parsed = parseEvent(text.trim())
  return 'event' in parsed ? parsed.event : {}
}
