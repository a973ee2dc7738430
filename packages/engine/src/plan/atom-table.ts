import { Reading } from '../event/value-view.ts'
import { compileCheck } from '../predicate/check.ts'
import type { FieldRefTest, Predicate, ValueTest } from '../predicate/predicate.ts'
import { negate } from './formula.ts'
import type { Formula } from './formula.ts'

/** A condition that is remembered as a whole. Nothing absent passes it. */
export type Atom =
  /** On one field; without a field, on the leaves of the event. */
  | { readonly kind: 'field'; readonly field: string | undefined; readonly predicate: Predicate }
  /** A comparison of one field with another. */
  | { readonly kind: 'pair'; readonly field: string; readonly test: FieldRefTest }

/** Numbers the atoms of some rules, equal ones once. Numbers count from 0. */
export class AtomTable {
  readonly atoms: Atom[] = []
  readonly #numbers = new Map<string, number>()

  /**
   * A formula that holds exactly when a predicate does, which reads this field only. What an absent field
   * passes becomes the negation of an atom, so that of absent fields there is nothing to remember.
   */
  formulaOf(field: string | undefined, predicate: Predicate): Formula {
    const passesAbsent = compileCheck(predicate)(absent)
    const formula: Formula = { kind: 'variable', number: this.#numberOf(field, passesAbsent ? opposite(predicate) : predicate) }
    return passesAbsent ? negate(formula) : formula
  }

  /** A formula that holds exactly when a comparison of two fields does. */
  formulaOfPair(field: string, test: FieldRefTest): Formula {
    return { kind: 'variable', number: this.#add(`${field}\npair ${keyOfTest(test)}`, { kind: 'pair', field, test }) }
  }

  #numberOf(field: string | undefined, predicate: Predicate): number {
    return this.#add(`${field ?? ''}\n${keyOf(predicate)}`, { kind: 'field', field, predicate })
  }

  #add(key: string, atom: Atom): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.atoms.length)
    return this.atoms.push(atom) - 1
  }
}

const absent = new Reading(undefined)

function opposite(predicate: Predicate): Predicate {
  return predicate.kind === 'not' ? predicate.of : { kind: 'not', of: predicate }
}

/** What two comparisons have in common when they ask the same. */
function keyOfTest(value: ValueTest): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}

/** What two predicates of one field have in common when they ask the same, however they were written. */
export function keyOf(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return `${predicate.kind}(${predicate.of.map(keyOf).toSorted().join()})`
    case 'not':
      return `not(${keyOf(predicate.of)})`
    case 'group':
      return keyOf(predicate.of)
    case 'test':
      return keyOfTest(predicate.value)
    case 'constant':
    case 'elements':
      return JSON.stringify(predicate)
  }
}
