import { AppError } from '../domain/app-error.ts'
import type { Principal } from '../domain/principal.ts'
import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { LoadedRule } from '../rules/loaded-rule.ts'
import type { TenantRules } from '../rules/tenant-rules.ts'
import type { Stores } from '../store/state-store.ts'
import type { App } from './app.ts'
import { recordAudit } from './record-audit.ts'
import { diffRules } from './rule-diff.ts'

/** The result of a rule change. */
export type RuleChange = {
  readonly rule: Rule
  /** Offset of the first event evaluated with the changed rule; undefined if the stream is unaffected. */
  readonly effectiveFromOffset: number | undefined
  readonly warnings: readonly string[]
}

/** The decided change: a rule to put or an id to remove, or neither if nothing changes. */
export type RuleOutcome = {
  readonly before?: Rule
  readonly rule: Rule
  readonly put?: LoadedRule
  readonly remove?: string
  readonly warnings: readonly string[]
}

/** A change of a tenant's rules, with its action in the audit trail. */
export type RuleChangeWork = {
  readonly action: 'rule.create' | 'rule.update' | 'rule.reset' | 'rule.delete'
  readonly decide: (book: TenantRules) => Promise<RuleOutcome>
}

/** Decides a change, commits it together with its audit entry, and activates it in the tenant's stream. */
export async function commitRuleChange(app: App, caller: Principal, { action, decide }: RuleChangeWork): Promise<RuleChange> {
  const { tenant } = caller
  let outcome: RuleOutcome | undefined
  const { effectiveFromOffset } = await app.ruleBooks.change(tenant, async (book) => {
    outcome = await decide(book)
    const { before, rule, put, remove } = outcome
    if (put === undefined && remove === undefined) return { book }
    const store = () => app.state.transaction(async (stores) => {
      await rejectForeignChange(stores, { tenant, book, id: rule.id })
      if (remove !== undefined) await stores.rules.remove(tenant, remove)
      // Built-in text is not copied: the next release may update it.
      else await stores.rules.put(tenant, [rule.origin === 'builtin' ? { ...rule, definition: '' } : rule])
      const diff = diffRules(before, remove === undefined ? rule : undefined)
      await recordAudit(stores, caller, { at: app.clock.now(), action, target: { type: 'rule', id: rule.id }, diff })
    })
    return { book: book.withChange({ put: put === undefined ? [] : [put], remove: remove === undefined ? [] : [remove] }), store }
  })
  if (outcome === undefined) throw new Error('a change came to nothing')
  return { rule: outcome.rule, effectiveFromOffset, warnings: outcome.warnings }
}

/** Refuses to overwrite a change by another process, which this one has not loaded. */
async function rejectForeignChange(
  { rules }: Pick<Stores, 'rules'>,
  { tenant, book, id }: { readonly tenant: TenantId; readonly book: TenantRules; readonly id: string },
): Promise<void> {
  const stored = await rules.get(tenant, id)
  // A leftover record of a built-in rule that no longer exists has no effect.
  const isLeftOver = stored?.origin === 'builtin' && !book.library.rules.has(id)
  if (isLeftOver || stored?.version === book.own.get(id)?.rule.version) return
  throw new AppError('CONFLICT', 'another process changed the rule; restart the server to load it')
}
