import { Batch } from '../event/batch.ts'
import type { Logsource, NormalizedEvent } from '../event/event.ts'
import type { FieldTable } from '../event/field-table.ts'
import { limits } from '../limits.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import type { Matcher } from '../predicate/matcher.ts'
import { MatchCache } from './match-cache.ts'
import { listActiveNumbers, RouteIndex } from './route-index.ts'
import type { RulePart } from './route-index.ts'
import type { RuleCounters } from './rule-counters.ts'
import { UndecidedRows } from './undecided-rows.ts'
import type { Hit } from './undecided-rows.ts'

/** What a runner needs of a rule set. */
export type RunnerRules = {
  readonly parts: readonly RulePart[]
  /** The fields that matchers read. */
  readonly fields: FieldTable
  readonly getMatcher: (number: number) => Matcher
}

/** How a runner reads events. */
export type RunnerOptions = {
  readonly taxonomy: 'auto' | 'none'
  /** Whether events of unknown logsource are tried on every rule. */
  readonly isLenient: boolean
  /** Whether the matcher of every rule of the route is asked: slow, and the measure of the other way. */
  readonly isPlain: boolean
  /** A clock in nanoseconds, where times are wanted. */
  readonly now: (() => number) | undefined
}

/** What a runner begins with. */
export type RunnerState = {
  /** Where it counts. */
  readonly counters: RuleCounters
  /** Numbers of rules that it does not run. */
  readonly excluded: ReadonlySet<number>
  /** A runner whose tally is settled; what it has learned of parts that both have is kept. */
  readonly previous?: Runner
}

/** Where events of some logsources are matched: in each part of the rule set that has rules for them. */
export type Route = { readonly indexes: readonly RouteIndex[]; eventCount: number }

/** Runs the rules of one rule set on batches of events, with what it has learned of them. */
export class Runner {
  readonly #rules: RunnerRules
  readonly #options: RunnerOptions
  #caches: readonly MatchCache[]
  readonly #routes = new Map<readonly Logsource[] | 'all', Route>()
  readonly #counters: RuleCounters
  /** The parts of the rule set, without the rules that are left out. */
  readonly #parts: readonly RulePart[]
  /** By part: the numbers in the index of those rules. */
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

  /** What was learned, by part; another list once a full memory was left for a new one. */
  get caches(): readonly MatchCache[] {
    return this.#caches
  }

  get taxonomy(): 'auto' | 'none' {
    return this.#options.taxonomy
  }

  /** Whether flat events of Windows can be matched by what their values are, without being parsed. */
  get readsFlatEvents(): boolean {
    return this.#options.taxonomy === 'auto' && !this.#options.isPlain
  }

  /** The names of the fields that its rules read. */
  get fieldNames(): readonly string[] {
    return this.#rules.parts.flatMap(({ index: { fields, pairs } }) => (
      [...fields.filter((name) => name !== undefined), ...pairs.flatMap(({ field, other }) => [field, other])]
    ))
  }

  /** The route of events of these logsources, which are interned; `all` tries all rules. */
  getRoute(logsources: readonly Logsource[] | 'all'): Route {
    const known = this.#routes.get(logsources)
    if (known !== undefined) return known
    const sections = this.#parts.map((part, i) => new RouteIndex(part, this.#caches[i]!, logsources))
    const route: Route = { indexes: sections.filter(({ isEmpty }) => !isEmpty), eventCount: 0 }
    this.#routes.set(logsources, route)
    return route
  }

  /** The rules that hold on the events of a batch, by row and then by number. */
  run(events: readonly NormalizedEvent[]): Hit[] {
    this.renewFullCaches()
    const hits: Hit[] = []
    const doubts = new UndecidedRows()
    for (const [row, event] of events.entries()) {
      const route = this.getRoute(event.logsources.length === 0 && this.#options.isLenient ? 'all' : event.logsources)
      route.eventCount++
      for (const section of route.indexes) {
        if (this.#options.isPlain) for (const number of section.rules) doubts.add(number, row)
        else decideEvent(section, event, row, hits, doubts)
      }
    }
    this.#evaluateRows(events, doubts, hits)
    return hits.sort((a, b) => a.row - b.row || a.number - b.number)
  }

  /** Which of the rules that are undecided on events do hold. Takes the events of rows, each of which is read once. */
  evaluateUndecided(undecided: readonly Hit[], read: (rows: readonly number[]) => readonly NormalizedEvent[]): Hit[] {
    if (undecided.length === 0) return []
    const rows = [...new Set(undecided.map(({ row }) => row))]
    const places = new Map(rows.map((row, place) => [row, place]))
    const doubts = new UndecidedRows()
    for (const { row, number } of undecided) doubts.add(number, places.get(row)!)
    const hits: Hit[] = []
    this.#evaluateRows(read(rows), doubts, hits)
    return hits.map(({ row, number }) => ({ row: rows[row]!, number }))
  }

  /** The part of the rule set that a memory is of. */
  getPart(memory: MatchCache): RulePart {
    return this.#parts[this.#caches.indexOf(memory)]!
  }

  #evaluateRows(events: readonly NormalizedEvent[], doubts: UndecidedRows, hits: Hit[]): void {
    doubts.evaluate(new Batch(events, this.#rules.fields), (number) => this.#rules.getMatcher(number), hits, this.#counters)
  }

  /** How many events met a rule, by its number in the rule set. */
  countRoutedEvents(number: number): number {
    this.#flushEventCounts()
    return this.#counters.metEvents[number]!
  }

  /** What the rules came to so far. */
  flushCounters(): RuleCounters {
    this.#flushEventCounts()
    for (const [i, { numbers }] of this.#parts.entries()) this.#caches[i]!.profile.flushTo(numbers, this.#counters)
    for (const { seenFields } of this.#caches) for (const field of seenFields) this.#counters.seenFields?.add(field)
    this.#counters.flushTimes()
    return this.#counters
  }

  /** What was learned of an index; undefined where the rule set does not have it. */
  findCache(index: RuleIndex): MatchCache | undefined {
    return this.#caches.find((memory) => memory.index === index)
  }

  /** Leaves a full memory for a new one, and says whether it did: events could fill any. */
  renewFullCaches(): boolean {
    if (!this.#caches.some(({ isFull }) => isFull) && this.#routes.size <= limits.routesMax) return false
    this.flushCounters()
    this.#routes.clear()
    this.#caches = this.#parts.map(({ index }, part) => this.#createCache(index, part))
    return true
  }

  #createCache(index: RuleIndex, part: number): MatchCache {
    const memory = new MatchCache(index, this.#options.now)
    memory.profile.exclude(this.#excluded[part]!)
    return memory
  }

  /** Tells the rules how many events met them: events are counted by route, a route has groups of rules. */
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

function listExcluded({ numbers }: RulePart, leftOut: ReadonlySet<number>): readonly number[] {
  return leftOut.size === 0 ? [] : [...numbers.keys()].filter((rule) => leftOut.has(numbers[rule]!))
}

function excludeRules(part: RulePart, leftOut: ReadonlySet<number>): RulePart {
  if (leftOut.size === 0) return part
  return { index: part.index, numbers: part.numbers.map((number) => (leftOut.has(number) ? -1 : number)) }
}

function decideEvent(section: RouteIndex, event: NormalizedEvent, row: number, hits: Hit[], doubts: UndecidedRows): void {
  const decision = section.decide(event)
  if (decision === undefined) return
  for (const number of listActiveNumbers(decision.matched, section.part)) hits.push({ row, number })
  for (const number of listActiveNumbers(decision.undecided, section.part)) doubts.add(number, row)
}
