import { isProvenByNeedle } from '../candidates/exactness.ts'
import { needleCost, requirementOf } from '../candidates/requires.ts'
import type { Needle } from '../candidates/requires.ts'
import type { Predicate, Test } from '../predicate/predicate.ts'
import { keyOfTest } from './atom-table.ts'
import type { Formula } from './formula.ts'

/** A comparison with what is known of it without a value. */
export type KnownTest = {
  readonly test: Test
  /** One of these is found where it holds; undefined where nothing can be looked for. */
  readonly needles: readonly Needle[] | undefined
  /** Whether a needle that is found is proof. */
  readonly isProven: boolean
  /** How often it is found, roughly; infinite where it cannot be looked for. */
  readonly cost: number
}

/** Null is found where a value is null, which is rare. */
const nullCost = 0.01

/** Numbers the comparisons of one field, equal ones once. Numbers count from 0. */
export class TestTable {
  readonly tests: KnownTest[] = []
  readonly #numbers = new Map<string, number>()

  /** A predicate that reads one field, as a formula over its comparisons. */
  formulaOf(predicate: Predicate): Formula {
    switch (predicate.kind) {
      case 'constant':
        return predicate
      case 'group':
        return this.formulaOf(predicate.of)
      case 'not':
        return { kind: 'not', of: this.formulaOf(predicate.of) }
      case 'and':
      case 'or':
        return { kind: predicate.kind, of: predicate.of.map((part) => this.formulaOf(part)) }
      case 'test':
        return { kind: 'variable', number: this.#numberOf(predicate) }
      case 'elements':
        throw new Error('a condition on elements is no comparison of one value')
    }
  }

  #numberOf(test: Test): number {
    const key = keyOfTest(test.value)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const needles = requirementOf(test)
    const cost = needles?.reduce((sum, needle) => sum + needleCost(needle), 0) ?? (test.value.kind === 'null' ? nullCost : Infinity)
    this.#numbers.set(key, this.tests.length)
    return this.tests.push({ test, needles, isProven: needles !== undefined && isProvenByNeedle(test.value), cost }) - 1
  }
}
