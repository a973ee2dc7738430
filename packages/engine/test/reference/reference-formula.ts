import type { ReferenceCorrelation, ReferenceEntry, ReferenceFormula } from './reference-types.ts'

/** Some rules that have to be seen, and others that must not: one smallest way to make a formula true. */
export type ReferenceTerm = { readonly seen: readonly string[]; readonly unseen: readonly string[] }

/** The prime implicants of a formula, found by trying every set of rules. */
export function termsOf({ rules, formula }: ReferenceCorrelation): ReferenceTerm[] {
  const all: ReferenceTerm[] = subsetsOf(rules).flatMap((seen) => {
    return subsetsOf(rules.filter((rule) => !seen.includes(rule))).map((unseen) => ({ seen, unseen }))
  })
  const implicants = all.filter(({ seen, unseen }) => {
    const others = rules.filter((rule) => !seen.includes(rule) && !unseen.includes(rule))
    return subsetsOf(others).every((more) => isTrueOf(formula!, [...seen, ...more]))
  })
  return implicants.filter((term) => !implicants.some((other) => other !== term && includesTerm(term, other)))
}

function includesTerm(term: ReferenceTerm, part: ReferenceTerm): boolean {
  return part.seen.every((rule) => term.seen.includes(rule)) && part.unseen.every((rule) => term.unseen.includes(rule))
}

/** Whether some of the rules that were seen, in order where that is asked, make the formula true. */
export function hasWay({ type, rules, formula }: ReferenceCorrelation, window: readonly ReferenceEntry[]): boolean {
  const seen = seenIn(window).toSorted((a, b) => rules.indexOf(a) - rules.indexOf(b))
  return subsetsOf(seen).some((way) => isTrueOf(formula!, way) && (type === 'temporal' || isChain(way, window)))
}

export function seenIn(window: readonly ReferenceEntry[]): string[] {
  return [...new Set(window.flatMap(({ rules }) => rules))]
}

export function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((all, item) => [...all, ...all.map((subset) => [...subset, item])], [[]])
}

function isTrueOf(formula: ReferenceFormula, seen: readonly string[]): boolean {
  if (typeof formula === 'string') return seen.includes(formula)
  if ('not' in formula) return !isTrueOf(formula.not, seen)
  return 'and' in formula ? formula.and.every((part) => isTrueOf(part, seen)) : formula.or.some((part) => isTrueOf(part, seen))
}

/** Whether rules matched one after the other; an event may be of several of them. */
export function isChain(rules: readonly string[], window: readonly ReferenceEntry[]): boolean {
  if (rules.length === 0) return true
  return window.some((entry, i) => {
    const onwards = window.filter((other, j) => j >= i || other.place === entry.place)
    return entry.rules.includes(rules[0]!) && isChain(rules.slice(1), onwards)
  })
}
