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

/** Where events of some logsources are matched: in each part of the rule set that has rules for them. */
export type Route = { readonly sections: readonly Section[]; eventCount: number }

/** Runs the rules of one rule set on batches of events, with what it has learned of them. */
export class Runner {
  readonly #rules: RunnerRules
  readonly #isPlain: boolean
  #memories: readonly RuleMemory[]
  readonly #routes = new Map<readonly Logsource[] | 'all', Route>()
  /** By part, by group of its rules: events that met them on routes that are settled. */
  readonly #eventsOfGroup: readonly Float64Array[]

  /**
   * What `before` has learned of parts that both rule sets have is kept. A plain runner asks the matcher of
   * every rule of the route: slow, and the measure of the other.
   */
  constructor(rules: RunnerRules, isPlain: boolean, before?: Runner) {
    this.#rules = rules
    this.#isPlain = isPlain
    this.#memories = rules.parts.map(({ index }) => before?.memoryOf(index) ?? new RuleMemory(index))
    this.#eventsOfGroup = rules.parts.map(({ index }) => before?.eventsOf(index) ?? new Float64Array(index.groupCount))
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
  run(events: readonly NormalizedEvent[], logsourcesOf: (event: NormalizedEvent) => readonly Logsource[] | 'all'): Hit[] {
    this.#renewWhenFull()
    const hits: Hit[] = []
    const doubts = new Doubts()
    for (const [row, event] of events.entries()) {
      const route = this.routeOf(logsourcesOf(event))
      route.eventCount++
      for (const section of route.sections) {
        if (this.#isPlain) for (const number of section.rules) doubts.add(number, row)
        else decide(section, event, row, hits, doubts)
      }
    }
    doubts.settle(new Batch(events, this.#rules.fields), (number) => this.#rules.matcher(number), hits)
    return hits.sort((a, b) => a.row - b.row || a.number - b.number)
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

  /** Events that declare what they like could fill any memory: a full one is left for a new one. */
  #renewWhenFull(): void {
    if (!this.#memories.some(({ isFull }) => isFull) && this.#routes.size <= limits.routesMax) return
    this.#settleCounts()
    this.#routes.clear()
    this.#memories = this.#rules.parts.map(({ index }) => new RuleMemory(index))
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
