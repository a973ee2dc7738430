import { printRequirement } from '../candidates/requirement.ts'
import type { Atom } from './atom-table.ts'
import type { RuleIndex } from './rule-index.ts'

/** The anchors of a rule for people: what an event must contain for the rule to be a candidate. */
export type AnchorSummary = {
  /** Whether the rule has anchors; if not, it is a candidate for every new signature of its route. */
  readonly isAnchored: boolean
  /** Whether the anchors are literals and numbers, which an index finds; else each new value is compared. */
  readonly isSearchable: boolean
  /** Characters of the shortest literal; undefined if there is none. */
  readonly shortestText: number | undefined
  /** Alternatives, one of which must be present: `Image ...\cmd.exe`; `any Image` if each value of the field is compared. */
  readonly needed: readonly string[]
}

/** Summarizes the anchors of a rule of an index, given its number there. */
export function summarizeAnchors(index: RuleIndex, rule: number): AnchorSummary {
  const anchors = index.getAnchors(rule)
  if (anchors === undefined) {
    return { isAnchored: false, isSearchable: false, shortestText: undefined, needed: ['anything'] }
  }
  const requirements = anchors.map((atom) => index.getRequirement(atom))
  const needles = requirements.flatMap((requirement) => requirement ?? [])
  const lengths = needles.flatMap((needle) => (needle.kind === 'text' ? [needle.text.length] : []))
  const compared = anchors.filter((atom) => index.getRequirement(atom) === undefined)
  const needed = [
    ...compared.map((atom) => printComparison(index.atoms[atom]!)),
    ...needles.map((needle) => printRequirement([needle])),
  ]
  return {
    isAnchored: true,
    isSearchable: compared.length === 0,
    shortestText: lengths.length === 0 ? undefined : lengths.reduce((a, b) => Math.min(a, b)),
    needed: [...new Set(needed.length === 0 ? ['nothing'] : needed)],
  }
}

function printComparison(atom: Atom): string {
  return atom.kind === 'pair' ? `${atom.field} beside ${atom.test.field}` : `any ${atom.field ?? 'value'}`
}
