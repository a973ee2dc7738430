import { Batch } from '../event/batch.ts'
import type { Logsource, NormalizedEvent } from '../event/event.ts'
import type { FieldTable } from '../event/field-table.ts'
import { limits } from '../limits.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import type { Matcher } from '../predicate/matcher.ts'
import { Doubts } from './doubts.ts'
import type { Hit } from './doubts.ts'
import { RuleMemory } from './rule-memory.ts'
import { Section } from './section.ts'
import type { Part } from './section.ts'

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
}

/** Where events of some logsources are matched: in each part of the rule set that has rules for them. */
export type Route = { readonly sections: readonly Section[]; eventCount: number }

/** Runs the rules of one rule set on batches of events, with what it has learned of them. */
export class Runner {
  readonly #rules: RunnerRules
  readonly #options: RunnerOptions
  #memories: readonly RuleMemory[]
  readonly #routes = new Map<readonly Logsource[] | 'all', Route>()
  /** By part, by group of its rules: events that met them on routes that are settled. */
  readonly #eventsOfGroup: readonly Float64Array[]

  /** What `before` has learned of parts that both rule sets have is kept. */
  constructor(rules: RunnerRules, options: RunnerOptions, before?: Runner) {
    this.#rules = rules
    this.#options = options
    this.#memories = rules.parts.map(({ index }) => before?.memoryOf(index) ?? new RuleMemory(index))
    this.#eventsOfGroup = rules.parts.map(({ index }) => before?.eventsOf(index) ?? new Float64Array(index.groupCount))
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
    const sections = this.#rules.parts.map((part, i) => new Section(part, this.#memories[i]!, logsources))
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

  /** Which of the rules that are undecided on events do hold. */
  settle(events: readonly NormalizedEvent[], undecided: readonly Hit[]): Hit[] {
    const doubts = new Doubts()
    for (const { row, number } of undecided) doubts.add(number, row)
    const hits: Hit[] = []
    this.#settle(events, doubts, hits)
    return hits
  }

  /** The numbers in the rule set of the rules of a memory's index; -1 for those that run no more. */
  numbersOf(memory: RuleMemory): Int32Array {
    return this.#rules.parts[this.#memories.indexOf(memory)]!.numbers
  }

  #settle(events: readonly NormalizedEvent[], doubts: Doubts, hits: Hit[]): void {
    doubts.settle(new Batch(events, this.#rules.fields), (number) => this.#rules.matcher(number), hits)
  }

  /** How many events met a rule, by its number in the rule set. */
  eventsMetBy(number: number): number {
    for (const { index, numbers } of this.#rules.parts) {
      const rule = numbers.indexOf(number)
      if (rule !== -1) return this.eventsOf(index)?.[index.groupOf[rule]!] ?? 0
    }
    return 0
  }

  /** What was learned of an index; undefined where the rule set does not have it. */
  memoryOf(index: RuleIndex): RuleMemory | undefined {
    return this.#memories.find((memory) => memory.index === index)
  }

  /** The events that met the rules of each group of an index; undefined where the rule set does not have it. */
  eventsOf(index: RuleIndex): Float64Array | undefined {
    this.#settleCounts()
    return this.#eventsOfGroup[this.#rules.parts.findIndex((part) => part.index === index)]
  }

  /** Leaves a full memory for a new one, and says whether it did: events could fill any. */
  renewWhenFull(): boolean {
    if (!this.#memories.some(({ isFull }) => isFull) && this.#routes.size <= limits.routesMax) return false
    this.#settleCounts()
    this.#routes.clear()
    this.#memories = this.#rules.parts.map(({ index }) => new RuleMemory(index))
    return true
  }

  #settleCounts(): void {
    for (const route of this.#routes.values()) {
      for (const { part, memory, route: number } of route.sections) {
        const events = this.#eventsOfGroup[this.#rules.parts.indexOf(part)]!
        for (const [group, isOfRoute] of memory.route(number).groups.entries()) events[group]! += isOfRoute * route.eventCount
      }
      route.eventCount = 0
    }
  }
}

function decide(section: Section, event: NormalizedEvent, row: number, hits: Hit[], doubts: Doubts): void {
  const verdict = section.memory.verdictOf(section.walk(event))
  if (verdict === undefined) return
  const { numbers } = section.part
  for (const rule of verdict.held) if (numbers[rule] !== -1) hits.push({ row, number: numbers[rule]! })
  for (const rule of verdict.undecided) if (numbers[rule] !== -1) doubts.add(numbers[rule]!, row)
}
