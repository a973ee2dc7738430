import { editDescription } from '@tripline/detection/rules/edit-definition'
import { loadRule } from '@tripline/detection/rules/load-rule'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { SubjectText } from '@tripline/model/compliance/erasure'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { isDeepStrictEqual } from 'node:util'

type RuleErasureDeps = {
  readonly state: Pick<StateStore, 'transaction'>
  readonly ruleBooks: Pick<RuleRegistry, 'change'>
  readonly now: () => number
}

/**
 * Removes a person from what describes a tenant's own rules and exceptions, such as the author and who answers for an exception, in
 * a new version of each. What they detect is a definition and stays. Returns how many rules were changed.
 */
export async function eraseFromRules(
  { state, ruleBooks, now }: RuleErasureDeps, tenant: TenantId, subject: SubjectText,
): Promise<number> {
  let count = 0
  await ruleBooks.change(tenant, async (book) => {
    const put = [...book.own.values()].flatMap((loaded) => eraseFromRule(loaded, { book, subject, nowMs: now() }) ?? [])
    count = put.length
    if (count === 0) return { book }
    const store = () => state.transaction(async (stores) => {
      for (const { rule } of put) {
        // The text of a built-in rule is not stored.
        const stored = rule.origin === 'builtin' ? { ...rule, definition: '' } : rule
        await stores.rules.put(tenant, [stored], { by: 'erasure', wasEnabled: rule.isEnabled })
      }
    })
    return { book: book.withChange({ put }), store }
  })
  return count
}

type RuleErasure = { readonly book: TenantRules; readonly subject: SubjectText; readonly nowMs: number }

/** The rule without the person; undefined where it does not change. */
function eraseFromRule(loaded: LoadedRule, { book: { library, all }, subject, nowMs }: RuleErasure): LoadedRule | undefined {
  const before = loaded.rule
  const erase = (text: string): string => subject.replaceIn(text)
  const exceptions = before.exceptions.map((one) => {
    return { ...one, title: erase(one.title), owner: erase(one.owner), reason: erase(one.reason) }
  })
  const described = before.origin === 'builtin' ? {} : {
    definition: editDescription(before.definition, erase), title: erase(before.title), description: erase(before.description),
    author: erase(before.author), falsePositives: before.falsePositives.map(erase), references: before.references.map(erase),
  }
  const asked: Rule = { ...before, ...described, exceptions }
  if (isDeepStrictEqual(asked, before)) return undefined
  const rule = { ...asked, version: before.version + 1, updatedAt: nowMs }
  return loaded.problem === undefined ? loadRule(rule, { library, among: all, nowMs, isStored: true }) : { ...loaded, rule }
}
