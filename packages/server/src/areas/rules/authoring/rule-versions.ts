import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import type { RuleVersion, RuleVersionSummary } from '@tripline/state/ports/rule-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { changeRule } from '../change-rule.ts'
import type { RuleChange, RuleChangeDeps, RuleChangeOptions } from '../change-rule.ts'
import { requireRule } from '../rules.ts'

/** What the versions of rules need of the server. */
export type RuleVersionDeps = {
  readonly state: Pick<StateStore, 'ruleVersions'>
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
}

/**
 * Lists the kept versions of a rule, newest first. A built-in rule begins with the text that came with the server.
 *
 * @throws AppError NOT_FOUND.
 */
export async function listRuleVersions(
  { state, ruleBooks }: RuleVersionDeps, tenant: TenantId, ruleId: string,
): Promise<readonly RuleVersionSummary[]> {
  const book = await ruleBooks.get(tenant)
  const { rule } = requireRule(book, ruleId)
  const kept = await state.ruleVersions.list(tenant, ruleId)
  const original = book.library.rules.get(ruleId)?.rule
  if (original === undefined || kept.some(({ version }) => version === original.version)) return kept
  // Changes that kept the built-in text have no text of their own.
  const present = { version: rule.version, savedAt: rule.updatedAt, savedBy: null, isTextChanged: false }
  const isKept = rule.version === original.version || kept.some(({ version }) => version === rule.version)
  const built = { version: original.version, savedAt: original.createdAt, savedBy: null, isTextChanged: true }
  return [...(isKept ? [] : [present]), ...kept, built].sort((a, b) => b.version - a.version)
}

/** Gets the text of a rule under one of its versions. @throws AppError NOT_FOUND. */
export async function getRuleVersion(
  { state, ruleBooks }: RuleVersionDeps, tenant: TenantId, { ruleId, version }: { readonly ruleId: string; readonly version: number },
): Promise<RuleVersion> {
  const book = await ruleBooks.get(tenant)
  const { rule } = requireRule(book, ruleId)
  const kept = await state.ruleVersions.get(tenant, ruleId, version)
  if (kept !== undefined) return kept
  const original = book.library.rules.get(ruleId)?.rule
  const isBuiltIn = version === original?.version || (rule.version === version && rule.origin === 'builtin')
  const { definition, createdAt: savedAt } = requireFound(isBuiltIn ? original : undefined, 'version')
  return { version, definition, savedAt, savedBy: null }
}

/**
 * Gives a rule the text of an earlier version, as a new version; exceptions and state stay as they are.
 *
 * @throws AppError NOT_FOUND; otherwise as `changeRule`.
 */
export async function restoreRuleVersion(
  deps: RuleVersionDeps & RuleChangeDeps, caller: Principal,
  { ruleId, version, ...terms }: { readonly ruleId: string; readonly version: number } & RuleChangeOptions,
): Promise<RuleChange> {
  const { definition } = await getRuleVersion(deps, caller.tenant, { ruleId, version })
  return await changeRule(deps, caller, ruleId, { definition }, terms)
}
