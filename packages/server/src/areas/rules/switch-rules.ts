import { AppError } from '@tripline/contract/app-error'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { Principal } from '@tripline/model/access/principal'
import { checkRuleState } from './check-rule.ts'
import { commitRuleChanges } from './commit-rule-change.ts'
import type { RuleCommitDeps, RuleOutcome } from './commit-rule-change.ts'

type FailedSwitch = { readonly id: string; readonly error: AppError }

/** What became of a change of many rules. */
type SwitchResult = {
  readonly matched: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: readonly FailedSwitch[]
  readonly effectiveFromOffset: number | undefined
}

/**
 * Switches many rules of a tenant on or off in one transaction, and swaps its stream once. Rules that cannot be switched are left
 * out; each of the others has an audit entry of its own.
 */
export async function switchRules(
  deps: RuleCommitDeps, caller: Principal, { ids, isEnabled }: { readonly ids: readonly string[]; readonly isEnabled: boolean },
): Promise<SwitchResult> {
  const wanted = new Set(ids.map((id) => id.toLowerCase()))
  let failed: FailedSwitch[] = []
  let changed = 0
  const changes = await commitRuleChanges(deps, caller, {
    action: 'rule.update',
    decide: async (book) => {
      // It is decided again where another change came between.
      failed = []
      const outcomes = [...wanted].flatMap((id): RuleOutcome[] => {
        try {
          return [decideSwitch(book, id, { isEnabled, nowMs: deps.clock.now() })]
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          failed.push({ id, error })
          return []
        }
      })
      changed = outcomes.filter(({ put }) => put !== undefined).length
      return outcomes
    },
  })
  const matched = wanted.size
  const [first] = changes
  return { matched, changed, unchanged: matched - changed - failed.length, failed, effectiveFromOffset: first?.effectiveFromOffset }
}

/** @throws AppError NOT_FOUND; CONFLICT for a rule that cannot be enabled; INVALID_RULE for one that does not compile. */
function decideSwitch(
  book: TenantRules, id: string, { isEnabled, nowMs }: { readonly isEnabled: boolean; readonly nowMs: number },
): RuleOutcome {
  const loaded = book.get(id)
  if (loaded === undefined) throw new AppError('NOT_FOUND', 'there is no such rule')
  const before = loaded.rule
  if (before.isEnabled === isEnabled) return { rule: before, warnings: [] }
  if (isEnabled && loaded.problem !== undefined) throw new AppError('INVALID_RULE', `the rule does not compile: ${loaded.problem}`)
  const rule = { ...before, isEnabled, version: before.version + 1, updatedAt: nowMs }
  const after: LoadedRule = { ...loaded, rule }
  return { before, rule, put: after, warnings: checkRuleState(before, rule) }
}
