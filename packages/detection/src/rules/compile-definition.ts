import { WorkBudget, compileRules, estimateTextWork } from '@tripline/engine'
import type { Diagnostic, RuleLogsource, RuleSet, RuleSource } from '@tripline/engine'
import type { RuleException } from '@tripline/model/rule'
import { limits } from '../limits.ts'
import type { RulePart } from './loaded-rule.ts'
import type { RuleRewriting } from './rewriting.ts'
import { createCountError, createFilterRuleError, createInvalidRuleError, createRuleError } from './rule-errors.ts'

/** The context of a compilation. */
type CompileContext = {
  /** The rules that it may refer to. */
  readonly among: RuleSet
  /** Sources of filter rules, which may narrow it. */
  readonly filterSources: readonly RuleSource[]
  /** What rewrites it first: the pipelines of the tenant. */
  readonly rewriting: RuleRewriting | undefined
  /** The exceptions that are in force. */
  readonly exceptions?: readonly RuleException[]
  /** Whether the text is stored already, and so was within the budget when it was saved. */
  readonly isStored?: boolean
  /** The budget of a request that compiles several texts; default one of its own. */
  readonly budget?: WorkBudget
}

/** The parts of a rule, itself first, and what is wrong with its metadata, without which it runs too. */
type CompiledDefinition = { readonly parts: readonly RulePart[]; readonly advice: readonly Diagnostic[] }

const ownPath = 'definition'

/** Creates the budget for compiling a text that a client sent. */
export function createCompileBudget(): WorkBudget {
  return new WorkBudget(limits.rules.compileWorkMax)
}

/**
 * Checks that reading a text is within the budget of compiling it; call it before anything parses the text.
 *
 * @throws AppError INVALID_RULE.
 */
export function checkTextWork(text: string, path = 'definition'): void {
  const max = limits.rules.compileWorkMax
  if (estimateTextWork(text) <= max) return
  const message = `reading the rule takes more than ${max} work units; use fewer values or a shorter text`
  throw createRuleError(message, [{ path, code: 'LIMIT_EXCEEDED', message, line: 1, column: 1 }])
}

/**
 * Compiles the text of one rule to its parts.
 *
 * @throws AppError INVALID_RULE with all its problems.
 */
export function compileDefinition(definition: string, { exceptions = [], ...context }: CompileContext): CompiledDefinition {
  const { parts, advice } = compileWith(definition, context, [])
  if (exceptions.length === 0) return { parts, advice }
  const sources = toExceptionSources(parts, exceptions)
  if (sources.length === 0) {
    throw createRuleError('a correlation cannot have exceptions; add them to the rules that it refers to', [{ path: 'filters' }])
  }
  const compiled = compileWith(definition, context, sources)
  for (const [i, { path }] of sources.entries()) {
    const report = compiled.reports.find((one) => one.path === path)
    if (report === undefined || report.verdict === 'compiled') continue
    const problems = report.diagnostics.filter(({ kind }) => kind !== 'lint')
    // Positions in the generated text mean nothing to the user.
    const errors = problems.map(({ attribute, code, message, hint }) => {
      return { path: `filters.${i}.${attribute.replace(/^filter/, 'detection')}`, code, message, hint }
    })
    throw createRuleError(problems[0]?.message ?? `the exception is ${report.verdict}`, errors)
  }
  return { parts: compiled.parts, advice }
}

function compileWith(
  definition: string, { among, filterSources, rewriting, isStored = false, budget: given }: CompileContext,
  exceptions: readonly RuleSource[],
) {
  const budget = given ?? (isStored ? undefined : createCompileBudget())
  const bounded = budget && { budget }
  const own = { path: ownPath, text: definition, ...bounded }
  const narrowing = exceptions.map((exception) => ({ ...exception, ...bounded }))
  const transform = rewriting?.createTransform(budget)
  const { ruleSet, reports } = compileRules([own, ...filterSources, ...narrowing], { among, ...(transform && { transform }) })
  const ofDefinition = reports.filter(({ path }) => path === ownPath)
  const broken = ofDefinition.find(({ verdict }) => verdict !== 'compiled')
  if (broken !== undefined) throw createInvalidRuleError(broken)
  const [report] = ofDefinition
  if (report === undefined || ofDefinition.length !== 1) {
    throw createCountError(definition)
  }
  const parts = [...ruleSet.correlations, ...ruleSet.rules].filter(({ path }) => path === ownPath)
  const advice = report.diagnostics.filter(({ code }) => code === 'INVALID_ATTRIBUTE' || code === 'MISSING_ATTRIBUTE')
  if (parts.length > 0) return { parts, reports, advice }
  throw createFilterRuleError(definition)
}

/** The exceptions of a rule as sources of filter rules; none for a correlation, which cannot have any. */
export function toExceptionSources([own, base = own]: readonly RulePart[], exceptions: readonly RuleException[]): readonly RuleSource[] {
  if (own === undefined || base === undefined || !('logsource' in base)) return []
  return exceptions.map((exception, i) => toExceptionSource(exception, i, { id: own.id, logsource: base.logsource }))
}

/** Converts an exception to a filter rule, printed as JSON, which is valid YAML. */
function toExceptionSource(
  { id, title, detection }: RuleException, index: number, rule: { readonly id: string; readonly logsource: RuleLogsource },
): RuleSource {
  const { anyOf, ...common } = rule.logsource
  const filter = { ...detection, rules: [rule.id] }
  return { path: `exception ${index}`, text: JSON.stringify({ title, id, logsource: { ...common, ...anyOf }, filter }) }
}
