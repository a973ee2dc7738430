import { Batch } from '../event/batch.ts'
import type { Logsource, NormalizedEvent } from '../event/event.ts'
import type { FieldTable } from '../event/field-table.ts'
import { limits } from '../limits.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import type { Matcher } from '../predicate/matcher.ts'
import { RuleMemory } from './match-cache.ts'
import { numbersThatRun, Section } from './route-index.ts'
import type { Part } from './route-index.ts'
import type { RuleTally } from './rule-counters.ts'
import { Doubts } from './undecided-rows.ts'
import type { Hit } from './undecided-rows.ts'

/** What a runner needs of a rule set. */
export type RunnerRules = {
  readonly parts: readonly Part[]
  /** The fields that matchers read. */
  readonly fields: FieldTable
  readonly matcher: (number: number) => Matcher
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
  readonly tally: RuleTally
  /** Numbers of rules that it does not run. */
  readonly leftOut: ReadonlySet<number>
  /** A runner whose tally is settled; what it has learned of parts that both have is kept. */
  readonly before?: Runner
}

/** Where events of some logsources are matched: in each part of the rule set that has rules for them. */
export type Route = { readonly sections: readonly Section[]; eventCount: number }

/** Runs the rules of one rule set on batches of events, with what it has learned of them. */
export class Runner {
  readonly #rules: RunnerRules
  readonly #options: RunnerOptions
  #memories: readonly RuleMemory[]
  readonly #routes = new Map<readonly Logsource[] | 'all', Route>()
  readonly #tally: RuleTally
  /** The parts of the rule set, without the rules that are left out. */
  readonly #parts: readonly Part[]
  /** By part: the numbers in the index of those rules. */
  readonly #leftOut: readonly (readonly number[])[]

  constructor(rules: RunnerRules, options: RunnerOptions, { tally, leftOut, before }: RunnerState) {
    this.#rules = rules
    this.#options = options
    this.#tally = tally
    this.#parts = rules.parts.map((part) => partWithout(part, leftOut))
    this.#leftOut = rules.parts.map((part) => leftOutOf(part, leftOut))
    this.#memories = rules.parts.map(({ index }, i) => {
      const known = before?.memoryOf(index)
      return known?.watch.leavesOut(this.#leftOut[i]!) === true ? known : this.#newMemory(index, i)
    })
  }

  /** What was learned, by part; another list once a full memory was left for a new one. */
  get memories(): readonly RuleMemory[] {
    return this.#memories
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
  routeOf(logsources: readonly Logsource[] | 'all'): Route {
    const known = this.#routes.get(logsources)
    if (known !== undefined) return known
    const sections = this.#parts.map((part, i) => new Section(part, this.#memories[i]!, logsources))
    const route: Route = { sections: sections.filter(({ isEmpty }) => !isEmpty), eventCount: 0 }
    this.#routes.set(logsources, route)
    return route
  }

  /** The rules that hold on the events of a batch, by row and then by number. */
  run(events: readonly NormalizedEvent[]): Hit[] {
    this.renewWhenFull()
    const hits: Hit[] = []
    const doubts = new Doubts()
    for (const [row, event] of events.entries()) {
      const route = this.routeOf(event.logsources.length === 0 && this.#options.isLenient ? 'all' : event.logsources)
      route.eventCount++
      for (const section of route.sections) {
        if (this.#options.isPlain) for (const number of section.rules) doubts.add(number, row)
        else decide(section, event, row, hits, doubts)
      }
    }
    this.#settle(events, doubts, hits)
    return hits.sort((a, b) => a.row - b.row || a.number - b.number)
  }

  /** Which of the rules that are undecided on events do hold. Takes the events of rows, each of which is read once. */
  settle(undecided: readonly Hit[], read: (rows: readonly number[]) => readonly NormalizedEvent[]): Hit[] {
    if (undecided.length === 0) return []
    const rows = [...new Set(undecided.map(({ row }) => row))]
    const places = new Map(rows.map((row, place) => [row, place]))
    const doubts = new Doubts()
    for (const { row, number } of undecided) doubts.add(number, places.get(row)!)
    const hits: Hit[] = []
    this.#settle(read(rows), doubts, hits)
    return hits.map(({ row, number }) => ({ row: rows[row]!, number }))
  }

  /** The part of the rule set that a memory is of. */
  partOf(memory: RuleMemory): Part {
    return this.#parts[this.#memories.indexOf(memory)]!
  }

  #settle(events: readonly NormalizedEvent[], doubts: Doubts, hits: Hit[]): void {
    doubts.settle(new Batch(events, this.#rules.fields), (number) => this.#rules.matcher(number), hits, this.#tally)
  }

  /** How many events met a rule, by its number in the rule set. */
  eventsMetBy(number: number): number {
    this.#settleEvents()
    return this.#tally.metEvents[number]!
  }

  /** What the rules came to so far. */
  settledTally(): RuleTally {
    this.#settleEvents()
    for (const [i, { numbers }] of this.#parts.entries()) this.#memories[i]!.watch.settle(numbers, this.#tally)
    for (const { seenFields } of this.#memories) for (const field of seenFields) this.#tally.seenFields?.add(field)
    this.#tally.settle()
    return this.#tally
  }

  /** What was learned of an index; undefined where the rule set does not have it. */
  memoryOf(index: RuleIndex): RuleMemory | undefined {
    return this.#memories.find((memory) => memory.index === index)
  }

  /** Leaves a full memory for a new one, and says whether it did: events could fill any. */
  renewWhenFull(): boolean {
    if (!this.#memories.some(({ isFull }) => isFull) && this.#routes.size <= limits.routesMax) return false
    this.settledTally()
    this.#routes.clear()
    this.#memories = this.#parts.map(({ index }, part) => this.#newMemory(index, part))
    return true
  }

  #newMemory(index: RuleIndex, part: number): RuleMemory {
    const memory = new RuleMemory(index, this.#options.now)
    memory.watch.leaveOut(this.#leftOut[part]!)
    return memory
  }

  /** Tells the rules how many events met them: events are counted by route, a route has groups of rules. */
  #settleEvents(): void {
    const routes = [...this.#routes.values()].filter(({ eventCount }) => eventCount > 0)
    if (routes.length === 0) return
    const parts = this.#parts
    const eventsOfGroup = parts.map(({ index }) => new Float64Array(index.groupCount))
    for (const route of routes) {
      for (const { part, memory, route: number } of route.sections) {
        const events = eventsOfGroup[parts.indexOf(part)]!
        for (const [group, isOfRoute] of memory.route(number).groups.entries()) events[group]! += isOfRoute * route.eventCount
      }
      route.eventCount = 0
    }
    for (const [i, { index, numbers }] of parts.entries()) {
      const events = eventsOfGroup[i]!
      const { metEvents } = this.#tally
      for (let rule = 0; rule < numbers.length; rule++) {
        if (numbers[rule] !== -1) metEvents[numbers[rule]!]! += events[index.groupOf[rule]!]!
      }
    }
  }
}

function leftOutOf({ numbers }: Part, leftOut: ReadonlySet<number>): readonly number[] {
  return leftOut.size === 0 ? [] : [...numbers.keys()].filter((rule) => leftOut.has(numbers[rule]!))
}

function partWithout(part: Part, leftOut: ReadonlySet<number>): Part {
  if (leftOut.size === 0) return part
  return { index: part.index, numbers: part.numbers.map((number) => (leftOut.has(number) ? -1 : number)) }
}

function decide(section: Section, event: NormalizedEvent, row: number, hits: Hit[], doubts: Doubts): void {
  const decision = section.decide(event)
  if (decision === undefined) return
  for (const number of numbersThatRun(decision.held, section.part)) hits.push({ row, number })
  for (const number of numbersThatRun(decision.undecided, section.part)) doubts.add(number, row)
}
