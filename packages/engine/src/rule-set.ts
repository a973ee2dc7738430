import { applyFilters, appliesToRule } from './apply-filters.ts'
import type { CompiledFilter } from './apply-filters.ts'
import type { CompiledCorrelation } from './correlation/compiled-correlation.ts'
import { ParsedRule } from './compiled-rule.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { FieldTable } from './event/field-table.ts'
import { RuleIndex } from './plan/rule-index.ts'
import { compilePredicate } from './predicate/compile.ts'
import type { Matcher } from './predicate/matcher.ts'
import { SteppedValue } from './step-work.ts'
import type { WorkSteps } from './step-work.ts'

/** The rules of a rule set other than detection rules. */
type RuleSetParts = {
  readonly correlations?: readonly CompiledCorrelation[]
  readonly filters?: readonly CompiledFilter[]
}

/** An edit of a rule set. */
export type RuleChange = {
  /** Rules to add, or to replace those with the same id. */
  readonly put?: readonly (CompiledRule | CompiledCorrelation)[]
  /** Ids of rules to remove. */
  readonly drop?: readonly string[]
}

/** One index of a rule set and the place of its rules in the rule set. */
type IndexedRules = {
  readonly index: RuleIndex
  /** By rule of the index: its number in the rule set; -1 for a rule that was removed. */
  readonly numbers: Int32Array
}

/**
 * Compiled rules, immutable: an engine runs one rule set and swaps it for another. Matches follow the order of the rules.
 *
 * `applyChange` works like a log-structured merge tree: the new rule set shares the indexes of unchanged rules, with the
 * caches that engines have built for them, and adds one index of the changed rules, merging small indexes into it.
 */
export class RuleSet {
  /** The detection rules; a rule's number is its place in this list. */
  readonly rules: readonly CompiledRule[]
  readonly correlations: readonly CompiledCorrelation[]
  /** The filters. They are already part of the predicates of the rules compiled with them or added to this set. */
  readonly filters: readonly CompiledFilter[]
  /** The fields that matchers read. */
  readonly fields = new FieldTable()
  readonly #matchers: (Matcher | undefined)[] = []
  #numbers: ReadonlyMap<string, number> | undefined
  #lazyParts: readonly LazyPart[] | undefined
  #parts: readonly IndexedRules[] | undefined
  /** Identifies this rule set to those derived from it, without keeping it in memory. */
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

  /** Maps each rule to the number of the rule with the same id in another rule set; -1 if there is none. */
  mapNumbersTo(other: RuleSet): Int32Array {
    if (this.#origin?.identity === other.#identity) return this.#origin.numbers
    return Int32Array.from(this.rules, ({ id }) => other.numberOf(id) ?? -1)
  }

  /** The matcher of a rule, by its number. */
  getMatcher(number: number): Matcher {
    const rule = this.rules[number]
    if (rule === undefined) throw new RangeError(`there is no rule ${number}; the rule set has ${this.rules.length} rules`)
    return (this.#matchers[number] ??= compilePredicate(rule.predicate, this.fields))
  }

  /** The indexes over the rules, built on first use; each rule is in exactly one. */
  get parts(): readonly IndexedRules[] {
    return (this.#parts ??= this.#getLazyParts().map(({ source, numbers }) => ({ index: source.value, numbers })))
  }

  /** Builds the indexes in steps; those that are built already take none. */
  * prepareParts(): WorkSteps<undefined> {
    for (const { source } of this.#getLazyParts()) yield* source.prepare()
    return undefined
  }

  /**
   * Derives a rule set with some rules added or replaced, in place or at the end, and some removed. The time depends on
   * the changed rules, not on the others: an edit of one rule among thousands is live at once.
   *
   * @throws TypeError for a rule without a predicate, as `{ ...rule }` of a loaded rule is.
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
      // Looking up every id would dominate an edit of one rule: the map shrinks as its rules are found.
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

  /** Applies the filters of this set to a rule that was compiled without them. */
  #applyFilters(rule: CompiledRule): CompiledRule {
    if (!('predicate' in rule)) {
      const { id } = rule as CompiledRule
      throw new TypeError(`the rule ${id} has no predicate; copy a loaded rule as { ...rule, predicate: rule.predicate }`)
    }
    const filters = this.filters.filter((filter) => appliesToRule(rule, filter))
    if (filters.length === 0) return rule
    const { id, name, title, level, logsource, path } = rule
    return new ParsedRule({ id, name, title, level, logsource, path, predicate: applyFilters(rule.predicate, filters) }, rule.rule)
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

/** Replaces correlations with the same id in place, appends new ones and removes dropped ones. */
function mergeCorrelations(
  before: readonly CompiledCorrelation[], put: readonly CompiledCorrelation[], dropped: ReadonlySet<string>,
): readonly CompiledCorrelation[] {
  const byId = new Map(before.filter(({ id }) => !dropped.has(id)).map((correlation) => [correlation.id, correlation]))
  for (const correlation of put) byId.set(correlation.id, correlation)
  return [...byId.values()]
}

/** The index is built on first use. */
type LazyPart = { readonly source: SteppedValue<RuleIndex>; readonly numbers: Int32Array }

function createLazyPart(rules: readonly CompiledRule[], numbers: Int32Array): LazyPart {
  return { source: new SteppedValue(() => RuleIndex.build(Array.from(numbers, (number) => rules[number]!))), numbers }
}

/**
 * The parts of a changed rule set: those of the old one, renumbered, and one of the fresh rules. The fresh part absorbs
 * every part that is at most twice its size or has lost half of its rules, as tiered compaction does: part sizes at
 * least halve from one to the next, so there are few parts and each rule is indexed again only logarithmically often.
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

/** Maps rule numbers to those after a change, -1 for removed rules, and counts the rules that remain. */
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
