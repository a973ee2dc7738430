import { AppError } from '@tripline/contract/app-error'
import { checkTextWork, compileDefinition } from '@tripline/detection/rules/compile-definition'
import type { RulePart } from '@tripline/detection/rules/loaded-rule'
import { createRuleError } from '@tripline/detection/rules/rule-errors'
import type { RuleProblem } from '@tripline/detection/rules/rule-errors'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import { WorkBudget } from '@tripline/engine'
import type { RuleSet } from '@tripline/engine'
import type { TriedException } from '@tripline/model/backtest'
import type { RuleException } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import { getRuleClosure } from '@tripline/rule-tools'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../../limits.ts'
import { createTriedExceptions } from '../exceptions/tried-exceptions.ts'
import { requireRule } from '../rules.ts'
import { checkCostlyDefinition } from '../tests/check-costly-definition.ts'
import type { CostlyRules } from '../tests/check-costly-definition.ts'

/** What differs from the rules that are stored: a text in the place of one, exceptions to try, or both. */
type Proposal = {
  readonly book: TenantRules
  readonly ruleIds: readonly string[]
  readonly definition: string | undefined
  readonly exceptions: readonly TriedException[]
  readonly nowMs: number
}

/**
 * Compiles what a backtest runs instead of the stored rules; they are checked first where `costlyRules` is given.
 *
 * @throws AppError INVALID_RULE, with the place of an exception in the body, and as costly texts are refused.
 */
export async function compileProposedRules(
  costlyRules: CostlyRules | undefined, tenant: TenantId, { book, ruleIds, definition, exceptions, nowMs }: Proposal,
): Promise<RuleSet> {
  const title = 'exception'
  const toPath = (index: number): string => `exceptions.${index}.detection`
  const tried = createTriedExceptions(exceptions.map(({ detection }) => detection), { title, toPath })
  if (definition !== undefined) {
    checkTextWork(definition)
    const parts = await compileOne(costlyRules, tenant, { book, definition, exceptions: tried })
    return getRuleClosure(parts[0]!.id, book.all.applyChange({ put: parts }))
  }
  const budget = new WorkBudget(limits.rules.backtestCompileWorkMax)
  const put: RulePart[] = []
  for (const id of new Set(ruleIds)) {
    const { rule, parts, problem } = requireRule(book, id)
    if (parts[0] === undefined) throw createRuleError(problem ?? 'the rule does not compile')
    const inForce = rule.exceptions.filter(({ expiresAt }) => expiresAt > nowMs)
    // Those to try come first: problems tell an index.
    const all = [...tried, ...inForce]
    put.push(...await compileOne(costlyRules, tenant, { book, definition: rule.definition, exceptions: all, budget }))
    await othersFirst()
  }
  return getRuleClosure(ruleIds, book.all.applyChange({ put }))
}

type OneRule = {
  readonly book: TenantRules
  readonly definition: string
  readonly exceptions: readonly RuleException[]
  readonly budget?: WorkBudget
}

async function compileOne(
  costlyRules: CostlyRules | undefined, tenant: TenantId, { book, definition, exceptions, ...bounds }: OneRule,
): Promise<readonly RulePart[]> {
  const { filterSources, rewriting } = book.library
  try {
    if (costlyRules !== undefined) await checkCostlyDefinition(costlyRules, tenant, { rules: book, definition, exceptions })
    return compileDefinition(definition, { among: book.all, filterSources, rewriting, exceptions, ...bounds }).parts
  } catch (error) {
    throw placeInBody(error)
  }
}

/** The error with the places of exceptions as this body names them: a change of a rule has them as `filters`. */
function placeInBody(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_RULE') return error
  const errors = (error.details?.['errors'] ?? []) as readonly RuleProblem[]
  return createRuleError(error.message, errors.map((problem) => {
    return { ...problem, path: problem.path.replace(/^filters\b/, 'exceptions').replace(/\.$/, '') }
  }))
}
