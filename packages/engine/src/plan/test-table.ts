import { isProvenByNeedle } from '../candidates/exactness.ts'
import { needleCost, requirementOf } from '../candidates/requires.ts'
import type { Needle } from '../candidates/requires.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { keyOf } from './atom-table.ts'
import type { Formula } from './formula.ts'

/**
 * A comparison, or several of which any will do and each is proven by what is found; with what is known of it
 * without a value.
 */
export type KnownTest = {
  readonly predicate: Predicate
  /** One of these is found where it holds; undefined where nothing can be looked for. */
  readonly needles: readonly Needle[] | undefined
  /** Whether a needle that is found is proof. */
  readonly isProven: boolean
  /** How often it is found, roughly; infinite where it cannot be looked for. */
  readonly cost: number
}

/** Null is found where a value is null, which is rare. */
const nullCost = 0.01

/** Numbers the tests of one field, equal ones once. Numbers count from 0. */
export class TestTable {
  readonly tests: KnownTest[] = []
  readonly #numbers = new Map<string, number>()

  /**
   * A predicate that reads one field, as a formula over tests. The values of a list are mostly one test: it
   * does not matter which of them is there.
   */
  formulaOf(predicate: Predicate): Formula {
    switch (predicate.kind) {
      case 'constant':
        return predicate
      case 'group':
        return this.formulaOf(predicate.of)
      case 'not':
        return { kind: 'not', of: this.formulaOf(predicate.of) }
      case 'and':
        return { kind: 'and', of: predicate.of.map((part) => this.formulaOf(part)) }
      case 'or':
        return this.#formulaOfOr(predicate.of)
      case 'test':
        return { kind: 'variable', number: this.#numberOf(predicate) }
      case 'elements':
        throw new Error('a condition on elements is no comparison of one value')
    }
  }

  #formulaOfOr(parts: readonly Predicate[]): Formula {
    const proven = parts.filter(isProven)
    const others = parts.filter((part) => !isProven(part)).map((part) => this.formulaOf(part))
    const [only] = proven
    if (only === undefined) return { kind: 'or', of: others }
    const test: Predicate = proven.length === 1 ? only : { kind: 'or', of: proven }
    const variable: Formula = { kind: 'variable', number: this.#numberOf(test) }
    return others.length === 0 ? variable : { kind: 'or', of: [variable, ...others] }
  }

  #numberOf(predicate: Predicate): number {
    const key = keyOf(predicate)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const needles = requirementOf(predicate)
    const isNull = predicate.kind === 'test' && predicate.value.kind === 'null'
    const cost = needles?.reduce((sum, needle) => sum + needleCost(needle), 0) ?? (isNull ? nullCost : Infinity)
    this.#numbers.set(key, this.tests.length)
    return this.tests.push({ predicate, needles, isProven: needles !== undefined && isProven(predicate), cost }) - 1
  }
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
