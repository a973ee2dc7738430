/**
 * A rule in terms of its atoms, the largest parts of it that read one field each. `open` is what no atom
 * says: it is asked of the event itself, and only when the rest leaves it undecided.
 */
export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'atom'; readonly atom: number }
  | { readonly kind: 'open' }
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'and'; readonly of: readonly Formula[] }
  | { readonly kind: 'or'; readonly of: readonly Formula[] }

export const open: Formula = { kind: 'open' }

/** What is known of a rule when it is known which atoms hold. */
export type Outcome = typeof holds | typeof fails | typeof unknown
export const fails = 0
export const holds = 1
export const unknown = 2

/** Evaluates a formula in Kleene's logic of three values. */
export function evaluate(formula: Formula, outcomeOf: (atom: number) => Outcome): Outcome {
  switch (formula.kind) {
    case 'constant':
      return formula.value ? holds : fails
    case 'atom':
      return outcomeOf(formula.atom)
    case 'open':
      return unknown
    case 'not': {
      const outcome = evaluate(formula.of, outcomeOf)
      return outcome === unknown ? unknown : outcome === holds ? fails : holds
    }
    case 'and':
      return evaluateParts(formula.of, fails, holds, outcomeOf)
    case 'or':
      return evaluateParts(formula.of, holds, fails, outcomeOf)
  }
}

/** One part that is `decisive` decides; none, and all are known: `otherwise`. */
function evaluateParts(parts: readonly Formula[], decisive: Outcome, otherwise: Outcome, outcomeOf: (atom: number) => Outcome): Outcome {
  let isUnknown = false
  for (const part of parts) {
    const outcome = evaluate(part, outcomeOf)
    if (outcome === decisive) return decisive
    if (outcome === unknown) isUnknown = true
  }
  return isUnknown ? unknown : otherwise
}

/** The negation, without a second one around a first. */
export function negate(formula: Formula): Formula {
  return formula.kind === 'not' ? formula.of : { kind: 'not', of: formula }
}

/** The atoms that a formula names, each as often as it does. */
export function* atomsOf(formula: Formula): Generator<number> {
  if (formula.kind === 'atom') yield formula.atom
  else if (formula.kind === 'not') yield* atomsOf(formula.of)
  else if (formula.kind === 'and' || formula.kind === 'or') for (const part of formula.of) yield* atomsOf(part)
}

/**
 * Finds atoms of which one holds whenever the formula may; undefined where nothing is known, as of a
 * negation. Of the parts of an `and` the rarest is taken, by the sum of what `costOf` says of its atoms.
 * Like a requirement of a predicate it may only ever weaken.
 */
export function anchorsOf(formula: Formula, costOf: (atom: number) => number): readonly number[] | undefined {
  switch (formula.kind) {
    case 'atom':
      return [formula.atom]
    case 'constant':
      return formula.value ? undefined : []
    case 'open':
    case 'not':
      return undefined
    case 'or': {
      const parts = formula.of.map((part) => anchorsOf(part, costOf))
      const known = parts.filter((part) => part !== undefined)
      return known.length === parts.length ? known.flat() : undefined
    }
    case 'and': {
      const known = formula.of.map((part) => anchorsOf(part, costOf)).filter((part) => part !== undefined)
      const sum = (atoms: readonly number[]) => atoms.reduce((cost, atom) => cost + costOf(atom), 0)
      return known.reduce<readonly number[] | undefined>(
        (best, part) => (best === undefined || sum(part) < sum(best) ? part : best), undefined,
      )
    }
  }
}

/** A formula in a line, for people and tests: `(#1 & !(#2 | ?))`; `?` is what is open. */
export function printFormula(formula: Formula): string {
  switch (formula.kind) {
    case 'constant':
      return String(formula.value)
    case 'atom':
      return `#${formula.atom}`
    case 'open':
      return '?'
    case 'not':
      return `!${printFormula(formula.of)}`
    case 'and':
    case 'or':
      return `(${formula.of.map(printFormula).join(formula.kind === 'and' ? ' & ' : ' | ')})`
  }
}
