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
 * A comparison, or several of which any will do and each is proven by what is found; with what is known of it
 * without a value.
 */
export type AnalyzedTest = {
  readonly predicate: Predicate
  /** One of these is found where it holds; undefined where nothing can be looked for. */
  readonly needles: readonly Needle[] | undefined
  /** Whether a needle that is found is proof. */
  readonly isProven: boolean
  /** Whether it is found without a needle: where a value is null or holds one, or where it has no text. */
  readonly absence: 'null' | 'no text' | undefined
  /** How often it is found, roughly; infinite where it cannot be looked for. */
  readonly cost: number
}

/** Values are seldom null, and seldom without text. */
const absenceCost = 0.01

/** Numbers the tests of one field, equal ones once. Numbers count from 0. */
export class TestTable {
  readonly tests: AnalyzedTest[] = []
  readonly #numbers = new Map<string, number>()

  /**
   * A predicate that reads one field, as a formula over tests. The values of a list are mostly one test: it
   * does not matter which of them is there.
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
        // Any text will do: then it is the value without one that is worth finding.
        return isAnyText(predicate) ? negate(this.#internTest({ kind: 'not', of: predicate }, 'no text')) : this.#toTestFormula(predicate)
      case 'elements':
        throw new Error('a condition on elements is no comparison of one value')
    }
  }

  /**
   * Where finding what a comparison requires is no proof, it is asked only if all of that is found: one literal of an
   * expression is in many values, all of them are in few.
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

/** A comparison with the texts of a requirement, written as the one that requires them. */
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

/** Whether what is found proves a predicate: a comparison, or several of which any will do. */
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
