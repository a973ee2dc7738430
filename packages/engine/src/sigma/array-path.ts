import type { ElementQuantifier } from '../predicate/predicate.ts'

/** A list on the path to a field, and the quantifier over its elements. */
export type ArrayStep = { readonly field: string; readonly quantifier: ElementQuantifier }

/** A field name with array selectors: the lists in order, and the field of the innermost element; empty for the element itself. */
type ArrayPath = { readonly steps: readonly ArrayStep[]; readonly field: string }

/** The selectors of Sigma enhancement proposal 212, and `[N]` for an element by its index from 0. */
const quantifierPattern = /\[(any|all|all_or_empty|none|\d{1,9})\](?:\.|$)/g

/**
 * Parses the array selectors in a field name (Sigma enhancement proposal 212, opt-in): `connections[any].ip`,
 * `args[0]`. A bracket after a backslash, or with other content, is part of the name.
 */
export function parseArrayPath(name: string): ArrayPath {
  const steps: ArrayStep[] = []
  let at = 0
  for (const found of name.matchAll(quantifierPattern)) {
    if (name[found.index - 1] === '\\') continue
    const text = found[1]!
    const quantifier = /^\d/.test(text) ? Number(text) : (text as ElementQuantifier)
    steps.push({ field: unescapeBrackets(name.slice(at, found.index)), quantifier })
    at = found.index + found[0].length
  }
  return { steps, field: unescapeBrackets(name.slice(at)) }
}

function unescapeBrackets(name: string): string {
  return name.replaceAll(/\\([[\]])/g, '$1')
}
