import type { RuleSource } from '@tripline/engine'
import { limits } from '../limits.ts'
import { applyFixes } from './apply-fixes.ts'
import { lintRules } from './lint-rules.ts'
import type { LintOptions } from './lint-options.ts'
import type { LintFinding, LintFix } from './lint-rules.ts'
import { areEquivalentRules } from './rule-equivalence.ts'

/** A source after its safe fixes, and the findings they fixed. */
export type FixedSource = { readonly path: string; readonly text: string; readonly fixed: readonly LintFinding[] }

type Fixable = LintFinding & { readonly fix: LintFix }

/**
 * Applies all safe fixes to a source, in rounds until none is left. Compiles the rules after each round and
 * drops a fix that changes what they match, even when its check declares it safe.
 */
export function fixRules({ path = '', text }: RuleSource, options: LintOptions = {}): FixedSource {
  const fixed: LintFinding[] = []
  const rejected = new Set<string>()
  let current = text
  for (let round = 0; round < limits.lintFixRoundsMax; round++) {
    const [report] = lintRules([{ path, text: current }], options)
    const findings = (report?.findings ?? []).filter((finding): finding is Fixable => finding.fix?.isSafe === true)
    const waiting = findings.filter((finding) => !rejected.has(getFindingKey(finding)))
    if (waiting.length === 0) break
    const { text: next, applied } = applyEquivalentFixes(current, waiting, { rejected, options })
    fixed.push(...applied)
    current = next
  }
  return { path, text: current, fixed }
}

/** Applies fixes together, or one at a time when together they would change what the rules match. */
function applyEquivalentFixes(
  text: string, findings: readonly Fixable[],
  { rejected, options }: { readonly rejected: Set<string>; readonly options: LintOptions },
): { readonly text: string; readonly applied: readonly LintFinding[] } {
  const together = applyFixes(text, findings.map((finding) => ({ finding, edits: finding.fix.edits })))
  if (areEquivalentRules(text, together.text, options)) {
    return { text: together.text, applied: together.applied.map(({ finding }) => finding) }
  }
  for (const finding of findings.slice(0, limits.lintSingleFixesMax)) {
    const alone = applyFixes(text, [finding.fix])
    // One fix is enough for this round, because it moves the positions of the others.
    if (areEquivalentRules(text, alone.text, options)) return { text: alone.text, applied: [finding] }
    rejected.add(getFindingKey(finding))
  }
  return { text, applied: [] }
}

function getFindingKey({ code, message, attribute }: LintFinding): string {
  return `${code} ${attribute} ${message}`
}
