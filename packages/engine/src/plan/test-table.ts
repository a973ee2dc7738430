import { isProvenByNeedle } from '../candidates/literal-proof.ts'
import { estimateRequirementCost, findRequirement, listTestRequirements } from '../candidates/requirement.ts'
import type { Anchor, Needle, Requirement } from '../candidates/requirement.ts'
import { anyRun, literal, normalizePattern } from '../predicate/pattern.ts'
import type { Pattern } from '../predicate/pattern.ts'
import type { Predicate, Test } from '../predicate/predicate.ts'
import { toPredicateKey } from './atom-table.ts'
import { negate } from './formula.ts'
import type { Formula } from './formula.ts'

/**
 * A comparison, or a disjunction of comparisons that their needles prove, with the results of its static analysis.
 */
export type AnalyzedTest = {
  readonly predicate: Predicate
  /** At least one of these is in every value that passes; undefined if no search can tell. */
  readonly needles: readonly Needle[] | undefined
  /** Whether a hit of a needle proves the test. */
  readonly isProven: boolean
  /** Which values count as a hit without a needle: null and lists with a null, or values without text. */
  readonly absence: 'null' | 'no text' | undefined
  /** Estimated frequency of hits; infinite if no search can tell. */
  readonly cost: number
}

/** Few values are null or without text. */
const absenceCost = 0.01

/** Interns the tests of one field: equal tests share a number. Numbers start at 0. */
export class TestTable {
  readonly tests: AnalyzedTest[] = []
  readonly #numbers = new Map<string, number>()

  /**
   * Converts a predicate of one field to a formula over tests. A list of values mostly becomes a single test, because it
   * does not matter which of the values is there.
   */
  toFormula(predicate: Predicate): Formula {
    switch (predicate.kind) {
      case 'constant':
        return predicate
      case 'group':
        return this.toFormula(predicate.of)
      case 'not':
        return { kind: 'not', of: this.toFormula(predicate.of) }
      case 'and':
        return { kind: 'and', of: predicate.of.map((part) => this.toFormula(part)) }
      case 'or':
        return this.#toOrFormula(predicate.of)
      case 'test':
        // Any text passes, so search for the rare values without text.
        return isAnyText(predicate) ? negate(this.#internTest({ kind: 'not', of: predicate }, 'no text')) : this.#toTestFormula(predicate)
      case 'elements':
        throw new Error('a condition on list elements is no test of one value')
    }
  }

  /**
   * Converts a comparison. If its needles do not prove it, it is evaluated only if all of its requirements are found: one
   * literal of an expression is in many values, all of them are in few.
   */
  #toTestFormula(test: Test): Formula {
    const requirements = listTestRequirements(test)
    const variable = this.#internTest(test)
    if (requirements.length < 2) return variable
    return { kind: 'and', of: [...requirements.map((needles) => this.#internTest(toTextPredicate(test, needles))), variable] }
  }

  #toOrFormula(parts: readonly Predicate[]): Formula {
    const proven = parts.filter(isProven)
    const others = parts.filter((part) => !isProven(part)).map((part) => this.toFormula(part))
    const [only] = proven
    if (only === undefined) return { kind: 'or', of: others }
    const test: Predicate = proven.length === 1 ? only : { kind: 'or', of: proven }
    const variable = this.#internTest(test)
    return others.length === 0 ? variable : { kind: 'or', of: [variable, ...others] }
  }

  #internTest(predicate: Predicate, absence: AnalyzedTest['absence'] = getAbsence(predicate)): Formula {
    const key = toPredicateKey(predicate)
    const number = this.#numbers.get(key) ?? this.tests.length
    if (number === this.tests.length) {
      this.#numbers.set(key, number)
      this.tests.push(analyzeTest(predicate, absence))
    }
    return { kind: 'variable', number }
  }
}

function analyzeTest(predicate: Predicate, absence: AnalyzedTest['absence']): AnalyzedTest {
  if (absence !== undefined) return { predicate, needles: undefined, isProven: false, absence, cost: absenceCost }
  const needles = findRequirement(predicate)
  const cost = needles === undefined ? Infinity : estimateRequirementCost(needles)
  return { predicate, needles, isProven: needles !== undefined && isProven(predicate), absence, cost }
}

function getAbsence(predicate: Predicate): 'null' | undefined {
  return predicate.kind === 'test' && predicate.value.kind === 'null' ? 'null' : undefined
}

/** Converts a requirement to a comparison with its texts, on the field of the test that it belongs to. */
function toTextPredicate(test: Test, needles: Requirement): Predicate {
  const of = needles.flatMap((needle): Predicate[] => {
    if (needle.kind !== 'text') return []
    return [{ ...test, value: { kind: 'text', pattern: toPattern(needle.anchor, needle.text), isCased: false } }]
  })
  const [only] = of
  return only !== undefined && of.length === 1 ? only : { kind: 'or', of }
}

function toPattern(anchor: Anchor, text: string): Pattern {
  const opensStart = anchor === 'end' || anchor === 'anywhere'
  const opensEnd = anchor === 'start' || anchor === 'anywhere'
  return [...(opensStart ? [anyRun] : []), literal(text), ...(opensEnd ? [anyRun] : [])]
}

function isAnyText({ value }: Test): boolean {
  return value.kind === 'text' && normalizePattern(value.pattern).map(({ kind }) => kind).join() === 'any'
}

/** Whether a hit proves a predicate: a comparison, or a disjunction of comparisons. */
function isProven(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'test':
      return isProvenByNeedle(predicate.value)
    case 'or':
      return predicate.of.every(isProven)
    case 'group':
      return isProven(predicate.of)
    default:
      return false
  }
}
