import { AppError } from '@tripline/contract/app-error'
import { compileRules } from '@tripline/engine'
import { buildRule } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import type { BuiltinRules } from './builtin-rules.ts'
import { isInCycle } from './correlation-cycle.ts'
import { loadRule } from './load-rule.ts'
import type { LoadedRule } from './loaded-rule.ts'
import { TenantRules } from './tenant-rules.ts'

/**
 * Builds a tenant's rules from the stored ones, over the built-in ones: a rule whose text the tenant never changed
 * follows the built-in text and keeps its switches and exceptions. A stored rule that no longer compiles, because a
 * rule it refers to is gone, is listed and does not run.
 */
export function loadTenantRules(library: BuiltinRules, stored: readonly Rule[], nowMs: number): TenantRules {
  const switched = stored.flatMap((rule) => applySwitches(rule, library))
  const written = compileOwnRules(stored.filter(({ origin }) => origin !== 'builtin'), library)
  const book = TenantRules.fromBuiltin(library).withChange({ put: [...switched, ...written] })
  const inCircles = written.filter(({ rule }) => isInCycle(book, rule.id))
  const circling = inCircles.map(({ rule }) => markBroken(rule, 'it refers back to itself'))
  const narrowed = [...switched, ...written].filter(({ rule }) => rule.exceptions.length > 0)
  return withExceptions(circling.length === 0 ? book : book.withChange({ put: circling }), narrowed, nowMs)
}

/** Recompiles some rules with their exceptions in force at a moment. */
export function withExceptions(book: TenantRules, rules: readonly LoadedRule[], nowMs: number): TenantRules {
  if (rules.length === 0) return book
  return book.withChange({ put: rules.map(({ rule }) => loadOrMarkBroken(rule, book, nowMs)) })
}

/** Applies a tenant's switches to a built-in rule; one that is no longer built in is dropped. */
function applySwitches(stored: Rule, library: BuiltinRules): LoadedRule[] {
  const original = library.rules.get(stored.id)
  if (original === undefined || stored.origin !== 'builtin') return []
  const { lifecycle, version, exceptions, createdAt, updatedAt } = stored
  const isEnabled = stored.isEnabled && original.rule.maturity !== 'unsupported'
  return [{ ...original, rule: { ...original.rule, isEnabled, lifecycle, version, exceptions, createdAt, updatedAt } }]
}

/** Compiles a tenant's own texts together, because they may refer to each other. */
function compileOwnRules(stored: readonly Rule[], library: BuiltinRules): LoadedRule[] {
  const sources = stored.map(({ id, definition }) => ({ path: id, text: definition }))
  const { ruleSet, reports } = compileRules([...sources, ...library.filterSources], { among: library.all })
  const partsByPath = Map.groupBy([...ruleSet.correlations, ...ruleSet.rules], ({ path }) => path)
  const reportByPath = new Map(reports.map((report) => [report.path, report]))
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

function loadOrMarkBroken(rule: Rule, { library, all: among }: TenantRules, nowMs: number): LoadedRule {
  try {
    return loadRule(rule, { library, among, nowMs, isStored: true })
  } catch (error) {
    if (error instanceof AppError) return markBroken(rule, error.message)
    throw error
  }
}

function markBroken(rule: Rule, problem: string): LoadedRule {
  return { rule, parts: [], problem, narrowedUntil: undefined }
}
