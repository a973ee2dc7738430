import { AppError } from '@tripline/contract/app-error'
import { compileRules } from '@tripline/engine'
import type { RuleSource } from '@tripline/engine'
import { buildRule } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import type { BuiltinRules } from './builtin-rules.ts'
import { isInCycle } from './correlation-cycle.ts'
import { loadRule } from './load-rule.ts'
import type { LoadedRule } from './loaded-rule.ts'
import { compileInSteps } from './rewriting.ts'
import type { SteppedCompilation } from './rewriting.ts'
import { TenantRules } from './tenant-rules.ts'

/** What loading the rules of a tenant needs beside them. */
type LoadingTerms = Pick<SteppedCompilation, 'budget' | 'othersFirst'> & { readonly nowMs: number }

/**
 * Builds a tenant's rules from the stored ones, over the built-in ones: a rule whose text the tenant never changed
 * follows the built-in text and keeps its switches and exceptions. A stored rule that no longer compiles, because a
 * rule it refers to is gone or a pipeline refuses it, is listed and does not run.
 */
export async function loadTenantRules(library: BuiltinRules, stored: readonly Rule[], terms: LoadingTerms): Promise<TenantRules> {
  const switched = stored.flatMap((rule) => applySwitches(rule, library))
  const written = await compileOwnRules(stored.filter(({ origin }) => origin !== 'builtin'), library, terms)
  const book = TenantRules.fromBuiltin(library).withChange({ put: [...switched, ...written] })
  const inCircles = written.filter(({ rule }) => isInCycle(book, rule.id))
  const circling = inCircles.map(({ rule }) => markBroken(rule, 'it refers back to itself'))
  let loaded = circling.length === 0 ? book : book.withChange({ put: circling })
  for (const rule of [...switched, ...written].filter(({ rule: { exceptions } }) => exceptions.length > 0)) {
    if (terms.budget.isExceeded) break
    loaded = withExceptions(loaded, [rule], terms)
    await terms.othersFirst()
  }
  return loaded
}

/** Recompiles some rules with their exceptions in force at a moment. */
export function withExceptions(
  book: TenantRules, rules: readonly LoadedRule[], terms: Pick<LoadingTerms, 'nowMs'> & Partial<LoadingTerms>,
): TenantRules {
  if (rules.length === 0) return book
  return book.withChange({ put: rules.map(({ rule }) => loadOrMarkBroken(rule, book, terms)) })
}

/** Applies a tenant's switches to a built-in rule; one that is no longer built in is dropped. */
function applySwitches(stored: Rule, library: BuiltinRules): LoadedRule[] {
  const original = library.rules.get(stored.id)
  if (original === undefined || stored.origin !== 'builtin') return []
  const { lifecycle, version, exceptions, createdAt, updatedAt } = stored
  const isEnabled = stored.isEnabled && original.rule.maturity !== 'unsupported'
  return [{ ...original, rule: { ...original.rule, isEnabled, lifecycle, version, exceptions, createdAt, updatedAt } }]
}

/** Compiles a tenant's own texts: first those that find events, then those that may refer to them and to each other. */
async function compileOwnRules(stored: readonly Rule[], library: BuiltinRules, terms: LoadingTerms): Promise<LoadedRule[]> {
  const { filterSources, rewriting } = library
  const sources = stored.map(({ id, definition }) => ({ path: id, text: definition }))
  const isReferring = ({ text }: RuleSource): boolean => text.includes('correlation')
  const found = await compileInSteps(sources.filter((source) => !isReferring(source)), { rewriting, filterSources, ...terms })
  const among = library.all.applyChange({ put: found.parts })
  const referring = sources.filter(isReferring).map((source) => ({ ...source, budget: terms.budget }))
  const transform = rewriting?.createTransform(terms.budget)
  const { ruleSet, reports } = compileRules([...referring, ...filterSources], { among, ...(transform && { transform }) })
  const partsByPath = Map.groupBy([...found.parts, ...ruleSet.correlations, ...ruleSet.rules], ({ path }) => path)
  const reportByPath = new Map([...found.reports, ...reports].map((report) => [report.path, report]))
  return stored.map((rule): LoadedRule => {
    const origin = library.rules.has(rule.id) ? 'modified' : 'custom'
    const parts = partsByPath.get(rule.id)
    const [own] = parts ?? []
    if (parts !== undefined && own !== undefined) {
      return { rule: buildRule(own, { ...rule, origin }), parts, problem: undefined, narrowedUntil: undefined }
    }
    const problem = reportByPath.get(rule.id)?.diagnostics.find(({ kind }) => kind !== 'lint')?.message
    return markBroken({ ...rule, origin }, problem ?? 'its text holds no rule')
  })
}

function loadOrMarkBroken(
  rule: Rule, { library, all: among }: TenantRules, { nowMs, budget }: Pick<LoadingTerms, 'nowMs'> & Partial<LoadingTerms>,
): LoadedRule {
  try {
    return loadRule(rule, { library, among, nowMs, isStored: true, ...(budget && { budget }) })
  } catch (error) {
    if (error instanceof AppError) return markBroken(rule, error.message)
    throw error
  }
}

function markBroken(rule: Rule, problem: string): LoadedRule {
  return { rule, parts: [], problem, narrowedUntil: undefined }
}
