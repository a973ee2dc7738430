import { compileRules } from '@tripline/engine'
import { buildRule } from '@tripline/model/rule'
import { isDeepStrictEqual } from 'node:util'
import type { BuiltinRules } from './builtin-rules.ts'
import type { LoadedRule, RulePart } from './loaded-rule.ts'
import { getRunningParts, isCorrelation, isDetection } from './loaded-rule.ts'
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
  const partsById = new Map(compiled.parts.map((part) => [part.id, part]))
  const reportsById = new Map(compiled.reports.map((report) => [report.id, report]))
  const changed = rules.flatMap((loaded): readonly LoadedRule[] => {
    const parts = loaded.parts.map((part): RulePart | undefined => {
      const own = partsById.get(part.id)
      return own === undefined || isSame(part, own, compiled.relabelled) ? own && part : own
    })
    const whole = parts.filter((part) => part !== undefined)
    if (whole.length === parts.length && whole.every((part, i) => part === loaded.parts[i])) return []
    const [own] = whole
    if (whole.length === parts.length && own !== undefined) return [{ ...loaded, rule: buildRule(own, loaded.rule), parts: whole }]
    const problem = reportsById.get(loaded.rule.id)?.diagnostics.find(({ kind }) => kind !== 'lint')?.message
    return [{ ...loaded, parts: [], problem: problem ?? 'the pipelines cannot be applied to it: another rule of its text has its id' }]
  })
  const detecting = replaceRules(library, changed)
  if (terms.budget.isExceeded) return { ...detecting, rewriting, original: library }
  const correlating = replaceRules(detecting, rewriteCorrelations(detecting, { rewriting, ...terms }))
  await terms.othersFirst()
  return { ...correlating, rewriting, original: library }
}

/** The correlations that pipelines change or refuse, over rules which they have rewritten. */
function rewriteCorrelations(library: BuiltinRules, { rewriting, budget }: RewritingTerms): readonly LoadedRule[] {
  const loaded = [...library.rules.values()].filter(({ parts }) => parts.length > 0 && parts.every(isCorrelation))
  const texts = new Set(loaded.map(({ rule: { definition } }) => definition))
  if (texts.size === 0) return []
  const transform = rewriting.createTransform(budget)
  const { ruleSet, reports } = compileRules(Array.from(texts, (text) => ({ text, budget })), { among: library.all, transform })
  const partsById = new Map(ruleSet.correlations.map((part) => [part.id, part]))
  return loaded.flatMap((one): readonly LoadedRule[] => {
    const before = one.parts[0]!
    const after = partsById.get(before.id)
    if (after !== undefined) return isSame(before, after) ? [] : [{ ...one, rule: buildRule(after, one.rule), parts: [after] }]
    const refusal = reports.find(({ id }) => id === before.id)?.diagnostics.find(({ code }) => code === 'REFUSED_BY_PIPELINE')
    // One that names a rule which pipelines refuse stays, as one does whose rules are switched off.
    return refusal === undefined ? [] : [{ ...one, parts: [], problem: refusal.message }]
  })
}

/** Whether a part came out of the pipelines as it was. */
function isSame(before: RulePart, after: RulePart, relabelled: ReadonlySet<string> = new Set()): boolean {
  if (isCorrelation(before) && isCorrelation(after)) {
    const print = ({ members, definition, rule: { fields, custom } }: typeof before): object => ({ members, definition, fields, custom })
    return isDeepStrictEqual(print(before), print(after))
  }
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
