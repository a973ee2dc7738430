import { ValueView } from '../event/value-view.ts'
import { compileCheck } from '../predicate/check.ts'
import type { FieldRefTest, Predicate, ValueTest } from '../predicate/predicate.ts'
import { negate } from './formula.ts'
import type { Formula } from './formula.ts'

/** The smallest condition whose result is cached: all comparisons of a rule with one field. False for an absent field. */
export type Atom =
  /** Of one field or, without a field, of the leaves of the event. */
  | { readonly kind: 'field'; readonly field: string | undefined; readonly predicate: Predicate }
  /** A comparison of two fields. */
  | { readonly kind: 'pair'; readonly field: string; readonly test: FieldRefTest }

const absentValue = new ValueView(undefined)

/** Interns the atoms of rules (hash consing): equal atoms share a number. Numbers start at 0. */
export class AtomTable {
  readonly atoms: Atom[] = []
  readonly #numbers = new Map<string, number>()

  /**
   * Converts a predicate of one field to an equivalent formula. A predicate that is true of an absent field becomes the
   * negation of an atom, so atoms are false for absent fields, which then need no cache entries.
   */
  toFormula(field: string | undefined, predicate: Predicate): Formula {
    const passesAbsent = compileCheck(predicate)(absentValue)
    const formula: Formula = { kind: 'variable', number: this.#internAtom(field, passesAbsent ? negatePredicate(predicate) : predicate) }
    return passesAbsent ? negate(formula) : formula
  }

  /** Converts a comparison of two fields to an equivalent formula. */
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

function negatePredicate(predicate: Predicate): Predicate {
  return predicate.kind === 'not' ? predicate.of : { kind: 'not', of: predicate }
}

/** A key that is equal for equal comparisons. */
function toTestKey(value: ValueTest): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}

/** A key that is equal for predicates of one field that differ only in notation or in the order of their parts. */
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
