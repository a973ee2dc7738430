import type { DiagnosticCollector } from '../diagnostics.ts'
import type { RuleLogsource } from '../event/event.ts'
import { limits } from '../limits.ts'
import type { RuleReference } from './correlation.ts'
import { parseDetection } from './detection.ts'
import { AttributeReader, readAttributes } from './rule-attributes.ts'
import type { Detection, RuleAttributes } from './rule.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlMap } from './yaml-document.ts'

/** A parsed filter rule. */
export type FilterRule = RuleAttributes & {
  readonly logsource: RuleLogsource
  /** The rules it applies to, by id or name; undefined for all. */
  readonly targets: readonly RuleReference[] | undefined
  /** Its own selections and condition, separate from those of the rules. */
  readonly detection: Detection
}

/** Parses a document as a filter rule and reports every problem. Undefined without a valid logsource and section. */
export function parseFilterRule(
  map: YamlMap, collector: DiagnosticCollector, { arraySyntax }: { readonly arraySyntax: boolean },
): FilterRule | undefined {
  const attributes = readAttributes(map, collector, ['logsource', 'filter'])
  const read = new AttributeReader(map, collector)
  const logsource = read.readLogsource()
  const section = read.readRequired('filter')?.value
  if (section === undefined) return undefined
  if (section.kind !== 'map') {
    collector.error({ code: 'INVALID_ATTRIBUTE', message: "'filter' must be a map", offset: section.offset })
    return undefined
  }
  const tuned = readReferences(section, collector)
  const selections = { ...section, entries: section.entries.filter(({ key }) => key !== 'rules') }
  const detection = parseDetection(selections, { collector, hasArraySyntax: arraySyntax })
  return logsource && { ...attributes, logsource, targets: tuned, detection }
}

function readReferences(section: YamlMap, collector: DiagnosticCollector): readonly RuleReference[] | undefined {
  const node = findEntry(section, 'rules')?.value
  if (node === undefined) {
    const message = "the filter has no 'rules'; use 'any' for all rules of its logsource"
    collector.error({ code: 'MISSING_ATTRIBUTE', message, offset: section.offset })
    return []
  }
  const items = node.kind === 'list' ? node.items : [node]
  if (items.length > limits.filterRulesMax) {
    const message = `the filter names ${items.length} rules; the limit is ${limits.filterRulesMax}`
    collector.error({ code: 'LIMIT_EXCEEDED', message, offset: node.offset })
    return []
  }
  const references: RuleReference[] = []
  for (const item of items) {
    if (item.kind === 'scalar' && item.value !== null && item.text !== '') references.push({ name: item.text, offset: item.offset })
    else collector.error({ code: 'INVALID_ATTRIBUTE', message: "'filter.rules' must be a list of ids or names", offset: item.offset })
  }
  const isAny = items.length === 0 || (references.length === 1 && references[0]!.name === 'any')
  return isAny ? undefined : references
}
