import { limits } from '../limits.ts'
import type { Edit } from './define-checks.ts'
import type { LintFix } from './lint-rules.ts'

/**
 * Applies fixes to the text that they were found in. One that touches what an earlier one changes is left
 * out, and so is what is over `limits.lintEditsMax` edits; after the text was linted again, they may be applied.
 */
export function applyFixes<Fix extends Pick<LintFix, 'edits'>>(
  text: string, fixes: readonly Fix[],
): { readonly text: string; readonly applied: readonly Fix[] } {
  const taken: Edit[] = []
  const applied = fixes.filter(({ edits }) => {
    const isFree = taken.length <= limits.lintEditsMax && edits.every((edit) => !taken.some((other) => touches(edit, other)))
    if (isFree) taken.push(...edits)
    return isFree
  })
  const pieces: string[] = []
  let end = 0
  for (const { offset, length, text: inserted } of taken.sort((a, b) => a.offset - b.offset)) {
    pieces.push(text.slice(end, offset), inserted)
    end = offset + length
  }
  return { text: pieces.join('') + text.slice(end), applied }
}

function touches(a: Edit, b: Edit): boolean {
  return a.offset <= b.offset + b.length && b.offset <= a.offset + a.length
}
