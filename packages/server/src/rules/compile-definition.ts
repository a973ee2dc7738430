import { compileRules } from '@tripline/engine'
import type { RuleSet, RuleSource } from '@tripline/engine'
import type { RuleException } from '../domain/rule.ts'
import type { RulePart } from './loaded-rule.ts'
import { createInvalidRuleError, createRuleError } from './rule-errors.ts'

/** What a definition is compiled with. */
export type CompileContext = {
  /** The rules that it may name. */
  readonly among: RuleSet
  /** Texts of filter rules, which may narrow it. */
  readonly filterSources: readonly RuleSource[]
  /** Those that count now. */
  readonly exceptions?: readonly RuleException[]
}

const ownPath = 'definition'

/**
 * Compiles the text of one rule to what an engine runs of it, itself first.
 *
 * @throws AppError INVALID_RULE with every problem of it.
 */
export function compileDefinition(definition: string, { exceptions = [], ...context }: CompileContext): readonly RulePart[] {
  const { parts } = compileWith(definition, context, [])
  if (exceptions.length === 0) return parts
  const [own, base = own] = parts
  if (own === undefined || base === undefined || !('logsource' in base)) {
    throw createRuleError('a correlation has no exceptions; the rules that it names can have them', [{ path: 'filters' }])
  }
  const sources = exceptions.map((exception, i) => toExceptionSource(exception, i, { id: own.id, logsource: base.logsource }))
  const compiled = compileWith(definition, context, sources)
  for (const [i, { path }] of sources.entries()) {
    const report = compiled.reports.find((one) => one.path === path)
    if (report === undefined || report.verdict === 'compiled') continue
    const problems = report.diagnostics.filter(({ kind }) => kind !== 'lint')
    // Where it stands in the text that was made of it helps nobody.
    const errors = problems.map(({ attribute, code, message, hint }) => {
      return { path: `filters.${i}.${attribute.replace(/^filter/, 'detection')}`, code, message, hint }
    })
    throw createRuleError(problems[0]?.message ?? `the exception is ${report.verdict}`, errors)
  }
  return compiled.parts
}

function compileWith(definition: string, { among, filterSources }: CompileContext, exceptions: readonly RuleSource[]) {
  const own = { path: ownPath, text: definition }
  const { ruleSet, reports } = compileRules([own, ...filterSources, ...exceptions], { among })
  const ofDefinition = reports.filter(({ path }) => path === ownPath)
  const broken = ofDefinition.find(({ verdict }) => verdict !== 'compiled')
  if (broken !== undefined) throw createInvalidRuleError(broken)
  const [report] = ofDefinition
  if (report === undefined || ofDefinition.length !== 1) {
    throw createRuleError(`a definition holds one rule, and this one holds ${ofDefinition.length}`)
  }
  const parts = [...ruleSet.correlations, ...ruleSet.rules].filter(({ path }) => path === ownPath)
  if (parts.length > 0) return { parts, reports }
  throw createRuleError('a filter rule is not a rule of its own; send it as an entry of the rule\'s filters')
}

/** The filter rule that an exception is: JSON is YAML. */
function toExceptionSource(
  { id, title, detection }: RuleException, index: number, rule: { readonly id: string; readonly logsource: object },
): RuleSource {
  const filter = { ...detection, rules: [rule.id] }
  return { path: `exception ${index}`, text: JSON.stringify({ title, id, logsource: rule.logsource, filter }) }
}
