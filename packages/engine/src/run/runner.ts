import { Batch } from '../event/batch.ts'
import type { Logsource, NormalizedEvent } from '../event/event.ts'
import type { FieldTable } from '../event/field-table.ts'
import { limits } from '../limits.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import type { Matcher } from '../predicate/matcher.ts'
import { MatchCache } from './match-cache.ts'
import { listActiveNumbers, RouteIndex } from './route-index.ts'
import type { RuleSetPart } from './route-index.ts'
import type { RuleCounters } from './rule-counters.ts'
import { UndecidedRows } from './undecided-rows.ts'
import type { Hit } from './undecided-rows.ts'

/** The part of a rule set that a runner uses. */
type RunnerRules = {
  readonly parts: readonly RuleSetPart[]
  /** The fields that matchers read. */
  readonly fields: FieldTable
  readonly getMatcher: (number: number) => Matcher
}

/** Options of a runner. */
export type RunnerOptions = {
  readonly taxonomy: 'auto' | 'none'
  /** Whether every rule is tried on events of unknown logsource. */
  readonly isLenient: boolean
  /** Whether to run the matcher of every rule of the route without an index: the slow reference. */
  readonly isPlain: boolean
  /** A clock in nanoseconds; without it there are no times. */
  readonly now: (() => number) | undefined
}

/** The initial state of a runner. */
type RunnerState = {
  /** The counters that it updates. */
  readonly counters: RuleCounters
  /** Numbers of rules that it does not run. */
  readonly excluded: ReadonlySet<number>
  /** A runner with flushed counters; its caches of shared indexes are kept. */
  readonly previous?: Runner
}

/** The indexes that match events of certain logsources: one for each part of the rule set with rules for them. */
export type RunnerRoute = { readonly indexes: readonly RouteIndex[]; eventCount: number }

/** Runs the rules of one rule set on batches of events, through match caches. */
export class Runner {
  readonly #rules: RunnerRules
  readonly #options: RunnerOptions
  #caches: readonly MatchCache[]
  readonly #routes = new Map<readonly Logsource[] | 'all', RunnerRoute>()
  readonly #counters: RuleCounters
  /** The parts of the rule set, without the excluded rules. */
  readonly #parts: readonly RuleSetPart[]
  /** By part: the numbers of the excluded rules in the index. */
  readonly #excluded: readonly (readonly number[])[]

  constructor(rules: RunnerRules, options: RunnerOptions, { counters, excluded, previous }: RunnerState) {
    this.#rules = rules
    this.#options = options
    this.#counters = counters
    this.#parts = rules.parts.map((part) => excludeRules(part, excluded))
    this.#excluded = rules.parts.map((part) => listExcluded(part, excluded))
    this.#caches = rules.parts.map(({ index }, i) => {
      const known = previous?.findCache(index)
      return known?.profile.excludesExactly(this.#excluded[i]!) === true ? known : this.#createCache(index, i)
    })
  }

  /** The caches by part; a different list once full caches were replaced. */
  get caches(): readonly MatchCache[] {
    return this.#caches
  }

  get taxonomy(): 'auto' | 'none' {
    return this.#options.taxonomy
  }

  /** Whether flat Windows events can be matched without parsing. */
  get readsFlatEvents(): boolean {
    return this.#options.taxonomy === 'auto' && !this.#options.isPlain
  }

  /** Whether every rule of a route is evaluated on each event, without a search for candidates. */
  get isPlain(): boolean {
    return this.#options.isPlain
  }

  /** The names of the fields that the rules read. */
  get fieldNames(): readonly string[] {
    return this.#rules.parts.flatMap(({ index: { fields, pairs } }) => (
      [...fields.filter((name) => name !== undefined), ...pairs.flatMap(({ field, other }) => [field, other])]
    ))
  }

  /** The route of events with these logsources, which are interned; `all` selects all rules. */
  getRoute(logsources: readonly Logsource[] | 'all'): RunnerRoute {
    const known = this.#routes.get(logsources)
    if (known !== undefined) return known
    const sections = this.#parts.map((part, i) => new RouteIndex(part, this.#caches[i]!, logsources))
    const route: RunnerRoute = { indexes: sections.filter(({ isEmpty }) => !isEmpty), eventCount: 0 }
    this.#routes.set(logsources, route)
    return route
  }

  /** The route of an event; one of unknown logsource has all rules if the runner is lenient. */
  findRoute({ logsources }: NormalizedEvent): RunnerRoute {
    return this.getRoute(logsources.length === 0 && this.#options.isLenient ? 'all' : logsources)
  }

  /** Matches a batch; the hits are ordered by row and then by rule. */
  run(events: readonly NormalizedEvent[]): Hit[] {
    this.renewFullCaches()
    const hits: Hit[] = []
    const undecidedRows = new UndecidedRows()
    for (const [row, event] of events.entries()) {
      const route = this.findRoute(event)
      route.eventCount++
      for (const index of route.indexes) {
        if (this.#options.isPlain) for (const number of index.rules) undecidedRows.add(number, row)
        else decideEvent(index, event, row, hits, undecidedRows)
      }
    }
    this.#evaluateRows(events, undecidedRows, hits)
    return hits.sort((a, b) => a.row - b.row || a.number - b.number)
  }

  /** Runs the matchers of undecided rules and returns those that match; `read` supplies the events of rows, each once. */
  evaluateUndecided(undecided: readonly Hit[], read: (rows: readonly number[]) => readonly NormalizedEvent[]): Hit[] {
    if (undecided.length === 0) return []
    const rows = [...new Set(undecided.map(({ row }) => row))]
    const places = new Map(rows.map((row, place) => [row, place]))
    const undecidedRows = new UndecidedRows()
    for (const { row, number } of undecided) undecidedRows.add(number, places.get(row)!)
    const hits: Hit[] = []
    this.#evaluateRows(read(rows), undecidedRows, hits)
    return hits.map(({ row, number }) => ({ row: rows[row]!, number }))
  }

  /** The part of the rule set that a cache belongs to. */
  getPart(cache: MatchCache): RuleSetPart {
    return this.#parts[this.#caches.indexOf(cache)]!
  }

  #evaluateRows(events: readonly NormalizedEvent[], undecidedRows: UndecidedRows, hits: Hit[]): void {
    undecidedRows.evaluate(new Batch(events, this.#rules.fields), (number) => this.#rules.getMatcher(number), hits, this.#counters)
  }

  /** Counts the events routed to a rule, given its number in the rule set. */
  countRoutedEvents(number: number): number {
    this.#flushEventCounts()
    return this.#counters.metEvents[number]!
  }

  /** Flushes all measurements to the counters and returns them. */
  flushCounters(): RuleCounters {
    this.#flushEventCounts()
    for (const [i, { numbers }] of this.#parts.entries()) this.#caches[i]!.profile.flushTo(numbers, this.#counters)
    for (const { seenFields } of this.#caches) for (const field of seenFields) this.#counters.seenFields?.add(field)
    this.#counters.flushTimes()
    return this.#counters
  }

  /** The cache of an index; undefined if the rule set does not contain the index. */
  findCache(index: RuleIndex): MatchCache | undefined {
    return this.#caches.find((cache) => cache.index === index)
  }

  /** Replaces the caches if one is full, and returns whether it did: hostile events can fill any cache. */
  renewFullCaches(): boolean {
    if (!this.#caches.some(({ isFull }) => isFull) && this.#routes.size <= limits.routesMax) return false
    this.flushCounters()
    this.#routes.clear()
    this.#caches = this.#parts.map(({ index }, part) => this.#createCache(index, part))
    return true
  }

  #createCache(index: RuleIndex, part: number): MatchCache {
    const cache = new MatchCache(index, this.#options.now)
    cache.profile.exclude(this.#excluded[part]!)
    return cache
  }

  /** Adds the event counts of routes to those of their rules. */
  #flushEventCounts(): void {
    const routes = [...this.#routes.values()].filter(({ eventCount }) => eventCount > 0)
    if (routes.length === 0) return
    const parts = this.#parts
    const eventsOfGroup = parts.map(({ index }) => new Float64Array(index.groupCount))
    for (const route of routes) {
      for (const { part, cache, route: number } of route.indexes) {
        const events = eventsOfGroup[parts.indexOf(part)]!
        for (const [group, isOfRoute] of cache.getRoute(number).groups.entries()) events[group]! += isOfRoute * route.eventCount
      }
      route.eventCount = 0
    }
    for (const [i, { index, numbers }] of parts.entries()) {
      const events = eventsOfGroup[i]!
      const { metEvents } = this.#counters
      for (let rule = 0; rule < numbers.length; rule++) {
        if (numbers[rule] !== -1) metEvents[numbers[rule]!]! += events[index.groupByRule[rule]!]!
      }
    }
  }
}

function listExcluded({ numbers }: RuleSetPart, excluded: ReadonlySet<number>): readonly number[] {
  return excluded.size === 0 ? [] : [...numbers.keys()].filter((rule) => excluded.has(numbers[rule]!))
}

function excludeRules(part: RuleSetPart, excluded: ReadonlySet<number>): RuleSetPart {
  if (excluded.size === 0) return part
  return { index: part.index, numbers: part.numbers.map((number) => (excluded.has(number) ? -1 : number)) }
}

function decideEvent(index: RouteIndex, event: NormalizedEvent, row: number, hits: Hit[], undecidedRows: UndecidedRows): void {
  const decision = index.decide(event)
  if (decision === undefined) return
  for (const number of listActiveNumbers(decision.matched, index.part)) hits.push({ row, number })
  for (const number of listActiveNumbers(decision.undecided, index.part)) undecidedRows.add(number, row)
}
