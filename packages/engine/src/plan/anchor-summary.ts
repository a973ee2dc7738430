import { printRequirement } from '../candidates/requirement.ts'
import type { Atom } from './atom-table.ts'
import type { RuleIndex } from './rule-index.ts'

/** What has to be found in an event before a rule is tried on it. */
export type AnchorSummary = {
  /** Whether there is anything; if not, the rule is tried on every event of its route. */
  readonly isAnchored: boolean
  /** Whether it is texts and numbers alone, which are looked for; else comparisons are asked of every new value. */
  readonly isSearchable: boolean
  /** Characters of the shortest of the texts; undefined where there is none. */
  readonly shortestText: number | undefined
  /** One of these: `Image ...\cmd.exe`; `any Image` where each value of the field is compared. */
  readonly needed: readonly string[]
}

/** Tells what anchors a rule of an index, by its number there. */
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
