import type { Logsource } from './event/event.ts'
import { FieldTable } from './event/field-table.ts'
import { compilePredicate } from './predicate/compile.ts'
import type { Matcher } from './predicate/matcher.ts'
import type { Predicate } from './predicate/predicate.ts'
import type { DetectionRule, Level } from './sigma/rule.ts'

/** A rule that runs: what it says, what it was lowered to, and where it came from. */
export type CompiledRule = {
  /** The rule's own id in lower case, or one derived from its content where it states none. */
  readonly id: string
  readonly title: string
  readonly level: Level | undefined
  readonly logsource: Logsource
  /** The `path` of the source that the rule was read from. */
  readonly path: string
  /** Every attribute, typed. */
  readonly rule: DetectionRule
  /** Its detection as data; explanations and printers start here. */
  readonly predicate: Predicate
}

/** Numbers of rules of a rule set, ascending. */
export type RuleNumbers = readonly number[]

/**
 * Compiled rules, immutable: an engine runs one and swaps it for another. Rules are matched in the order
 * they were given.
 */
export class RuleSet {
  readonly rules: readonly CompiledRule[]
  /** The fields that the rules read. */
  readonly fields = new FieldTable()
  readonly #matchers: readonly Matcher[]
  readonly #numbers: ReadonlyMap<string, number>
  readonly #byLogsource = new Map<string, number[]>()
  readonly #all: RuleNumbers
  /** Answers by the interned list of logsources that events carry. */
  readonly #routes = new WeakMap<readonly Logsource[], RuleNumbers>()

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules
    this.#matchers = rules.map((rule) => compilePredicate(rule.predicate, this.fields))
    this.#numbers = new Map(rules.map(({ id }, number) => [id, number]))
    this.#all = rules.map((_, number) => number)
    for (const [number, { logsource }] of rules.entries()) {
      const key = keyOf(logsource.category, logsource.product, logsource.service)
      const numbers = this.#byLogsource.get(key)
      if (numbers === undefined) this.#byLogsource.set(key, [number])
      else numbers.push(number)
    }
  }

  get(id: string): CompiledRule | undefined {
    const number = this.#numbers.get(id)
    return number === undefined ? undefined : this.rules[number]
  }

  /** The number of a rule: its place in `rules`. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id)
  }

  /** The matcher of a rule, by its number. */
  matcher(number: number): Matcher {
    const matcher = this.#matchers[number]
    if (matcher === undefined) throw new RangeError(`rule ${number} is not one of the ${this.rules.length} of the rule set`)
    return matcher
  }

  /**
   * The rules that apply to events of these logsources: those whose logsource contains one of them
   * (sigma.md section 3, D-3). Of no logsource: none, or all of them when `isLenient`.
   */
  rulesFor(logsources: readonly Logsource[], isLenient: boolean): RuleNumbers {
    if (logsources.length === 0) return isLenient ? this.#all : []
    const known = this.#routes.get(logsources)
    if (known !== undefined) return known
    const numbers = new Set<number>()
    for (const { category, product, service } of logsources) {
      for (const key of containingKeys(category, product, service)) {
        for (const number of this.#byLogsource.get(key) ?? []) numbers.add(number)
      }
    }
    const route = [...numbers].toSorted((a, b) => a - b)
    this.#routes.set(logsources, route)
    return route
  }
}

function keyOf(category: string | undefined, product: string | undefined, service: string | undefined): string {
  return JSON.stringify([category ?? null, product ?? null, service ?? null])
}

/** The keys of the logsources that contain one: each of its three parts stated or left open. */
function* containingKeys(category?: string, product?: string, service?: string): Generator<string> {
  for (const someCategory of category === undefined ? [undefined] : [undefined, category]) {
    for (const someProduct of product === undefined ? [undefined] : [undefined, product]) {
      for (const someService of service === undefined ? [undefined] : [undefined, service]) {
        yield keyOf(someCategory, someProduct, someService)
      }
    }
  }
}
