import type { CompiledCorrelation, CorrelationMember } from '../correlation/compiled-correlation.ts'
import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import type { RuleLogsource } from '../event/event.ts'
import { hashToUuid } from '../hash.ts'
import type { Correlation, CorrelationRule } from '../sigma/correlation.ts'
import { toRuleId } from '../rule-id.ts'
import { pickDetails } from '../sigma/rule.ts'
import type { ReferencedRules, RuleTransform } from './rule-transform.ts'

/** A parsed correlation rule with unresolved references. */
export type CorrelationDraft = {
  readonly id: string
  readonly path: string
  readonly rule: CorrelationRule
  readonly collector: DiagnosticCollector
}

/** A compiled rule that correlations can reference. */
export type ReferableRule = { readonly logsource: RuleLogsource } | CompiledCorrelation

/** The rules that correlations can reference, by id and name. */
export type RuleReferences = {
  readonly findId: (name: string) => string | undefined
  readonly findRule: (id: string) => ReferableRule | undefined
  /** Names to suggest for an unknown reference. */
  readonly listNames: () => Iterable<string>
}

/** Finds the id of a rule by its id or name. */
type FindId = (name: string) => string | undefined

/** The correlations that run, by id. */
type RunningDrafts = Map<string, CorrelationDraft>

/**
 * Resolves the references of correlation rules to detection rules that run and to each other, and rewrites them. Reports and
 * drops correlations with unknown or cyclic references or which are refused, and those that refer to them.
 */
export function compileCorrelations(
  drafts: readonly CorrelationDraft[], detections: RuleReferences, transform?: RuleTransform,
): CompiledCorrelation[] {
  const valid = drafts.filter(({ collector }) => collector.verdict === 'compiled')
  const running: RunningDrafts = new Map(valid.map((draft) => [draft.id, draft]))
  const idOf: FindId = (name) => {
    const correlation = running.get(toRuleId(name)) ?? valid.find((draft) => draft.rule.name === name && running.has(draft.id))
    return correlation?.id ?? detections.findId(name)
  }
  dropUnresolved(running, idOf, detections)
  for (const draft of findCycles([...running.values()], idOf)) {
    const message = 'the correlation refers to itself through the rules it names'
    draft.collector.error({ code: 'CORRELATION_CYCLE', message, offset: draft.rule.correlation.references[0]?.offset ?? 0 })
    running.delete(draft.id)
  }
  if (transform !== undefined) {
    for (const draft of running.values()) {
      const rewritten = rewrite(draft, transform, collectReferenced(draft, { running, idOf, findRule: detections.findRule }))
      if (rewritten === undefined) running.delete(draft.id)
      else running.set(draft.id, rewritten)
    }
    dropUnresolved(running, idOf, detections)
  }
  return [...running.values()].map((draft) => compileCorrelation(draft, idOf))
}

/** Rewrites a correlation as the caller wants it; undefined if it is refused. */
function rewrite(draft: CorrelationDraft, transform: RuleTransform, referenced: ReferencedRules): CorrelationDraft | undefined {
  const { rule, collector } = draft
  const transformed = transform.correlation(rule, referenced)
  if ('rule' in transformed) return { ...draft, rule: transformed.rule }
  const offset = rule.correlation.references[0]?.offset ?? 0
  collector.error({ code: 'REFUSED_BY_PIPELINE', message: transformed.problem, offset })
  return undefined
}

type ReferenceContext = Pick<RuleReferences, 'findRule'> & { readonly running: RunningDrafts; readonly idOf: FindId }

/** Collects what is known of the rules that a correlation names, and of those that correlations among them name. */
function collectReferenced(draft: CorrelationDraft, { running, idOf, findRule }: ReferenceContext): ReferencedRules {
  const logsources = new Set<RuleLogsource>()
  const aliases = new Set<string>()
  const ids = new Set<string | undefined>(draft.rule.correlation.references.map(({ name }) => idOf(name)))
  // A set grows while it is walked through.
  for (const id of ids) {
    if (id === undefined) continue
    const inner = running.get(id)
    const compiled = inner === undefined ? findRule(id) : undefined
    if (compiled !== undefined && !('members' in compiled)) logsources.add(compiled.logsource)
    const correlation = inner?.rule.correlation ?? (compiled !== undefined && 'members' in compiled ? compiled.rule.correlation : undefined)
    for (const alias of correlation?.aliases.keys() ?? []) aliases.add(alias)
    for (const { name } of inner?.rule.correlation.references ?? []) ids.add(idOf(name))
    if (compiled !== undefined && 'members' in compiled) for (const { ruleId } of compiled.members) ids.add(ruleId)
  }
  return { logsources: [...logsources], aliases }
}

/** Drops correlations that name rules which do not run, until none does. */
function dropUnresolved(running: RunningDrafts, idOf: FindId, detections: RuleReferences): void {
  for (let before = -1; before !== running.size;) {
    before = running.size
    for (const draft of running.values()) if (!reportUnresolved(draft, idOf, detections)) running.delete(draft.id)
  }
}

function reportUnresolved(draft: CorrelationDraft, idOf: FindId, detections: RuleReferences): boolean {
  let resolved = true
  for (const { name, offset } of draft.rule.correlation.references) {
    if (idOf(name) !== undefined) continue
    const message = `no running rule has the id or name '${name}'`
    draft.collector.error({ code: 'UNKNOWN_RULE', message, offset, hint: suggestName(name, detections.listNames()) })
    resolved = false
  }
  return resolved
}

/** Finds the correlations in reference cycles, and those that refer to them. */
function findCycles(drafts: readonly CorrelationDraft[], idOf: FindId): CorrelationDraft[] {
  const byId = new Map(drafts.map((draft) => [draft.id, draft]))
  // Repeatedly removes correlations without references to remaining ones (Kahn); cycles and their referrers remain.
  for (let before = -1; before !== byId.size;) {
    before = byId.size
    for (const { id, rule } of byId.values()) {
      if (rule.correlation.references.every(({ name }) => !byId.has(idOf(name) ?? ''))) byId.delete(id)
    }
  }
  return [...byId.values()]
}

function compileCorrelation({ id, path, rule }: CorrelationDraft, idOf: FindId): CompiledCorrelation {
  const { correlation } = rule
  const members = correlation.references.map(({ name }): CorrelationMember => {
    const fieldOf = (field: string): string => correlation.aliases.get(field)?.get(name) ?? field
    const valueFields = correlation.condition.kind === 'thresholds' ? correlation.condition.fields : []
    return { ruleId: idOf(name)!, name, groupFields: correlation.groupBy.map(fieldOf), valueFields: valueFields.map(fieldOf) }
  })
  const definition = hashDefinition(correlation, members)
  return { kind: 'correlation', id, title: rule.title, level: rule.level, ...pickDetails(rule), path, rule, members, definition }
}

function hashDefinition(correlation: Correlation, members: readonly CorrelationMember[]): string {
  const { type, timespanMs, condition, groupBy, firing, window, isCaseSensitive } = correlation
  const criteria = condition.kind === 'formula' ? condition.formula : condition
  const fields = members.map(({ ruleId, groupFields, valueFields }) => [ruleId, groupFields, valueFields])
  // Extensions are left out where they are not used, so that state of before them is still good.
  const extensions = window === 'sliding' && !isCaseSensitive ? [] : [[window, isCaseSensitive]]
  return hashToUuid(JSON.stringify([type, timespanMs, criteria, groupBy, firing ?? null, fields, ...extensions]))
}
