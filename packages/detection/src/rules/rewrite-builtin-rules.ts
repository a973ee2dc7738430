import { buildRule } from '@tripline/model/rule'
import { isDeepStrictEqual } from 'node:util'
import type { BuiltinRules } from './builtin-rules.ts'
import type { LoadedRule, RulePart } from './loaded-rule.ts'
import { getRunningParts, isDetection } from './loaded-rule.ts'
import { compileInSteps } from './rewriting.ts'
import type { RuleRewriting, SteppedCompilation } from './rewriting.ts'

type RewritingTerms = Pick<SteppedCompilation, 'budget' | 'othersFirst'> & { readonly rewriting: RuleRewriting }

/**
 * Rewrites the rules that ship with the server for a tenant. A rule that comes out as it was shares what is compiled; one that
 * the pipelines refuse is listed and does not run. Ends early, with what is compiled so far, when the budget is exceeded.
 */
export async function rewriteBuiltinRules(
  library: BuiltinRules, { rewriting, ...terms }: RewritingTerms,
): Promise<BuiltinRules> {
  const rules = [...library.rules.values()].filter(({ parts }) => parts.some(isDetection))
  // Rules that cannot be separated share their text.
  const sources = new Map(rules.map(({ rule: { definition }, parts }) => [definition, { path: parts[0]?.path ?? '', text: definition }]))
  const compiled = await compileInSteps([...sources.values()], { rewriting, filterSources: library.filterSources, ...terms })
  const partsById = new Map(compiled.parts.filter(isDetection).map((part) => [part.id, part]))
  const reportsById = new Map(compiled.reports.map((report) => [report.id, report]))
  const changed = rules.flatMap((loaded): readonly LoadedRule[] => {
    const parts = loaded.parts.map((part): RulePart | undefined => {
      const own = isDetection(part) ? partsById.get(part.id) : part
      return own === undefined || isSame(part, own, compiled.relabelled) ? own && part : own
    })
    const whole = parts.filter((part) => part !== undefined)
    if (whole.length === parts.length && whole.every((part, i) => part === loaded.parts[i])) return []
    const [own] = whole
    if (whole.length === parts.length && own !== undefined) return [{ ...loaded, rule: buildRule(own, loaded.rule), parts: whole }]
    const problem = reportsById.get(loaded.rule.id)?.diagnostics.find(({ kind }) => kind !== 'lint')?.message
    return [{ ...loaded, parts: [], problem: problem ?? 'the pipelines cannot be applied to it: another rule of its text has its id' }]
  })
  return { ...replaceRules(library, changed), rewriting, original: library }
}

/** Whether a part came out of the pipelines as it was. */
function isSame(before: RulePart, after: RulePart, relabelled: ReadonlySet<string>): boolean {
  if (!isDetection(before) || !isDetection(after) || relabelled.has(after.id)) return before === after
  return isDeepStrictEqual(before.logsource, after.logsource) && isDeepStrictEqual(before.predicate, after.predicate)
}

function replaceRules(library: BuiltinRules, changed: readonly LoadedRule[]): BuiltinRules {
  if (changed.length === 0) return library
  const before = changed.map(({ rule: { id } }) => library.rules.get(id)!)
  const drop = before.flatMap(({ parts }) => parts.map(({ id }) => id))
  return {
    ...library,
    rules: new Map([...library.rules, ...changed.map((loaded) => [loaded.rule.id, loaded] as const)]),
    all: library.all.applyChange({ put: changed.flatMap(({ parts }) => parts), drop }),
    running: library.running.applyChange({
      put: changed.flatMap(getRunningParts), drop: before.flatMap(getRunningParts).map(({ id }) => id),
    }),
  }
}
