import { applyFilters, appliesToRule } from './apply-filters.ts'
import type { CompiledFilter } from './apply-filters.ts'
import type { CompiledCorrelation } from './correlation/compiled-correlation.ts'
import type { Logsource } from './event/event.ts'
import { FieldTable } from './event/field-table.ts'
import { RuleIndex } from './plan/rule-index.ts'
import { compilePredicate } from './predicate/compile.ts'
import type { Matcher } from './predicate/matcher.ts'
import type { Predicate } from './predicate/predicate.ts'
import type { DetectionRule, Level } from './sigma/rule.ts'

/** A rule that runs: what it says, what it was lowered to, and where it came from. */
export type CompiledRule = {
  /** The rule's own id in lower case, or one derived from its content where it states none. */
  readonly id: string
  /** The name by which other rules may refer to it. */
  readonly name: string | undefined
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

/** What a rule set has besides detection rules. */
export type RuleSetParts = {
  readonly correlations?: readonly CompiledCorrelation[]
  readonly filters?: readonly CompiledFilter[]
}

/** What differs from a rule set. */
export type RuleChange = {
  /** Rules to run instead of those with the same id, or besides. */
  readonly put?: readonly (CompiledRule | CompiledCorrelation)[]
  /** Ids of rules to run no more. */
  readonly drop?: readonly string[]
}

/** Rules that were indexed together, as part of a rule set. */
export type IndexedRules = {
  readonly index: RuleIndex
  /** The number in the rule set of each rule of the index; -1 where the rule set does not have it any more. */
  readonly numbers: Int32Array
}

/**
 * Compiled rules, immutable: an engine runs one and swaps it for another. Rules are matched in the order
 * they were given.
 *
 * A rule set made from another by `changed` keeps the indexes of what did not change, with all that engines
 * have learned of them, and adds one over the rules that did.
 */
export class RuleSet {
  /** The detection rules; what is said of a rule by its number is of these. */
  readonly rules: readonly CompiledRule[]
  readonly correlations: readonly CompiledCorrelation[]
  /** The filters; rules that were compiled with them, or put in beside them, are narrowed by them already. */
  readonly filters: readonly CompiledFilter[]
  /** The fields that matchers read. */
  readonly fields = new FieldTable()
  readonly #matchers: (Matcher | undefined)[] = []
  #numbers: ReadonlyMap<string, number> | undefined
  #lazyParts: readonly LazyPart[] | undefined
  #parts: readonly IndexedRules[] | undefined
  /** What this rule set is called by those that are made of it, which do not hold it. */
  readonly #identity = {}
  #origin: { readonly identity: object; readonly numbers: Int32Array } | undefined

  constructor(rules: readonly CompiledRule[], { correlations = [], filters = [] }: RuleSetParts = {}) {
    this.rules = rules
    this.correlations = correlations
    this.filters = filters
  }

  get(id: string): CompiledRule | undefined {
    const number = this.numberOf(id)
    return number === undefined ? undefined : this.rules[number]
  }

  /** The number of a rule: its place in `rules`. */
  numberOf(id: string): number | undefined {
    this.#numbers ??= new Map(this.rules.map((rule, number) => [rule.id, number]))
    return this.#numbers.get(id)
  }

  /** By number of a rule: the number of the one with the same id in another rule set; -1 where there is none. */
  mapNumbersTo(other: RuleSet): Int32Array {
    if (this.#origin?.identity === other.#identity) return this.#origin.numbers
    return Int32Array.from(this.rules, ({ id }) => other.numberOf(id) ?? -1)
  }

  /** The matcher of a rule, by its number. */
  getMatcher(number: number): Matcher {
    const rule = this.rules[number]
    if (rule === undefined) throw new RangeError(`rule ${number} is not one of the ${this.rules.length} of the rule set`)
    return (this.#matchers[number] ??= compilePredicate(rule.predicate, this.fields))
  }

  /** The rules with their indexes, which are made now; each rule is in one of them. */
  get parts(): readonly IndexedRules[] {
    return (this.#parts ??= this.#getLazyParts().map(({ source, numbers }) => ({ index: source.index, numbers })))
  }

  /**
   * A rule set with some rules put in, in the place of those with the same id or at the end, and some left
   * out. Costs about what the changed rules cost, not the others: that is how an edit of one rule of many
   * thousands is live at once.
   */
  applyChange({ put = [], drop = [] }: RuleChange): RuleSet {
    const detections = put.filter(isDetection).map((rule) => this.#applyFilters(rule))
    const putById = new Map(detections.map((rule) => [rule.id, rule]))
    const dropped = new Set(drop)
    const rules: CompiledRule[] = []
    const numbersBefore = new Int32Array(this.rules.length + putById.size).fill(-1)
    const numberAfter = new Int32Array(this.rules.length).fill(-1)
    const fresh: number[] = []
    for (let number = 0; number < this.rules.length; number++) {
      const rule = this.rules[number]!
      // Looking up all ids would be most of an edit of one rule: what was found is looked for no more.
      const other = putById.size === 0 ? undefined : putById.get(rule.id)
      if (other === undefined && dropped.size > 0 && dropped.has(rule.id)) continue
      if (other === undefined) numberAfter[number] = rules.length
      else {
        putById.delete(rule.id)
        fresh.push(rules.length)
      }
      numbersBefore[rules.length] = number
      rules.push(other ?? rule)
    }
    for (const rule of putById.values()) fresh.push(rules.push(rule) - 1)
    const correlations = mergeCorrelations(this.correlations, put.filter(isCorrelation), dropped)
    const changed = new RuleSet(rules, { correlations, filters: this.filters })
    changed.#lazyParts = mergeParts(this.#getLazyParts(), numberAfter, fresh, rules)
    changed.#origin = { identity: this.#identity, numbers: numbersBefore.slice(0, rules.length) }
    return changed
  }

  /** A rule that comes from elsewhere, narrowed by the filters of this set. */
  #applyFilters(rule: CompiledRule): CompiledRule {
    const filters = this.filters.filter((filter) => appliesToRule(rule, filter))
    if (filters.length === 0) return rule
    const { id, name, title, level, logsource, path } = rule
    return { id, name, title, level, logsource, path, rule: rule.rule, predicate: applyFilters(rule.predicate, filters) }
  }

  #getLazyParts(): readonly LazyPart[] {
    return (this.#lazyParts ??= [createLazyPart(this.rules, Int32Array.from(this.rules.keys()))])
  }
}

function isCorrelation(rule: CompiledRule | CompiledCorrelation): rule is CompiledCorrelation {
  return 'members' in rule
}

function isDetection(rule: CompiledRule | CompiledCorrelation): rule is CompiledRule {
  return !isCorrelation(rule)
}

/** Correlations after an edit: in the place of those with the same id, or at the end. */
function mergeCorrelations(
  before: readonly CompiledCorrelation[], put: readonly CompiledCorrelation[], dropped: ReadonlySet<string>,
): readonly CompiledCorrelation[] {
  const byId = new Map(before.filter(({ id }) => !dropped.has(id)).map((correlation) => [correlation.id, correlation]))
  for (const correlation of put) byId.set(correlation.id, correlation)
  return [...byId.values()]
}

type LazyPart = { readonly source: LazyIndex; readonly numbers: Int32Array }

/** An index over rules, made when it is first asked for. */
class LazyIndex {
  readonly #rules: readonly CompiledRule[]
  #index: RuleIndex | undefined

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules
  }

  get index(): RuleIndex {
    return (this.#index ??= new RuleIndex(this.#rules))
  }
}

function createLazyPart(rules: readonly CompiledRule[], numbers: Int32Array): LazyPart {
  return { source: new LazyIndex(Array.from(numbers, (number) => rules[number]!)), numbers }
}

/**
 * The parts of a changed rule set: those of the old one with new numbers, and one of what is fresh. It takes
 * in every part that is not more than twice as large as itself, or half of which is gone: sizes halve from one
 * part to the next, so that parts are few, and no rule is indexed again more often than that.
 */
function mergeParts(
  parts: readonly LazyPart[], numberAfter: Int32Array, fresh: number[], rules: readonly CompiledRule[],
): LazyPart[] {
  const kept: LazyPart[] = []
  for (const { source, numbers: before } of parts.toReversed()) {
    const { numbers, liveCount } = renumberRules(before, numberAfter)
    if (liveCount > 2 * fresh.length && liveCount * 2 >= numbers.length) kept.push({ source, numbers })
    else for (const number of numbers) if (number !== -1) fresh.push(number)
  }
  return fresh.length === 0 ? kept.toReversed() : [...kept.toReversed(), createLazyPart(rules, Int32Array.from(fresh).sort())]
}

/** The numbers of rules after a change, -1 for those that are gone; and how many are there. */
function renumberRules(
  before: Int32Array, numberAfter: Int32Array,
): { readonly numbers: Int32Array; readonly liveCount: number } {
  const numbers = new Int32Array(before.length)
  let liveCount = 0
  for (let place = 0; place < before.length; place++) {
    const number = before[place] === -1 ? -1 : numberAfter[before[place]!]!
    numbers[place] = number
    if (number !== -1) liveCount++
  }
  return { numbers, liveCount }
}
