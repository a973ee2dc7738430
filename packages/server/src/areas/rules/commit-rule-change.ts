import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { Principal } from '@tripline/model/access/principal'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { nameActor } from '../../audit/name-actor.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { diffRules } from './rule-diff.ts'

/** What changes of rules need of the server. */
export type RuleCommitDeps = {
  readonly state: StateStore
  readonly ruleBooks: Pick<RuleRegistry, 'change'>
  readonly clock: Pick<Runtime, 'now'>
}

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
type RuleChangeWork<Outcome = RuleOutcome> = {
  readonly action: 'rule.create' | 'rule.update' | 'rule.reset' | 'rule.delete'
  readonly decide: (book: TenantRules) => Promise<Outcome>
}

/** Decides a change, commits it together with its audit entry, and activates it in the tenant's stream. */
export async function commitRuleChange(deps: RuleCommitDeps, caller: Principal, { action, decide }: RuleChangeWork): Promise<RuleChange> {
  const [change] = await commitRuleChanges(deps, caller, { action, decide: async (book) => [await decide(book)] })
  if (change === undefined) throw new Error('a change came to nothing')
  return change
}

/** The same for several rules, in one transaction: all of them or none, each with an audit entry of its own. */
export async function commitRuleChanges(
  deps: RuleCommitDeps, caller: Principal, { action, decide }: RuleChangeWork<readonly RuleOutcome[]>,
): Promise<readonly RuleChange[]> {
  const { tenant } = caller
  let outcomes: readonly RuleOutcome[] = []
  const { effectiveFromOffset } = await deps.ruleBooks.change(tenant, async (book) => {
    outcomes = await decide(book)
    const changed = outcomes.filter(({ put, remove }) => put !== undefined || remove !== undefined)
    if (changed.length === 0) return { book }
    const store = () => deps.state.transaction(async (stores) => {
      for (const outcome of changed) await storeOutcome(deps, stores, caller, { action, book, outcome })
    })
    const put = changed.flatMap((outcome) => outcome.put ?? [])
    // Compiling was one long step, and putting the rules together is another.
    await othersFirst()
    return { book: book.withChange({ put, remove: changed.flatMap(({ remove }) => remove ?? []) }), store }
  })
  return outcomes.map(({ rule, warnings }) => ({ rule, effectiveFromOffset, warnings }))
}

type DecidedChange = Pick<RuleChangeWork, 'action'> & { readonly book: TenantRules; readonly outcome: RuleOutcome }

async function storeOutcome(
  { clock }: Pick<RuleCommitDeps, 'clock'>, stores: Stores, caller: Principal, { action, book, outcome }: DecidedChange,
): Promise<void> {
  const { tenant } = caller
  const { before, rule, remove } = outcome
  const at = clock.now()
  await rejectForeignChange(stores, { tenant, book, id: rule.id })
  if (remove !== undefined) await stores.rules.remove(tenant, remove, at)
  // Built-in text is not copied: the next release may update it.
  else {
    const stored = rule.origin === 'builtin' ? { ...rule, definition: '' } : rule
    await stores.rules.put(tenant, [stored], { by: await nameActor(stores, caller), wasEnabled: before?.isEnabled === true })
  }
  const diff = diffRules(before, remove === undefined ? rule : undefined)
  await recordAudit(stores, caller, { at, action, target: { type: 'rule', id: rule.id }, diff })
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
