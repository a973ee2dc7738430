import { limits } from '../limits.ts'
import type { RuleFormula } from './correlation.ts'

/** A conjunction: members that must match, in ascending order, and members that must not. */
export type FormulaTerm = { readonly seen: readonly number[]; readonly unseen: readonly number[] }

/**
 * The smallest ways to make a formula true: its prime implicants, from its disjunctive normal form by iterated consensus
 * (Quine). Temporal correlations need them apart, to look for members in order and for what must not be seen. Undefined
 * when there are more than `limits.correlationTermsMax`.
 */
export function toDisjunctiveForm(formula: RuleFormula): readonly FormulaTerm[] | undefined {
  const terms = expandFormula(formula, false)?.filter(({ seen, unseen }) => !seen.some((member) => unseen.includes(member)))
  return terms && addConsensus(terms)
}

/** Whether a formula has a negation anywhere, so that more that is seen may make it fail. */
export function hasNegation(formula: RuleFormula): boolean {
  if (formula.kind === 'rule') return false
  return formula.kind === 'not' || formula.of.some(hasNegation)
}

/** Terms for which consensus is tried: with more, its cubic time is not worth a decision that comes early. */
const consensusTermsMax = 64

/** Joins terms that differ in one member alone, until nothing new comes of it, and drops those that others include. */
function addConsensus(terms: readonly FormulaTerm[]): readonly FormulaTerm[] {
  const primes = [...terms]
  for (let i = 0; i < Math.min(primes.length, consensusTermsMax); i++) {
    for (let j = 0; j < i; j++) {
      const consensus = consensusOf(primes[i]!, primes[j]!)
      if (consensus !== undefined && !primes.some((other) => isPartOf(other, consensus))) primes.push(consensus)
    }
  }
  return primes.filter((term, i) => !primes.some((other, j) => j !== i && isPartOf(other, term) && (j < i || !isPartOf(term, other))))
}

/** What two terms imply together where exactly one member is seen in one and unseen in the other. */
function consensusOf(a: FormulaTerm, b: FormulaTerm): FormulaTerm | undefined {
  const opposed = [...a.seen.filter((member) => b.unseen.includes(member)), ...a.unseen.filter((member) => b.seen.includes(member))]
  if (opposed.length !== 1) return undefined
  const without = (members: readonly number[]): number[] => members.filter((member) => member !== opposed[0])
  const { seen, unseen } = joinTerms(a, b)
  return { seen: without(seen), unseen: without(unseen) }
}

function isPartOf(part: FormulaTerm, term: FormulaTerm): boolean {
  return part.seen.every((member) => term.seen.includes(member)) && part.unseen.every((member) => term.unseen.includes(member))
}

function expandFormula(formula: RuleFormula, isNegated: boolean): readonly FormulaTerm[] | undefined {
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
