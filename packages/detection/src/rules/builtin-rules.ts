import { RuleSet, compileRules } from '@tripline/engine'
import type { RuleReport, RuleSource } from '@tripline/engine'
import { readYaml } from '@tripline/engine/yaml'
import { createBuiltinRule } from '@tripline/model/rule'
import type { RuleMetadata } from '@tripline/model/rule'
import type { LoadedRule, RulePart } from './loaded-rule.ts'
import { isCorrelation, isDetection, getMemberIds, getRunningParts } from './loaded-rule.ts'
import { editDefinition } from './edit-definition.ts'
import type { RuleRewriting } from './rewriting.ts'
import { splitSource } from './split-source.ts'

/** The rules that ship with the server: compiled once, shared by all tenants. */
export type BuiltinRules = {
  /** By id. */
  readonly rules: ReadonlyMap<string, LoadedRule>
  /** All of them, compiled. */
  readonly all: RuleSet
  /** Those that run for a tenant that has changed nothing. */
  readonly running: RuleSet
  /** The sources of filter rules, which apply to tenants' rules too. */
  readonly filterSources: readonly RuleSource[]
  /** The compile report of each document. */
  readonly reports: readonly RuleReport[]
  /** What rewrites the rules of the tenant, these and its own; undefined for tenants without pipelines. */
  readonly rewriting?: RuleRewriting | undefined
  /** The rules as they came with the server, where these are rewritten ones. */
  readonly original?: BuiltinRules
}

/** Compiles the rules that ship with the server; `readAt` becomes their creation time. */
export function compileBuiltinRules(sources: readonly RuleSource[], readAt: number): BuiltinRules {
  const single = sources.flatMap(splitSource)
  const stated = new Map<string, RuleMetadata>()
  const onRule = (id: string, rule: RuleMetadata) => {
    const { status, description, author, date, modified, falsepositives, references, tags } = rule
    stated.set(id, { status, description, author, date, modified, falsepositives, references, tags })
  }
  const { ruleSet, reports } = compileRules(single, { onRule })
  const texts = new Map(single.map(({ path, text }) => [path, text]))
  const compiled = reports.filter(({ kind, verdict }) => verdict === 'compiled' && kind !== 'filter')
  // A rule that is there twice has two reports with the same id.
  const documents = [...new Map(compiled.map((report) => [report.id, report])).values()]
  const partsById = new Map<string, RulePart>([...ruleSet.rules, ...ruleSet.correlations].map((part) => [part.id, part]))
  const ownIds = new Set(documents.map(({ id }) => id))
  const loaded = documents.flatMap(({ id, diagnostics }): LoadedRule[] => {
    const own = partsById.get(id)
    if (own === undefined) return []
    // A rule without a document was derived from one with an aggregation, and finds its events.
    const made = getMemberIds(own).filter((member) => !ownIds.has(member))
    const parts = [own, ...made.flatMap((member) => partsById.get(member) ?? [])]
    const text = texts.get(own.path) ?? ''
    const definition = diagnostics.some(({ code }) => code === 'DUPLICATE_ID') ? stateId(text, own.id) : text
    const rule = createBuiltinRule(own, { definition, createdAt: readAt }, stated.get(own.id))
    return [{ rule, parts, problem: undefined, narrowedUntil: undefined }]
  })
  const running = createRuleSet(loaded.flatMap(getRunningParts))
  const filterPaths = new Set(reports.filter(({ kind }) => kind === 'filter').map(({ path }) => path))
  const resting = loaded.filter((rule) => getRunningParts(rule).length === 0)
  return {
    rules: new Map(loaded.map((rule) => [rule.rule.id, rule])),
    all: resting.length === 0 ? running : running.applyChange({ put: resting.flatMap(({ parts }) => parts) }),
    running,
    filterSources: single.filter(({ path = '' }) => filterPaths.has(path)),
    reports,
  }
}

/** The text of a rule under the id that it runs by, which is another one than it states when a rule before has that. */
function stateId(definition: string, id: string): string {
  // Rules that an action makes of one text share it.
  const { documents = [] } = readYaml(definition)
  return documents.length === 1 ? editDefinition(definition, new Map([['id', id]])) : definition
}

/** Creates a rule set of parts that filters have narrowed already. */
function createRuleSet(parts: readonly RulePart[]): RuleSet {
  return new RuleSet(parts.filter(isDetection), { correlations: parts.filter(isCorrelation) })
}
