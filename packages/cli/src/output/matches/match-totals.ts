import { levels } from '@tripline/engine'
import { limits } from '../../limits.ts'
import type { DescribedMatch } from './describe-match.ts'

export type RuleTotal = {
  readonly rule: DescribedMatch['rule']
  readonly count: number
  readonly firstAt: number | undefined
  readonly lastAt: number | undefined
}
export type NameTotal = { readonly name: string; readonly count: number }
export type TimeTotal = { readonly startsAt: number; readonly count: number }

/** Adds up matches by rule, host, user and time, in memory that does not grow with their number. */
export class MatchTotals {
  matchCount = 0
  firstAt: number | undefined
  lastAt: number | undefined
  readonly #rules = new Map<string, RuleTotal>()
  readonly #hosts = new Map<string, number>()
  readonly #users = new Map<string, number>()
  /** Matches by minute, of longer times by coarser steps. */
  #minutes = new Map<number, number>()
  #stepMs = 60_000

  add({ rule, at, host, user }: DescribedMatch): void {
    this.matchCount++
    const before = this.#rules.get(rule.id)
    this.#rules.set(rule.id, {
      rule, count: (before?.count ?? 0) + 1, firstAt: earlier(before?.firstAt, at), lastAt: later(before?.lastAt, at),
    })
    count(this.#hosts, host)
    count(this.#users, user)
    this.firstAt = earlier(this.firstAt, at)
    this.lastAt = later(this.lastAt, at)
    if (at !== undefined) this.#countTime(at)
  }

  /** Rules by level, the most severe first, and then by matches. */
  get rules(): readonly RuleTotal[] {
    const rank = ({ rule: { level } }: RuleTotal): number => level === undefined ? -1 : levels.indexOf(level)
    return [...this.#rules.values()].sort((a, b) => rank(b) - rank(a) || b.count - a.count)
  }

  get hosts(): readonly NameTotal[] {
    return sortTotals(this.#hosts)
  }

  get users(): readonly NameTotal[] {
    return sortTotals(this.#users)
  }

  /** Matches over time, in at most `bucketsMax` equal steps from the first to the last; steps without matches have 0. */
  listTimes(bucketsMax: number): readonly TimeTotal[] {
    if (this.firstAt === undefined || this.lastAt === undefined) return []
    const begin = Math.floor(this.firstAt / this.#stepMs) * this.#stepMs
    const steps = Math.floor((this.lastAt - begin) / this.#stepMs) + 1
    const widthMs = chooseWidth(Math.ceil(steps / bucketsMax) * this.#stepMs)
    const start = Math.floor(begin / widthMs) * widthMs
    const bucketCount = Math.floor((this.lastAt - start) / widthMs) + 1
    const buckets = Array.from({ length: bucketCount }, (_, i) => ({ startsAt: start + i * widthMs, count: 0 }))
    for (const [step, total] of this.#minutes) buckets[Math.max(0, Math.floor((step - start) / widthMs))]!.count += total
    return buckets
  }

  #countTime(at: number): void {
    const step = Math.floor(at / this.#stepMs) * this.#stepMs
    this.#minutes.set(step, (this.#minutes.get(step) ?? 0) + 1)
    if (this.#minutes.size <= limits.totalledNamesMax) return
    this.#stepMs *= 60
    const coarser = new Map<number, number>()
    for (const [minute, total] of this.#minutes) {
      const hour = Math.floor(minute / this.#stepMs) * this.#stepMs
      coarser.set(hour, (coarser.get(hour) ?? 0) + total)
    }
    this.#minutes = coarser
  }
}

/** Widths of buckets that people read: minutes, hours and days. */
const widthsMs = [1, 5, 15, 30, 60, 180, 360, 720, 1_440, 10_080, 43_200, 525_600].map((minutes) => minutes * 60_000)

function chooseWidth(leastMs: number): number {
  const last = widthsMs.at(-1)!
  return widthsMs.find((width) => width >= leastMs) ?? Math.ceil(leastMs / last) * last
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}

const others = '(others)'

function count(totals: Map<string, number>, name: string): void {
  if (name === '') return
  const key = totals.size < limits.totalledNamesMax || totals.has(name) ? name : others
  totals.set(key, (totals.get(key) ?? 0) + 1)
}

function sortTotals(totals: ReadonlyMap<string, number>): NameTotal[] {
  return Array.from(totals, ([name, total]) => ({ name, count: total })).sort((a, b) => b.count - a.count)
}
