import { AppError } from '@tripline/contract/app-error'
import { checkTextWork } from '@tripline/detection/rules/compile-definition'
import { editDefinition, readSingleMap, readStatedId } from '@tripline/detection/rules/edit-definition'
import type { DefinitionEdits } from '@tripline/detection/rules/edit-definition'
import { loadRule } from '@tripline/detection/rules/load-rule'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import { createDefinitionError, createRuleError, toRuleProblem } from '@tripline/detection/rules/rule-errors'
import { withSentPositions } from '@tripline/detection/rules/sent-definition'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { Principal } from '@tripline/model/access/principal'
import type { Rule } from '@tripline/model/rule'
import { checkVersion } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { checkCostlyDefinition } from './tests/check-costly-definition.ts'
import type { CostlyRules } from './tests/check-costly-definition.ts'
import { checkReferences, checkRule } from './check-rule.ts'
import type { CheckTerms } from './check-rule.ts'
import { commitRuleChange } from './commit-rule-change.ts'
import type { RuleChange, RuleCommitDeps } from './commit-rule-change.ts'
import { applyExceptionEdits } from './rule-exceptions.ts'
import type { ExceptionDeps, ExceptionEdit } from './rule-exceptions.ts'
import { requireRule } from './rules.ts'

export type { RuleChange }

/** What changes of a rule's text or exceptions need of the server. */
export type RuleChangeDeps = RuleCommitDeps & ExceptionDeps & { readonly costlyRules: CostlyRules }

/** A change of a rule; absent attributes are kept. */
export type RuleEdit = {
  readonly isEnabled?: boolean | undefined
  readonly lifecycle?: Rule['lifecycle'] | undefined
  /** The whole text; if attributes are sent too, they are changed in it. */
  readonly definition?: string | undefined
  readonly attributes?: DefinitionEdits | undefined
  /** The complete list of exceptions. */
  readonly exceptions?: readonly ExceptionEdit[] | undefined
  /** One additional exception, instead of `exceptions`. */
  readonly addedException?: ExceptionEdit
}

/** Conditions of a rule change. */
export type RuleChangeOptions = {
  /** The expected versions; undefined for any. */
  readonly versions: ExpectedVersions
  /** Whether to save it even if its own tests fail. */
  readonly isForced: boolean
}

/**
 * Changes a rule for a tenant. A built-in rule keeps its id; changing its text gives the tenant a copy of its own. When this
 * resolves, the change is stored and the tenant's stream runs it.
 *
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED for another version; INVALID_RULE for text that does not compile;
 *   RULE_TEST_FAILED; CONFLICT for an invalid transition, or if other rules depend on what would be removed.
 */
export function changeRule(
  deps: RuleChangeDeps, caller: Principal, id: string, edit: RuleEdit, terms: RuleChangeOptions,
): Promise<RuleChange> {
  return commitRuleChange(deps, caller, {
    action: 'rule.update',
    decide: async (book) => {
      const before = getExpectedRule(book, id, terms)
      const sentCheck = await checkSentText({ deps, caller, book }, before.rule, edit)
      const text = applyTextEdit(before.rule, edit)
      // Attributes are edited in the text, so their positions are those of the edited text.
      const sent = edit.attributes?.size ? text : (edit.definition ?? text)
      return await withSentPositions({ text, sent: { text: sent, firstLine: 1 } }, async () => {
        const { after, failedTests } = await applyRuleEdit({ deps, caller, book }, before, { ...edit, definition: text, sentCheck })
        if (after === before) return { rule: before.rule, warnings: [] }
        checkSentAttributes(after, edit)
        const warnings = await checkRule(book, { before, after }, { ...terms, failedTests })
        return { before: before.rule, rule: after.rule, put: after, warnings }
      })
    },
  })
}

/**
 * Resets a built-in rule to its original text, without exceptions. It stays enabled or disabled.
 *
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a custom rule.
 */
export function resetRule(
  deps: RuleCommitDeps, caller: Principal, id: string, terms: Pick<RuleChangeOptions, 'versions'>,
): Promise<RuleChange> {
  return commitRuleChange(deps, caller, {
    action: 'rule.reset',
    decide: async (book) => {
      const { rule: before } = getExpectedRule(book, id, terms)
      const original = book.library.rules.get(id)
      if (original === undefined) {
        throw new AppError('CONFLICT', 'the rule is not built in; it has no original to reset to')
      }
      const { origin, exceptions, lifecycle, version, createdAt } = before
      if (origin === 'builtin' && exceptions.length === 0 && lifecycle === 'published') return { rule: before, warnings: [] }
      const isEnabled = before.isEnabled && original.rule.maturity !== 'unsupported'
      const rule = { ...original.rule, isEnabled, version: version + 1, createdAt, updatedAt: deps.clock.now() }
      const after = { ...original, rule }
      checkReferences(book, after)
      return { before, rule, put: after, warnings: [] }
    },
  })
}

/**
 * Deletes a custom rule.
 *
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a built-in rule or one that other rules refer to.
 */
export async function removeRule(
  deps: RuleCommitDeps, caller: Principal, id: string, terms: Pick<RuleChangeOptions, 'versions'>,
): Promise<void> {
  await commitRuleChange(deps, caller, {
    action: 'rule.delete',
    decide: async (book) => {
      const { rule } = getExpectedRule(book, id, terms)
      if (rule.origin !== 'custom') {
        throw new AppError('CONFLICT', 'a built-in rule cannot be deleted; disable it instead', { origin: rule.origin })
      }
      const referrer = book.findReferrers(id)[0]
      if (referrer === undefined) return { before: rule, rule, remove: id, warnings: [] }
      throw new AppError('CONFLICT', `the correlation '${referrer.title}' refers to this rule; change it first`, { rule_id: referrer.id })
    },
  })
}

function getExpectedRule(book: TenantRules, id: string, { versions }: Pick<RuleChangeOptions, 'versions'>): LoadedRule {
  const loaded = requireRule(book, id)
  checkVersion(loaded.rule, versions, 'rule')
  return loaded
}

/** Checks that the attributes of an edit are valid: a text that others wrote may have what is not. @throws AppError INVALID_RULE. */
function checkSentAttributes({ advice = [] }: LoadedRule, { attributes = new Map() }: RuleEdit): void {
  const problems = advice.filter(({ attribute }) => attributes.has(attribute.split('.', 1)[0] ?? ''))
  if (problems.length > 0) throw createRuleError(problems[0]?.message ?? '', problems.map(toRuleProblem))
}

type EditDeps = { readonly deps: RuleChangeDeps; readonly caller: Principal; readonly book: TenantRules }

/** What a check of a costly text found; the tests are undefined for a text of small cost. */
type CostCheck = { readonly failedTests: CheckTerms['failedTests'] }

/**
 * Checks a text as it was sent, in a worker thread if it is costly, before it is read here for the id that it states. Undefined
 * where there is no other text, or the edit changes more of the rule, which is to be checked with it.
 */
async function checkSentText(deps: EditDeps, before: Rule, edit: RuleEdit): Promise<CostCheck | undefined> {
  const { definition, attributes, exceptions, addedException } = edit
  if (definition === undefined || definition === before.definition) return undefined
  checkTextWork(definition)
  const check = await checkCost(deps, definition, before.exceptions)
  return attributes?.size || exceptions !== undefined || addedException !== undefined ? undefined : check
}

/** Checks a text with those of its exceptions that are in force. */
async function checkCost(
  { deps: { clock, costlyRules }, caller, book }: EditDeps, definition: string, exceptions: Rule['exceptions'],
): Promise<CostCheck> {
  const nowMs = clock.now()
  const inForce = exceptions.filter(({ expiresAt }) => expiresAt > nowMs)
  return { failedTests: await checkCostlyDefinition(costlyRules, caller.tenant, { rules: book, definition, exceptions: inForce }) }
}

/** Applies an edit, with its text complete, and compiles the rule; returns the same object if nothing changes. */
async function applyRuleEdit(
  room: EditDeps,
  loaded: LoadedRule,
  edit: Omit<RuleEdit, 'definition'> & { readonly definition: string; readonly sentCheck: CostCheck | undefined },
): Promise<CostCheck & { readonly after: LoadedRule }> {
  const { deps, caller, book } = room
  const before = loaded.rule
  const { library, all: among } = book
  const original = library.rules.get(before.id)?.rule
  const { definition } = edit
  const edits = edit.addedException === undefined ? edit.exceptions : [...before.exceptions, edit.addedException]
  const exceptions = await applyExceptionEdits(deps, caller, { rule: before, edits })
  const origin = original === undefined ? 'custom' : definition === original.definition ? 'builtin' : 'modified'
  const { isEnabled = before.isEnabled, lifecycle = before.lifecycle } = edit
  const asked = { ...before, definition, exceptions, origin, isEnabled, lifecycle } as const
  if (isDeepStrictEqual(asked, before)) return { after: loaded, failedTests: undefined }
  const nowMs = deps.clock.now()
  const rule = { ...asked, version: before.version + 1, updatedAt: nowMs }
  const isCompiled = loaded.problem === undefined && definition === before.definition && exceptions === before.exceptions
  if (isCompiled) return { after: { ...loaded, rule }, failedTests: undefined }
  const { failedTests } = edit.sentCheck ?? await checkCost(room, definition, exceptions)
  const after = loadRule(rule, { library, among, nowMs })
  // The stream swaps to it in a turn of its own.
  if (failedTests !== undefined) await othersFirst()
  return { after, failedTests }
}

/** Applies an edit to a rule's text. The rule's id is added to a text without one, so that it never changes. */
function applyTextEdit({ id, definition: before }: Rule, { definition = before, attributes = new Map() }: RuleEdit): string {
  for (const [name, value] of attributes) checkTextWork(JSON.stringify(value) ?? '', name)
  const text = attributes.size === 0 ? definition : editDefinition(definition, attributes)
  if (text === before) return text
  const stated = readStatedId(readSingleMap(text))
  if (stated === undefined) return editDefinition(text, new Map([['id', id]]))
  if (stated === id) return text
  throw createDefinitionError('the definition has a different id than the rule', text, { path: 'id', hint: `use ${id} or omit the id` })
}
