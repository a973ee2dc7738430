import type { Edit } from '../checks/define-checks.ts'
import { limits } from '../limits.ts'
import type { LintFix } from './lint-rules.ts'

/**
 * Applies fixes to the text of their findings. Skips a fix that overlaps an earlier one, and those beyond
 * `limits.lintEditsMax` edits; lint the new text again to apply them.
 */
export function applyFixes<Fix extends Pick<LintFix, 'edits'>>(
  text: string, fixes: readonly Fix[],
): { readonly text: string; readonly applied: readonly Fix[] } {
  const accepted: Edit[] = []
  const applied = fixes.filter(({ edits }) => {
    const isAccepted = accepted.length <= limits.lintEditsMax && edits.every((edit) => !accepted.some((other) => touches(edit, other)))
    if (isAccepted) accepted.push(...edits)
    return isAccepted
  })
  const pieces: string[] = []
  let end = 0
  for (const { offset, length, text: inserted } of accepted.sort((a, b) => a.offset - b.offset)) {
    pieces.push(text.slice(end, offset), inserted)
    end = offset + length
  }
  return { text: pieces.join('') + text.slice(end), applied }
}

function touches(a: Edit, b: Edit): boolean {
  return a.offset <= b.offset + b.length && b.offset <= a.offset + a.length
}
