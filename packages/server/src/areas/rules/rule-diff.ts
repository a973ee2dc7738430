import type { Rule, RuleException } from '@tripline/model/rule'
import { isDeepStrictEqual } from 'node:util'
import { limits } from '../../limits.ts'

/** Attributes of a rule that the audit trail records before and after. */
const auditedFields = ['title', 'level', 'maturity', 'isEnabled', 'lifecycle', 'origin', 'version'] as const

const printedNames: { readonly [fact in (typeof auditedFields)[number]]: string } = {
  title: 'title', level: 'level', maturity: 'status', isEnabled: 'enabled', lifecycle: 'lifecycle', origin: 'origin',
  version: 'version',
}

/**
 * The difference between two versions of a rule for the audit trail: attributes before and after, and the changed lines of
 * the text; null for an absent value.
 */
export function diffRules(before: Rule | undefined, after: Rule | undefined): { readonly [name: string]: unknown } {
  const diff: { [name: string]: unknown } = {}
  for (const fact of auditedFields) {
    const pair = [before?.[fact] ?? null, after?.[fact] ?? null]
    if (pair[0] !== pair[1]) diff[printedNames[fact]] = pair
  }
  const [textBefore, textAfter] = [before?.definition ?? '', after?.definition ?? '']
  if (textBefore !== textAfter) diff['definition'] = findDifferentLines(textBefore, textAfter)
  if (!isDeepStrictEqual(before?.exceptions ?? [], after?.exceptions ?? [])) {
    diff['filters'] = [before, after].map((rule) => rule?.exceptions.map(summarizeException) ?? [])
  }
  return diff
}

function summarizeException({ id, owner, reason, expiresAt }: RuleException) {
  return { id, owner, reason, expires_at: new Date(expiresAt).toISOString() }
}

/** The lines between the common prefix and suffix, truncated if very long. */
export function findDifferentLines(before: string, after: string): readonly [string, string] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let same = 0
  while (same < a.length - start && same < b.length - start && a.at(-1 - same) === b.at(-1 - same)) same++
  const between = (lines: readonly string[]): string => {
    return lines.slice(start, lines.length - same).join('\n').slice(0, limits.rules.diffLengthMax)
  }
  return [between(a), between(b)]
}
