import type { RuleSource } from '../compile-rules.ts'
import { limits } from '../limits.ts'
import { applyFixes } from './apply-fixes.ts'
import { lintRules } from './lint-rules.ts'
import type { LintFinding, LintFix, LintOptions } from './lint-rules.ts'
import { areEquivalentRules } from './rule-equivalence.ts'

/** A source after its safe fixes, and what they mended. */
export type FixedSource = { readonly path: string; readonly text: string; readonly fixed: readonly LintFinding[] }

type Fixable = LintFinding & { readonly fix: LintFix }

/**
 * Applies all safe fixes to a source, round after round until there is nothing left to fix. Each round is
 * compiled before it counts: a fix after which the rules would not mean the same is not applied, whatever
 * its check promised.
 */
export function fixRules({ path = '', text }: RuleSource, options: LintOptions = {}): FixedSource {
  const fixed: LintFinding[] = []
  const refused = new Set<string>()
  let current = text
  for (let round = 0; round < limits.lintFixRoundsMax; round++) {
    const [report] = lintRules([{ path, text: current }], options)
    const findings = (report?.findings ?? []).filter((finding): finding is Fixable => finding.fix?.isSafe === true)
    const waiting = findings.filter((finding) => !refused.has(getFindingKey(finding)))
    if (waiting.length === 0) break
    const { text: next, applied } = applyEquivalentFixes(current, waiting, { refused, options })
    fixed.push(...applied)
    current = next
  }
  return { path, text: current, fixed }
}

/** Applies fixes together, or one after the other where together they would change what the rules mean. */
function applyEquivalentFixes(
  text: string, findings: readonly Fixable[],
  { refused, options }: { readonly refused: Set<string>; readonly options: LintOptions },
): { readonly text: string; readonly applied: readonly LintFinding[] } {
  const together = applyFixes(text, findings.map((finding) => ({ finding, edits: finding.fix.edits })))
  if (areEquivalentRules(text, together.text, options)) {
    return { text: together.text, applied: together.applied.map(({ finding }) => finding) }
  }
  for (const finding of findings.slice(0, limits.lintSingleFixesMax)) {
    const alone = applyFixes(text, [finding.fix])
    // The first that keeps the meaning is enough for this round: the others' places have moved.
    if (areEquivalentRules(text, alone.text, options)) return { text: alone.text, applied: [finding] }
    refused.add(getFindingKey(finding))
  }
  return { text, applied: [] }
}

function getFindingKey({ code, message, attribute }: LintFinding): string {
  return `${code} ${attribute} ${message}`
}
