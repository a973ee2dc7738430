import { isJsonObject } from '@tripline/common/json'
import type { RuleSet } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import type { CheckpointChange, CheckpointStore } from '@tripline/state/ports/checkpoint-store'
import { printHeader, readHeader } from '../stages/checkpoint-header.ts'
import { DayTotals } from './day-totals.ts'
import type { HourTotals, RuleTotals } from './day-totals.ts'

/** What an engine counts for the rules of its rule set. */
type CountingEngine = { readonly ruleSet: RuleSet; readonly countEvaluations: (ruleId: string) => number }

const noTotals: RuleTotals = { evaluations: 0, matches: 0 }

const hourPrefix = 'hour '

/** The totals of each rule of a tenant since its creation: an evaluation is an event that was routed to the rule. */
export class RuleCounts {
  /** What was counted before the current engine. */
  readonly #before: Map<string, RuleTotals>
  readonly #matches = new Map<string, number>()
  readonly #days: DayTotals
  readonly #savedHours: Set<number>
  #engine: CountingEngine | undefined

  private constructor(before: Map<string, RuleTotals>, hours: readonly HourTotals[]) {
    this.#before = before
    this.#days = new DayTotals(() => this.#all(), hours)
    this.#savedHours = new Set(hours.map(({ hour }) => hour))
  }

  /** Continues from a checkpoint. */
  static async load(checkpoints: CheckpointStore, tenant: TenantId, stage: string): Promise<RuleCounts> {
    const hours: HourTotals[] = []
    for (const part of await checkpoints.parts(tenant, stage)) {
      if (!part.startsWith(hourPrefix)) continue
      hours.push({ hour: Number(part.slice(hourPrefix.length)), totals: readTotals(await checkpoints.load(tenant, stage, part)) })
    }
    hours.sort((a, b) => a.hour - b.hour)
    return new RuleCounts(readTotals(await checkpoints.load(tenant, stage, 'rules')), hours)
  }

  /** Counts what an engine does from now on. */
  attach(engine: CountingEngine): void {
    this.#engine = engine
  }

  /** Runs `swap`, which changes the engine's rules, and keeps the counts that the engine drops. */
  countAcrossSwap(swap: () => void): void {
    const engine = this.#engine
    if (engine === undefined) throw new Error('no engine is attached')
    const before = engine.ruleSet.rules.map(({ id }) => [id, engine.countEvaluations(id)] as const)
    swap()
    for (const [id, count] of before) {
      const { evaluations, matches } = this.#before.get(id) ?? noTotals
      this.#before.set(id, { evaluations: evaluations + count - engine.countEvaluations(id), matches })
    }
  }

  /** Call it before events that arrived then are evaluated. */
  roll(receivedAt: number): void {
    this.#days.roll(receivedAt)
  }

  addMatch(ruleId: string): void {
    this.#matches.set(ruleId, (this.#matches.get(ruleId) ?? 0) + 1)
  }

  getTotals(ruleId: string): RuleTotals {
    const { evaluations, matches } = this.#before.get(ruleId) ?? noTotals
    return {
      evaluations: evaluations + (this.#engine?.countEvaluations(ruleId) ?? 0),
      matches: matches + (this.#matches.get(ruleId) ?? 0),
    }
  }

  /** The same for the last 24 clock hours, to the hour. */
  getLastDay(ruleId: string, nowMs: number): RuleTotals {
    return this.#days.getLastDay(ruleId, this.getTotals(ruleId), nowMs)
  }

  /** The matches in each of the last 24 clock hours, oldest first. */
  getHourlyMatches(ruleId: string, nowMs: number): readonly number[] {
    return this.#days.getHourlyMatches(ruleId, this.getTotals(ruleId), nowMs)
  }

  /** The changes for a checkpoint; hours that are stored already are left out. */
  changes(): CheckpointChange {
    const hours = this.#days.hours
    const fresh = hours.filter(({ hour }) => !this.#savedHours.has(hour))
    const gone = [...this.#savedHours].filter((saved) => hours.every(({ hour }) => hour !== saved))
    const parts = fresh.map(({ hour, totals }) => [getPartName(hour), printTotals(totals)] as const)
    return {
      put: new Map([['rules', printTotals(this.#all())], ...parts]),
      drop: gone.map(getPartName),
    }
  }

  /** Call it once the changes are stored. */
  saved(): void {
    this.#savedHours.clear()
    for (const { hour } of this.#days.hours) this.#savedHours.add(hour)
  }

  #all(): ReadonlyMap<string, RuleTotals> {
    const { rules = [], correlations = [] } = this.#engine?.ruleSet ?? {}
    const ids = new Set([...this.#before.keys(), ...rules.map(({ id }) => id), ...correlations.map(({ id }) => id)])
    const all = [...ids].map((id) => [id, this.getTotals(id)] as const)
    return new Map(all.filter(([, { evaluations, matches }]) => evaluations > 0 || matches > 0))
  }
}

function getPartName(hour: number): string {
  return `${hourPrefix}${hour}`
}

function printTotals(totals: ReadonlyMap<string, RuleTotals>): Uint8Array {
  return printHeader(Object.fromEntries([...totals].map(([id, { evaluations, matches }]) => [id, { evaluations, matches }])))
}

function readTotals(bytes: Uint8Array | undefined): Map<string, RuleTotals> {
  return new Map(Object.entries(readHeader(bytes) ?? {}).map(([id, totals]) => {
    const { evaluations = 0, matches = 0 } = isJsonObject(totals) ? totals : {}
    return [id, { evaluations: Number(evaluations), matches: Number(matches) }]
  }))
}
