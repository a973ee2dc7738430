import { ValueView } from '../event/value-view.ts'
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
  toFormula(field: string | undefined, predicate: Predicate): Formula {
    const passesAbsent = compileCheck(predicate)(absentValue)
    const formula: Formula = { kind: 'variable', number: this.#internAtom(field, passesAbsent ? negatePredicate(predicate) : predicate) }
    return passesAbsent ? negate(formula) : formula
  }

  /** A formula that holds exactly when a comparison of two fields does. */
  toPairFormula(field: string, test: FieldRefTest): Formula {
    return { kind: 'variable', number: this.#add(`${field}\npair ${toTestKey(test)}`, { kind: 'pair', field, test }) }
  }

  #internAtom(field: string | undefined, predicate: Predicate): number {
    return this.#add(`${field ?? ''}\n${toPredicateKey(predicate)}`, { kind: 'field', field, predicate })
  }

  #add(key: string, atom: Atom): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.atoms.length)
    return this.atoms.push(atom) - 1
  }
}

const absentValue = new ValueView(undefined)

function negatePredicate(predicate: Predicate): Predicate {
  return predicate.kind === 'not' ? predicate.of : { kind: 'not', of: predicate }
}

/** What two comparisons have in common when they ask the same. */
function toTestKey(value: ValueTest): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}

/** What two predicates of one field have in common when they ask the same, however they were written. */
export function toPredicateKey(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return `${predicate.kind}(${predicate.of.map(toPredicateKey).toSorted().join()})`
    case 'not':
      return `not(${toPredicateKey(predicate.of)})`
    case 'group':
      return toPredicateKey(predicate.of)
    case 'test':
      return toTestKey(predicate.value)
    case 'constant':
    case 'elements':
      return JSON.stringify(predicate)
  }
}
