import { limits } from '../limits.ts'
import type { Formula } from './correlation.ts'

/** A conjunction: members that must match, in ascending order, and members that must not. */
export type FormulaTerm = { readonly seen: readonly number[]; readonly unseen: readonly number[] }

/**
 * Converts a formula to disjunctive normal form. A temporal_ordered correlation checks the order of the members in
 * each term. Undefined when there are more than `limits.correlationTermsMax` terms.
 */
export function toDisjunctiveForm(formula: Formula): readonly FormulaTerm[] | undefined {
  return expandFormula(formula, false)?.filter(({ seen, unseen }) => !seen.some((member) => unseen.includes(member)))
}

function expandFormula(formula: Formula, isNegated: boolean): readonly FormulaTerm[] | undefined {
  if (formula.kind === 'rule') return [isNegated ? { seen: [], unseen: [formula.rule] } : { seen: [formula.rule], unseen: [] }]
  if (formula.kind === 'not') return expandFormula(formula.of, !isNegated)
  // De Morgan: the negation of an `and` is an `or` of negations, and vice versa.
  const isAlternative = (formula.kind === 'or') !== isNegated
  let terms: readonly FormulaTerm[] = isAlternative ? [] : [{ seen: [], unseen: [] }]
  for (const part of formula.of) {
    const own = expandFormula(part, isNegated)
    if (own === undefined) return undefined
    terms = isAlternative ? [...terms, ...own] : terms.flatMap((term) => own.map((other) => joinTerms(term, other)))
    if (terms.length > limits.correlationTermsMax) return undefined
  }
  return terms
}

function joinTerms(a: FormulaTerm, b: FormulaTerm): FormulaTerm {
  return { seen: union(a.seen, b.seen), unseen: union(a.unseen, b.unseen) }
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((one, other) => one - other)
}
