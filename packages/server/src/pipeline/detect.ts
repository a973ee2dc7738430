import { Engine } from '@tripline/engine'
import type { CorrelationMatch, DetectionMatch, EventObject, RuleHealth, RuleSet } from '@tripline/engine'
import { matchId } from '../domain/ids.ts'
import type { MatchOrigin } from '../domain/ids.ts'
import { matchEventOf } from '../domain/match-event.ts'
import type { RuleMatch } from '../domain/match.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { MatchStore } from '../store/store.ts'
import { DayTotals } from './day-totals.ts'
import type { RuleTotals } from './day-totals.ts'

/** An event on a tenant's stream. */
export type AcceptedEvent = {
  /** Its place on the stream, from 0. */
  readonly offset: number
  readonly acceptedAt: number
  /** The id that its sender gave it. */
  readonly id: string | undefined
  readonly event: EventObject
}

/** What a tenant's detection runs on. */
export type DetectionOptions = {
  readonly tenant: TenantId
  readonly ruleSet: RuleSet
  /** The versions of rules that have another than 1; they go into the ids of matches. */
  readonly versions: ReadonlyMap<string, number>
  readonly matches: MatchStore
}

/** The stage that finds matches: one engine and its counts per tenant. */
export class Detection {
  readonly #options: DetectionOptions
  #versions: ReadonlyMap<string, number>
  readonly #engine: Engine
  readonly #matchCounts = new Map<string, number>()
  /** Those of rules as they were before they changed: the engine counts a changed rule anew. */
  readonly #earlierEvaluations = new Map<string, number>()
  readonly #day: DayTotals
  #lastPushAt: number | undefined

  constructor(options: DetectionOptions) {
    this.#options = options
    this.#versions = options.versions
    const { allowedLatenessMs, futureToleranceMs, ringEventsMax: eventsMax, ringBytesMax: bytesMax } = limits.correlation
    this.#engine = new Engine(options.ruleSet, {
      correlation: { allowedLatenessMs, futureToleranceMs },
      // A match of a correlation shows its newest event, which may have come some time before.
      ...(options.ruleSet.correlations.length > 0 && { ring: { eventsMax, bytesMax } }),
    })
    this.#day = new DayTotals(() => this.#allTotals())
  }

  /** Evaluates a batch, whose offsets go up one by one, and keeps its matches; when it resolves they can be read. */
  async push(batch: readonly AcceptedEvent[], nowMs: number): Promise<readonly RuleMatch[]> {
    this.#day.roll(nowMs)
    const found: RuleMatch[] = []
    const [first] = batch
    if (first === undefined) return found
    const place = { sequence: first.offset, receivedAt: first.acceptedAt }
    for (const match of this.#engine.push(batch.map(({ event }) => event), place)) {
      found.push(match.kind === 'detection' ? this.#matchOn(match, batch) : this.#matchOfSeveral(match, nowMs))
    }
    this.#lastPushAt = nowMs
    await this.#insert(found)
    return found
  }

  /**
   * Lets the time of events go on while none come, as fast as the clock's: windows end that only silence ends. Events
   * may be of another time than now; what was between the last ones and now is all that is added.
   */
  async tick(nowMs: number): Promise<void> {
    const { newestAt } = this.#engine
    if (!Number.isFinite(newestAt) || this.#lastPushAt === undefined) return
    const found = this.#engine.advance(newestAt + Math.max(0, nowMs - this.#lastPushAt))
    this.#lastPushAt = Math.max(nowMs, this.#lastPushAt)
    await this.#insert(found.map((match) => this.#matchOfSeveral(match, nowMs)))
  }

  /** Runs other rules from the next batch on; those that both sets have keep their counts, and correlations what they know. */
  useRules(ruleSet: RuleSet, versions: ReadonlyMap<string, number>): void {
    const before = this.#engine.ruleSet.rules.map(({ id }) => ({ id, evaluations: this.#engine.evaluationsOf(id) }))
    this.#engine.swap(ruleSet)
    this.#versions = versions
    for (const { id, evaluations } of before) {
      const gone = evaluations - this.#engine.evaluationsOf(id)
      if (gone > 0) this.#earlierEvaluations.set(id, (this.#earlierEvaluations.get(id) ?? 0) + gone)
    }
  }

  async #insert(found: readonly RuleMatch[]): Promise<void> {
    for (const { ruleId } of found) this.#matchCounts.set(ruleId, (this.#matchCounts.get(ruleId) ?? 0) + 1)
    if (found.length > 0) await this.#options.matches.insert(this.#options.tenant, found)
  }

  /** Events that came too late for correlations, and what these forgot for want of room. */
  get correlation(): { readonly late: number; readonly evicted: number } {
    return this.#engine.correlation ?? { late: 0, evicted: 0 }
  }

  /** How often events were routed to rules by logsource since the server started. */
  get evaluationCount(): number {
    const earlier = [...this.#earlierEvaluations.values()].reduce((sum, count) => sum + count, 0)
    return this.#engine.ruleSet.rules.reduce((sum, { id }) => sum + this.#engine.evaluationsOf(id), earlier)
  }

  /** What a rule has done since the server started; an evaluation is an event routed to it by logsource (D-13). */
  totalsOf(ruleId: string): RuleTotals {
    const evaluations = this.#engine.evaluationsOf(ruleId) + (this.#earlierEvaluations.get(ruleId) ?? 0)
    return { evaluations, matches: this.#matchCounts.get(ruleId) ?? 0 }
  }

  /** The same for the last 24 hours of the clock. */
  lastDayOf(ruleId: string, nowMs: number): RuleTotals {
    return this.#day.ofLastDay(ruleId, this.totalsOf(ruleId), nowMs)
  }

  /** How far events have come with each rule that runs, by id; correlations are not among them. */
  health(): ReadonlyMap<string, RuleHealth> {
    return new Map(this.#engine.ruleHealth().map((health) => [health.id, health]))
  }

  #matchOn({ rule, row, event }: DetectionMatch, batch: readonly AcceptedEvent[]): RuleMatch {
    const { acceptedAt, id: eventId, offset: eventOffset } = batch[row]!
    return this.#ruleMatch(rule.id, { acceptedAt, eventId, eventOffset }, event)
  }

  /** The match of a correlation shows its newest event; its group and time tell it from others that end with that. */
  #matchOfSeveral({ rule, group, decidedAt, events }: CorrelationMatch, nowMs: number): RuleMatch {
    const eventOffset = events.at(-1)!.sequence
    const event = this.#engine.ring?.get(eventOffset)?.event.fields ?? Object.fromEntries(group)
    const eventId = JSON.stringify([decidedAt, ...group])
    return this.#ruleMatch(rule.id, { acceptedAt: nowMs, eventId, eventOffset }, event)
  }

  #ruleMatch(ruleId: string, origin: Pick<MatchOrigin, 'acceptedAt' | 'eventId' | 'eventOffset'>, event: EventObject): RuleMatch {
    const { tenant } = this.#options
    const ruleVersion = this.#versions.get(ruleId) ?? 1
    return {
      id: matchId({ tenant, ruleId, ruleVersion, ...origin }),
      ruleId,
      matchedAt: origin.acceptedAt,
      event: matchEventOf(event, limits.matches.fieldLengthMax),
      verdict: 'unreviewed',
      reviewedBy: undefined,
      reviewedAt: undefined,
    }
  }

  #allTotals(): ReadonlyMap<string, RuleTotals> {
    const { rules, correlations } = this.#engine.ruleSet
    return new Map([...rules, ...correlations].map(({ id }) => [id, this.totalsOf(id)]))
  }
}
