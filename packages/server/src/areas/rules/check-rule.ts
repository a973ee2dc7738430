import { AppError } from '@tripline/contract/app-error'
import { isInCycle } from '@tripline/detection/rules/correlation-cycle'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import { createDefinitionError, createRuleError } from '@tripline/detection/rules/rule-errors'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import { isRunning } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import { limits } from '../../limits.ts'
import { runEmbeddedTests } from './tests/embedded-rule-tests.ts'
import type { FailedTest } from './tests/embedded-rule-tests.ts'

/** Whether to accept failing tests, and which tests fail, if they have been run. */
export type CheckTerms = { readonly isForced: boolean; readonly failedTests?: readonly FailedTest[] | undefined }

/** A rule before a change, if it existed, and after. */
type RuleTransition = { readonly before: LoadedRule | undefined; readonly after: LoadedRule }

/**
 * Checks a rule change: that references to the rule still resolve, that its new state is allowed, and that its own tests
 * pass. Returns warnings for the client: what is wrong with the rule's metadata as well.
 *
 * @throws AppError CONFLICT, INVALID_RULE, RULE_TEST_FAILED.
 */
export async function checkRule(
  book: TenantRules, step: RuleTransition, terms: CheckTerms,
): Promise<readonly string[]> {
  checkReferences(book, step.after)
  checkExceptionLimit(book, step)
  const state = checkRuleState(step.before?.rule, step.after.rule)
  return [...listMetadataWarnings(step.after), ...state, ...(await checkTests(book, step, terms))]
}

/** Lists the attributes that are invalid, each once; a title is the only attribute whose absence is advice. */
function listMetadataWarnings({ advice = [] }: LoadedRule): readonly string[] {
  return [...new Set(advice.map(({ code, attribute }) => `${code.toLowerCase()}:${attribute || 'title'}`))]
}


/** Checks references from and to a rule by name and id. @throws AppError CONFLICT, INVALID_RULE. */
export function checkReferences(book: TenantRules, loaded: LoadedRule): void {
  const { id, definition } = loaded.rule
  const [own] = loaded.parts
  if (own === undefined) return
  const name = 'members' in own ? own.rule.name : own.name
  const namesake = name === undefined ? undefined : book.findIdByName(name)
  if (namesake !== undefined && namesake !== id) {
    throw createDefinitionError(`the name '${name}' is already used by the rule ${namesake}`, definition, { path: 'name' })
  }
  const lost = book.findReferrers(id).find((referrer) => referrer.name.toLowerCase() !== id && referrer.name !== name)
  if (lost !== undefined) {
    const details = { rule_id: lost.id, name: lost.name }
    const message = `the correlation '${lost.title}' refers to this rule as '${lost.name}'; keep the name or change the correlation first`
    throw new AppError('CONFLICT', message, details)
  }
  if ('members' in own && isInCycle(book.withChange({ put: [loaded] }), id)) {
    const message = 'the correlation refers to itself through the rules it lists'
    throw createDefinitionError(message, definition, { path: 'correlation.rules' })
  }
}

function checkExceptionLimit(book: TenantRules, { before, after }: RuleTransition): void {
  const [had, has] = [before?.rule.exceptions.length ?? 0, after.rule.exceptions.length]
  if (has <= had) return
  const limit = limits.rules.exceptionsOfTenantMax
  const count = book.rules.reduce((sum, { rule }) => sum + rule.exceptions.length, has - had)
  if (count > limit) throw new AppError('CONFLICT', `the rules of a tenant have at most ${limit} exceptions`, { limit })
}

/** Checks whether a rule may have its new state; returns warnings. @throws AppError CONFLICT. */
export function checkRuleState(before: Rule | undefined, after: Rule): readonly string[] {
  if (after.isEnabled && after.maturity === 'unsupported') {
    throw new AppError('CONFLICT', "a rule of status 'unsupported' cannot be enabled", { status: after.maturity })
  }
  if (after.isEnabled && after.lifecycle === 'draft') {
    const isWithdrawn = before !== undefined && isRunning(before)
    const message = isWithdrawn ? 'an enabled rule cannot become a draft; disable it first' : 'a draft cannot be enabled; publish it first'
    throw new AppError('CONFLICT', message, { enabled: after.isEnabled, lifecycle: after.lifecycle })
  }
  const isNewlyEnabled = after.isEnabled && before?.isEnabled !== true
  return isNewlyEnabled && after.maturity === 'deprecated' ? ['deprecated_rule_enabled'] : []
}

/** A newly published rule must pass its tests, even if forced; otherwise `isForced` saves it with failing tests. */
async function checkTests(
  book: TenantRules, { before, after }: RuleTransition, { isForced, failedTests }: CheckTerms,
): Promise<readonly string[]> {
  const { id, definition, lifecycle } = after.rule
  const isPublished = before?.rule.lifecycle === 'draft' && lifecycle === 'published'
  if (before?.parts === after.parts && !isPublished) return []
  const failures = failedTests ?? await runEmbeddedTests(definition, id, book.withChange({ put: [after] }).all)
  const [first] = failures
  if (first === undefined) return []
  if (isForced && !isPublished) return [`tests_failed:${failures.length}`]
  const message = `the rule's test '${first.test}' fails: ${first.failure}`
  const listed = failures.slice(0, limits.rules.failuresListedMax)
  if (!isPublished) throw new AppError('RULE_TEST_FAILED', message, { failures: listed })
  throw createRuleError(message, listed.map(({ line, column, failure }) => ({ path: 'tests', line, column, message: failure })))
}
