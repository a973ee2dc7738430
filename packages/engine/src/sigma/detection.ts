import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import { elementFieldName } from '../event/element-events.ts'
import { limits } from '../limits.ts'
import { getAggregationHint } from './aggregation.ts'
import { parseArrayPath } from './array-path.ts'
import { listSelectionNames, parseCondition } from './condition.ts'
import type { ConditionProblem } from './condition.ts'
import type { Detection, DetectionItem, ParsedCondition, Selection, SelectionBody } from './rule.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from './yaml-document.ts'

/** Keys of a detection section that are not selections. */
const reservedKeys: ReadonlySet<string> = new Set(['condition', 'timeframe'])

/** Where the parser reports problems, and whether field names may have array selectors. */
type DetectionContext = { readonly collector: DiagnosticCollector; readonly hasArraySyntax: boolean }

/**
 * Parses the `detection` section of a rule, all selections and conditions, and reports all problems. The result
 * omits the invalid parts.
 */
export function parseDetection(map: YamlMap, context: DetectionContext): Detection {
  const { collector } = context
  const selections = new Map<string, Selection>()
  for (const entry of map.entries) {
    if (reservedKeys.has(entry.key)) continue
    if (selections.size === limits.selectionsMax) {
      const message = `the rule has more than ${limits.selectionsMax} selections`
      collector.error({ code: 'LIMIT_EXCEEDED', message, offset: entry.keyOffset })
      break
    }
    const body = parseBody(entry.value, entry, context)
    selections.set(entry.key, { name: entry.key, body, offset: entry.keyOffset })
  }
  const conditions = parseConditions(map, selections, collector)
  reportTimeframe(map, collector)
  reportUnused(selections, conditions, collector)
  return { selections, conditions }
}

function parseBody(node: YamlNode, selection: YamlEntry, context: DetectionContext): SelectionBody {
  const { collector } = context
  if (node.kind === 'map') {
    if (node.entries.length === 0) reportEmpty(selection, collector)
    return { kind: 'all', of: node.entries.map((entry) => parseEntry(entry, context)) }
  }
  if (node.kind === 'scalar') {
    if (node.value !== null) return createKeywordItem([node], node.offset)
    reportEmpty(selection, collector)
    return { kind: 'any', of: [] }
  }
  if (node.items.length === 0) reportEmpty(selection, collector)
  if (node.items.every((item) => item.kind === 'scalar')) return createKeywordItem(node.items, node.offset)
  return { kind: 'any', of: node.items.map((item) => parseBody(item, selection, context)) }
}

function createKeywordItem(values: readonly YamlScalar[], offset: number): DetectionItem {
  return { kind: 'item', field: undefined, modifiers: [], values, offset }
}

function reportEmpty(selection: YamlEntry, collector: DiagnosticCollector): void {
  const message = `the selection '${selection.key}' is empty`
  collector.error({ code: 'EMPTY_DETECTION', message, offset: selection.keyOffset })
}

function parseEntry(entry: YamlEntry, context: DetectionContext): SelectionBody {
  const [name = '', ...modifiers] = entry.key.split('|')
  if (!context.hasArraySyntax) return parseItem(entry, name, modifiers, context.collector)
  const { steps, field } = parseArrayPath(name)
  const isBlock = steps.length > 0 && field === '' && modifiers.length === 0 && entry.value.kind === 'map'
  const body = isBlock
    ? parseBlock(entry.value, entry, context)
    : parseItem(entry, steps.length > 0 && field === '' ? elementFieldName : field, modifiers, context.collector)
  return steps.reduceRight<SelectionBody>((of, step) => ({ kind: 'elements', step, of }), body)
}

/** Parses the block below `field[any]:`, which applies to one element: items, or selections with their own condition. */
function parseBlock(map: YamlMap, entry: YamlEntry, context: DetectionContext): SelectionBody {
  if (findEntry(map, 'condition') === undefined) return parseBody(map, entry, context)
  return { kind: 'nested', detection: parseDetection(map, context) }
}

function parseItem(entry: YamlEntry, field: string, modifiers: readonly string[], collector: DiagnosticCollector): DetectionItem {
  const values = readValues(entry, collector)
  return { kind: 'item', field: field === '' ? undefined : field, modifiers, values, offset: entry.keyOffset }
}

function readValues({ key, value }: YamlEntry, collector: DiagnosticCollector): readonly YamlScalar[] {
  const nodes = value.kind === 'list' ? value.items : [value]
  if (nodes.length === 0) {
    const hint = 'use null to match an absent field'
    collector.error({ code: 'EMPTY_DETECTION', message: `'${key}' has an empty list of values`, offset: value.offset, hint })
  }
  if (nodes.length > limits.itemValuesMax) {
    const message = `'${key}' has ${nodes.length} values; the limit is ${limits.itemValuesMax}`
    collector.error({ code: 'LIMIT_EXCEEDED', message, offset: value.offset })
    return []
  }
  const scalars: YamlScalar[] = []
  for (const node of nodes) {
    if (node.kind === 'scalar') scalars.push(node)
    else {
      const hint = node.kind === 'map' ? `name the nested field with dots: '${key}.member'` : 'write the values in one list'
      const message = `'${key}' has a ${node.kind} instead of a value`
      collector.error({ code: 'INVALID_VALUE', message, offset: node.offset, hint })
    }
  }
  return scalars
}

function parseConditions(
  map: YamlMap,
  selections: ReadonlyMap<string, Selection>,
  collector: DiagnosticCollector,
): ParsedCondition[] {
  const entry = findEntry(map, 'condition')
  if (entry === undefined) {
    collector.error({ code: 'MISSING_ATTRIBUTE', message: "the detection has no 'condition'", offset: map.offset })
    return []
  }
  const nodes = entry.value.kind === 'list' ? entry.value.items : [entry.value]
  if (nodes.length === 0) {
    collector.error({ code: 'EMPTY_DETECTION', message: 'the list of conditions is empty', offset: entry.value.offset })
  }
  const timeframe = findEntry(map, 'timeframe')?.value
  const context = { selections, timeframe: timeframe?.kind === 'scalar' ? timeframe.text : '' }
  return nodes.flatMap((node) => parseOneCondition(node, context, collector))
}

/** The selections of a condition, and the timeframe; empty when there is none. */
type ConditionScope = { readonly selections: ReadonlyMap<string, Selection>; readonly timeframe: string }

function parseOneCondition(node: YamlNode, context: ConditionScope, collector: DiagnosticCollector): ParsedCondition[] {
  if (node.kind !== 'scalar' || node.value === null) {
    collector.error({ code: 'INVALID_ATTRIBUTE', message: 'a condition must be text', offset: node.offset })
    return []
  }
  const { tree, problems } = parseCondition(node.text, context.selections.keys())
  for (const problem of problems) reportCondition(problem, node, context, collector)
  return tree === undefined ? [] : [{ text: node.text, tree, offset: node.offset }]
}

function reportCondition(
  problem: ConditionProblem, node: YamlScalar, { selections, timeframe }: ConditionScope, collector: DiagnosticCollector,
): void {
  const offset = node.textOffset === undefined ? node.offset : node.textOffset + problem.offset
  const { message } = problem
  switch (problem.kind) {
    case 'aggregation':
      collector.unsupported({ code: 'UNSUPPORTED_AGGREGATION', message, offset, hint: getAggregationHint(node.text, timeframe) })
      return
    case 'capitals':
      collector.lint({ code: 'CONDITION_KEYWORD_CASE', message, offset })
      return
    case 'limit':
      collector.error({ code: 'LIMIT_EXCEEDED', message, offset })
      return
    case 'syntax':
      collector.error({ code: 'CONDITION_SYNTAX', message, offset })
      return
    case 'unknown': {
      const hint = suggestName(problem.unknownName ?? '', selections.keys())
      collector.error({ code: 'UNKNOWN_SELECTION', message, offset, hint })
    }
  }
}

function reportTimeframe(map: YamlMap, collector: DiagnosticCollector): void {
  const entry = findEntry(map, 'timeframe')
  if (entry === undefined) return
  const message = "'timeframe' has no effect without an aggregation"
  collector.lint({ code: 'OBSOLETE_TIMEFRAME', message, offset: entry.keyOffset, hint: 'write a correlation rule with a timespan' })
}

function reportUnused(
  selections: ReadonlyMap<string, Selection>,
  conditions: readonly ParsedCondition[],
  collector: DiagnosticCollector,
): void {
  // Without a valid condition, every selection would be reported as unused.
  if (conditions.length === 0) return
  const used = new Set(conditions.flatMap((condition) => [...listSelectionNames(condition.tree)]))
  for (const { name, offset } of selections.values()) {
    if (!used.has(name)) collector.lint({ code: 'UNUSED_SELECTION', message: `no condition uses the selection '${name}'`, offset })
  }
}
