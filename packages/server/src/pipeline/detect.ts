import { Engine } from '@tripline/engine'
import type { EventObject, RuleSet } from '@tripline/engine'
import { matchId } from '../domain/ids.ts'
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
  /** The version of each rule, which goes into the ids of its matches. */
  readonly versions: ReadonlyMap<string, number>
  readonly matches: MatchStore
}

/** The stage that finds matches: one engine and its counts per tenant. */
export class Detection {
  readonly #options: DetectionOptions
  readonly #engine: Engine
  readonly #matchCounts = new Map<string, number>()
  readonly #day: DayTotals

  constructor(options: DetectionOptions) {
    this.#options = options
    this.#engine = new Engine(options.ruleSet, { correlation: false })
    this.#day = new DayTotals(() => this.#allTotals())
  }

  /** Evaluates a batch and keeps its matches; when it resolves they can be read. */
  async push(batch: readonly AcceptedEvent[], nowMs: number): Promise<void> {
    this.#day.roll(nowMs)
    const found: RuleMatch[] = []
    for (const match of this.#engine.push(batch.map((accepted) => accepted.event))) {
      if (match.kind === 'correlation') throw new Error(`the correlation ${match.rule.id} was run without being asked for`)
      const { rule, row, event } = match
      const accepted = batch[row]
      if (accepted === undefined) throw new Error(`the engine matched row ${row} of a batch of ${batch.length}`)
      this.#matchCounts.set(rule.id, (this.#matchCounts.get(rule.id) ?? 0) + 1)
      found.push(this.#matchOf(rule.id, accepted, event))
    }
    await this.#options.matches.insert(this.#options.tenant, found)
  }

  /** What a rule has done since the server started; an evaluation is an event routed to it by logsource (D-13). */
  totalsOf(ruleId: string): RuleTotals {
    return { evaluations: this.#engine.evaluationsOf(ruleId), matches: this.#matchCounts.get(ruleId) ?? 0 }
  }

  /** The same for the last 24 hours of the clock. */
  lastDayOf(ruleId: string, nowMs: number): RuleTotals {
    return this.#day.ofLastDay(ruleId, this.totalsOf(ruleId), nowMs)
  }

  #matchOf(ruleId: string, accepted: AcceptedEvent, event: EventObject): RuleMatch {
    const { tenant, versions } = this.#options
    const { acceptedAt, id: eventId, offset: eventOffset } = accepted
    const ruleVersion = versions.get(ruleId) ?? 1
    return {
      id: matchId({ tenant, ruleId, ruleVersion, acceptedAt, eventId, eventOffset }),
      ruleId,
      matchedAt: acceptedAt,
      event: matchEventOf(event, limits.matches.fieldLengthMax),
      verdict: 'unreviewed',
      reviewedBy: undefined,
      reviewedAt: undefined,
    }
  }

  #allTotals(): ReadonlyMap<string, RuleTotals> {
    return new Map(this.#options.ruleSet.rules.map(({ id }) => [id, this.totalsOf(id)]))
  }
}
