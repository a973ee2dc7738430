import { AppError } from '@tripline/contract/app-error'
import { checkTextWork, compileDefinition, createCompileBudget } from '@tripline/detection/rules/compile-definition'
import { loadRule } from '@tripline/detection/rules/load-rule'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import { addRuleId, splitDefinition, withSentPositions } from '@tripline/detection/rules/sent-definition'
import type { SentDefinition } from '@tripline/detection/rules/sent-definition'
import { sortByReferences } from '@tripline/detection/rules/sort-definitions'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { WorkBudget } from '@tripline/engine'
import type { Principal } from '@tripline/model/access/principal'
import { createRandomUuid } from '@tripline/model/ids'
import { buildRule } from '@tripline/model/rule'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { RuleChangeDeps, RuleEdit, RuleChangeOptions } from './change-rule.ts'
import { checkRule } from './check-rule.ts'
import { commitRuleChanges } from './commit-rule-change.ts'
import type { RuleChange, RuleOutcome } from './commit-rule-change.ts'
import { applyExceptionEdits } from './rule-exceptions.ts'
import { checkCostlyDefinition } from './tests/check-costly-definition.ts'

/** New rules with the same state. By default they are published and enabled, unless their status is unsupported. */
type NewRules = Pick<RuleEdit, 'isEnabled' | 'lifecycle' | 'exceptions'> & {
  /** One or several YAML documents; they may refer to each other in any order. */
  readonly definition: string
}

/**
 * Creates the custom rules of a text, all or none, and returns them in its order. A rule without an id gets one.
 *
 * @throws AppError CONFLICT for an id that is taken, or at the limit of rules; otherwise as `changeRule`.
 */
export function createRules(
  deps: RuleChangeDeps, caller: Principal, asked: NewRules, terms: Pick<RuleChangeOptions, 'isForced'>,
): Promise<readonly RuleChange[]> {
  return commitRuleChanges(deps, caller, {
    action: 'rule.create',
    decide: async (book) => {
      checkTextWork(asked.definition)
      const definitions = splitDefinition(asked.definition).map((sent) => addRuleId(sent, createRandomUuid(deps.randomBytes)))
      if (definitions.length > 1 && asked.exceptions !== undefined) {
        throw new AppError('INVALID_BODY', "filters: exceptions belong to one rule; send them with the text of that rule alone")
      }
      checkRuleLimit(book, definitions.length)
      const budget = createCompileBudget()
      const outcomes = new Map<SentDefinition, RuleOutcome & { readonly put: LoadedRule }>()
      let after = book
      for (const definition of sortByReferences(definitions)) {
        const outcome = await withSentPositions(definition, () => {
          return decideRule({ deps, caller, book: after, budget }, { ...asked, definition: definition.text }, terms)
        })
        outcomes.set(definition, outcome)
        // The last one is put among the tenant's rules when all are.
        if (outcomes.size < definitions.length) after = after.withChange({ put: [outcome.put] })
        await othersFirst()
      }
      return definitions.flatMap((definition) => outcomes.get(definition) ?? [])
    },
  })
}

type CreationContext = {
  readonly deps: RuleChangeDeps
  readonly caller: Principal
  /** The tenant's rules, with those of the request that were decided before. */
  readonly book: TenantRules
  readonly budget: WorkBudget
}

async function decideRule(
  { deps, caller, book, budget }: CreationContext, asked: NewRules, terms: Pick<RuleChangeOptions, 'isForced'>,
): Promise<RuleOutcome & { readonly put: LoadedRule }> {
  const { definition } = asked
  const nowMs = deps.clock.now()
  const context = { library: book.library, among: book.all, nowMs }
  const checked = { rules: book, definition }
  let failedTests = await checkCostlyDefinition(deps.costlyRules, caller.tenant, { ...checked, exceptions: [] })
  const { filterSources, rewriting } = book.library
  const { parts, advice } = compileDefinition(definition, { among: book.all, filterSources, rewriting, budget })
  const own = parts[0]!
  // Compiling a costly rule is a long step.
  await othersFirst()
  if (book.get(own.id) !== undefined) throw new AppError('CONFLICT', `a rule with the id ${own.id} already exists`, { id: own.id })
  const { lifecycle = 'published', isEnabled = lifecycle === 'published' && own.rule.status !== 'unsupported' } = asked
  const bare = buildRule(own, {
    isEnabled, lifecycle, origin: 'custom', version: 1, definition, exceptions: [], createdAt: nowMs, updatedAt: nowMs,
  })
  const exceptions = await applyExceptionEdits(deps, caller, { rule: bare, edits: asked.exceptions })
  if (exceptions.length > 0) failedTests = await checkCostlyDefinition(deps.costlyRules, caller.tenant, { ...checked, exceptions })
  const after = exceptions.length === 0
    ? { rule: bare, parts, problem: undefined, narrowedUntil: undefined, advice }
    : loadRule({ ...bare, exceptions }, context)
  const warnings = await checkRule(book, { before: undefined, after }, { ...terms, failedTests })
  return { rule: after.rule, put: after, warnings }
}

function checkRuleLimit({ own }: TenantRules, addedCount: number): void {
  const limit = limits.rules.customMax
  const count = [...own.values()].filter(({ rule }) => rule.origin === 'custom').length
  if (count + addedCount <= limit) return
  throw new AppError('CONFLICT', `the tenant has reached its limit of ${limit} custom rules; delete one first`, { limit })
}
