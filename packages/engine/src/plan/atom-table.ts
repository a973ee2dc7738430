import { Reading } from '../event/reading.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Predicate, ValueTest } from '../predicate/predicate.ts'
import { negate } from './formula.ts'
import type { Formula } from './formula.ts'

/** A condition on one field; without a field, on the leaves of the event. Nothing absent passes it. */
export type Atom = { readonly field: string | undefined; readonly predicate: Predicate }

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

  #numberOf(field: string | undefined, predicate: Predicate): number {
    const key = `${field ?? ''}\n${keyOf(predicate)}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.atoms.length)
    return this.atoms.push({ field, predicate }) - 1
  }
}

const absent = new Reading(undefined)

function opposite(predicate: Predicate): Predicate {
  return predicate.kind === 'not' ? predicate.of : { kind: 'not', of: predicate }
}

/** What two comparisons have in common when they ask the same. */
export function keyOfTest(value: ValueTest): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}

/** What two predicates of one field have in common when they ask the same, however they were written. */
function keyOf(predicate: Predicate): string {
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
