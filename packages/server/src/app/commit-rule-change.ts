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

/** What became of a change. */
export type RuleChange = {
  readonly rule: Rule
  /** The offset of the first event that the rule is run on as it is now; undefined where the stream runs what it ran. */
  readonly effectiveFromOffset: number | undefined
  readonly warnings: readonly string[]
}

/** What a change comes to: a rule to put or an id to remove, or neither where nothing changes. */
export type RuleOutcome = {
  readonly before?: Rule
  readonly rule: Rule
  readonly put?: LoadedRule
  readonly remove?: string
  readonly warnings: readonly string[]
}

/** A change of a tenant's rules, and what the trail calls it. */
export type RuleChangeWork = {
  readonly action: 'rule.create' | 'rule.update' | 'rule.reset' | 'rule.delete'
  readonly decide: (book: TenantRules) => Promise<RuleOutcome>
}

/** Decides a change, keeps it together with its entry of the trail, and has the tenant's stream run it. */
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
      // What came with the server is not copied: it may be newer at the next start.
      else await stores.rules.put(tenant, [rule.origin === 'builtin' ? { ...rule, definition: '' } : rule])
      const diff = diffRules(before, remove === undefined ? rule : undefined)
      await recordAudit(stores, caller, { at: app.clock.now(), action, target: { type: 'rule', id: rule.id }, diff })
    })
    return { book: book.withChange({ put: put === undefined ? [] : [put], remove: remove === undefined ? [] : [remove] }), store }
  })
  if (outcome === undefined) throw new Error('a change came to nothing')
  return { rule: outcome.rule, effectiveFromOffset, warnings: outcome.warnings }
}

/** Refuses to write over what another process wrote: this one does not know it, and runs something else. */
async function rejectForeignChange(
  { rules }: Pick<Stores, 'rules'>,
  { tenant, book, id }: { readonly tenant: TenantId; readonly book: TenantRules; readonly id: string },
): Promise<void> {
  const stored = await rules.get(tenant, id)
  // Switches of a rule that does not come with the server any more lie there and mean nothing.
  const isLeftOver = stored?.origin === 'builtin' && !book.library.rules.has(id)
  if (isLeftOver || stored?.version === book.own.get(id)?.rule.version) return
  throw new AppError('CONFLICT', 'another process changed the rule; restart the server to load it')
}
