import { CandidateIndex } from './candidates/candidate-index.ts'
import type { IndexParts } from './candidates/candidate-index.ts'
import { requirementOf } from './candidates/requires.ts'
import { ValueMemory } from './candidates/value-memory.ts'
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

/**
 * The rules of one logsource, by number, and the index that says which of them are worth trying. Every rule
 * is in one group; events meet several groups. Made when the first such event comes.
 */
export type RuleGroup = { readonly rules: readonly number[]; readonly index: CandidateIndex }

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
  readonly #groups = new Map<string, LazyGroup>()
  /** Groups by the interned list of logsources that events carry. */
  readonly #groupsOf = new WeakMap<readonly Logsource[], readonly RuleGroup[]>()

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules
    this.#matchers = rules.map((rule) => compilePredicate(rule.predicate, this.fields))
    this.#numbers = new Map(rules.map(({ id }, number) => [id, number]))
    const memory = new ValueMemory()
    for (const [number, { logsource }] of rules.entries()) {
      const key = keyOf(logsource.category, logsource.product, logsource.service)
      const group = this.#groups.get(key) ?? new LazyGroup(rules, { fields: this.fields, memory })
      group.rules.push(number)
      this.#groups.set(key, group)
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
   * The groups of rules that apply to events of these logsources: those whose logsource contains one of them
   * (sigma.md section 3, D-3). Of no logsource: none, or all of them when `isLenient`.
   */
  groupsOf(logsources: readonly Logsource[], isLenient: boolean): readonly RuleGroup[] {
    if (logsources.length === 0) return isLenient ? [...this.#groups.values()] : []
    const known = this.#groupsOf.get(logsources)
    if (known !== undefined) return known
    const keys = new Set(logsources.flatMap(({ category, product, service }) => [...containingKeys(category, product, service)]))
    const groups = [...keys].flatMap((key) => this.#groups.get(key) ?? [])
    this.#groupsOf.set(logsources, groups)
    return groups
  }
}

class LazyGroup implements RuleGroup {
  readonly rules: number[] = []
  readonly #all: readonly CompiledRule[]
  readonly #parts: IndexParts
  #index: CandidateIndex | undefined

  constructor(all: readonly CompiledRule[], parts: IndexParts) {
    this.#all = all
    this.#parts = parts
  }

  get index(): CandidateIndex {
    this.#index ??= new CandidateIndex(this.rules, (number) => requirementOf(this.#all[number]!.predicate), this.#parts)
    return this.#index
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
