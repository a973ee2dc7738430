import type { CompiledCorrelation, CorrelationMember } from '../correlation/compiled-correlation.ts'
import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import { hashToUuid } from '../hash.ts'
import type { Correlation, CorrelationRule } from '../sigma/correlation.ts'
import { toRuleId } from '../rule-id.ts'
import { pickDetails } from '../sigma/rule.ts'

/** A parsed correlation rule with unresolved references. */
export type CorrelationDraft = {
  readonly id: string
  readonly path: string
  readonly rule: CorrelationRule
  readonly collector: DiagnosticCollector
}

/** The rules that correlations can reference, by id and name. */
export type RuleReferences = {
  readonly findId: (name: string) => string | undefined
  /** Names to suggest for an unknown reference. */
  readonly listNames: () => Iterable<string>
}

/**
 * Resolves the references of correlation rules to detection rules that run and to each other. Reports and drops
 * correlations with unknown or cyclic references, and those that refer to them.
 */
export function compileCorrelations(drafts: readonly CorrelationDraft[], detections: RuleReferences): CompiledCorrelation[] {
  const valid = drafts.filter(({ collector }) => collector.verdict === 'compiled')
  const running = new Map(valid.map((draft) => [draft.id, draft]))
  const idOf = (name: string): string | undefined => {
    const correlation = running.get(toRuleId(name)) ?? valid.find((draft) => draft.rule.name === name && running.has(draft.id))
    return correlation?.id ?? detections.findId(name)
  }
  for (let before = -1; before !== running.size;) {
    before = running.size
    for (const draft of running.values()) if (!reportUnresolved(draft, idOf, detections)) running.delete(draft.id)
  }
  for (const draft of findCycles([...running.values()], idOf)) {
    const message = 'the correlation refers to itself through the rules it names'
    draft.collector.error({ code: 'CORRELATION_CYCLE', message, offset: draft.rule.correlation.references[0]?.offset ?? 0 })
    running.delete(draft.id)
  }
  return [...running.values()].map((draft) => compileCorrelation(draft, idOf))
}

function reportUnresolved(draft: CorrelationDraft, idOf: (name: string) => string | undefined, detections: RuleReferences): boolean {
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
function findCycles(drafts: readonly CorrelationDraft[], idOf: (name: string) => string | undefined): CorrelationDraft[] {
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

function compileCorrelation({ id, path, rule }: CorrelationDraft, idOf: (name: string) => string | undefined): CompiledCorrelation {
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
