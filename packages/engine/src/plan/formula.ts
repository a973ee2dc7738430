/**
 * A propositional formula over numbered variables: the atoms of a rule, or the tests of an atom. `open` is a condition
 * that no variable covers: the rule's matcher evaluates it, and only if the rest leaves the formula undecided.
 */
export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'variable'; readonly number: number }
  | { readonly kind: 'open' }
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'and'; readonly of: readonly Formula[] }
  | { readonly kind: 'or'; readonly of: readonly Formula[] }

export const open: Formula = { kind: 'open' }

/** A truth value of Kleene's three-valued logic. */
export type Outcome = typeof holds | typeof fails | typeof unknown
export const fails = 0
export const holds = 1
export const unknown = 2

/** Negates a formula; a double negation is removed. */
export function negate(formula: Formula): Formula {
  return formula.kind === 'not' ? formula.of : { kind: 'not', of: formula }
}

/** Lists the variables of a formula, once for each occurrence. */
export function* listVariables(formula: Formula): Generator<number> {
  if (formula.kind === 'variable') yield formula.number
  else if (formula.kind === 'not') yield* listVariables(formula.of)
  else if (formula.kind === 'and' || formula.kind === 'or') for (const part of formula.of) yield* listVariables(part)
}

/**
 * Finds anchors: variables of which at least one is true whenever the formula may be; undefined if there are none, for
 * example if it may be true because variables are false. Of the parts of an `and` it takes the one with the least sum of
 * `costOf`. The result is a necessary condition: it may be weaker than the formula, never stronger.
 */
export function findAnchors(formula: Formula, costOf: (variable: number) => number): readonly number[] | undefined {
  return findAnchorsWhen(formula, true, costOf)
}

/** The anchors of a formula, or of its negation where `holds` is false. */
function findAnchorsWhen(formula: Formula, holds: boolean, costOf: (variable: number) => number): readonly number[] | undefined {
  switch (formula.kind) {
    case 'variable':
      return holds ? [formula.number] : undefined
    case 'constant':
      return formula.value === holds ? undefined : []
    case 'open':
      return undefined
    case 'not':
      return findAnchorsWhen(formula.of, !holds, costOf)
    case 'and':
    case 'or': {
      const parts = formula.of.map((part) => findAnchorsWhen(part, holds, costOf))
      const known = parts.filter((part) => part !== undefined)
      // An `and` fails where one of its parts does: its negation is an `or`.
      if ((formula.kind === 'or') === holds) return known.length === parts.length ? known.flat() : undefined
      return pickCheapest(known, costOf)
    }
  }
}

function pickCheapest(parts: readonly (readonly number[])[], costOf: (variable: number) => number): readonly number[] | undefined {
  let best: readonly number[] | undefined
  let bestCost = Infinity
  for (const part of parts) {
    const cost = part.reduce((sum, variable) => sum + costOf(variable), 0)
    if (cost >= bestCost) continue
    best = part
    bestCost = cost
  }
  return best
}

/** Prints a formula in a line, for people and tests: `(#1 & !(#2 | ?))`; `?` is `open`. */
export function printFormula(formula: Formula): string {
  switch (formula.kind) {
    case 'constant':
      return String(formula.value)
    case 'variable':
      return `#${formula.number}`
    case 'open':
      return '?'
    case 'not':
      return `!${printFormula(formula.of)}`
    case 'and':
    case 'or':
      return `(${formula.of.map(printFormula).join(formula.kind === 'and' ? ' & ' : ' | ')})`
  }
}
