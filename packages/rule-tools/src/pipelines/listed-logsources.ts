import type { Condition, DetectionRule, ParsedCondition, SelectionBody } from '@tripline/engine/authoring'
import { listLogsources } from '@tripline/engine/authoring'
import type { TransformedRule } from './rule-state.ts'

type Logsource = DetectionRule['logsource']

/**
 * Rewrites a rule whose log source has lists as if it stood there once for each log source that they stand for: pipelines ask for
 * one category. The rules that this makes become one again, which matches what any of them does.
 */
export function transformForEachLogsource(rule: DetectionRule, transform: (rule: DetectionRule) => TransformedRule): TransformedRule {
  const { definition } = rule.logsource
  const rules: DetectionRule[] = []
  for (const one of listLogsources(rule.logsource)) {
    const logsource: Logsource = { ...one, ...(definition !== undefined && { definition }) }
    const transformed = transform({ ...rule, logsource })
    if ('problem' in transformed) return transformed
    if (!rules.some((other) => isEqual(other, transformed.rule))) rules.push(transformed.rule)
  }
  const logsource = joinLogsources(rules.map((one) => one.logsource))
  const [first, ...others] = rules
  if (first === undefined || others.length === 0) return { rule: first ?? rule }
  const isSame = others.every(({ detection }) => isEqual(detection, first.detection))
  const isOneLogsource = others.every((one) => isEqual(one.logsource, first.logsource))
  if (logsource === undefined || (!isSame && !isOneLogsource)) {
    return { problem: 'the pipelines make different rules of the log sources that this rule lists; write a rule for each' }
  }
  const fields = [...new Set(rules.flatMap((one) => one.fields))]
  return { rule: { ...first, fields, logsource, detection: isSame ? first.detection : joinDetections(rules) } }
}

const keys = ['category', 'product', 'service'] as const

/** One log source with lists that stands for exactly these; undefined where there is none. */
function joinLogsources(logsources: readonly Logsource[]): Logsource | undefined {
  const joined: Partial<Record<(typeof keys)[number], string>> = {}
  const anyOf: Partial<Record<(typeof keys)[number], readonly string[]>> = {}
  for (const key of keys) {
    const values = [...new Set(logsources.map((one) => one[key]))]
    const texts = values.filter((value) => value !== undefined)
    if (texts.length > 0 && texts.length < values.length) return undefined
    if (texts.length === 1) joined[key] = texts[0]!
    else if (texts.length > 1) anyOf[key] = texts
  }
  const definition = logsources[0]?.definition
  const logsource = { ...joined, ...(Object.keys(anyOf).length > 0 && { anyOf }), ...(definition !== undefined && { definition }) }
  const distinct = new Set(logsources.map((one) => JSON.stringify(keys.map((key) => one[key] ?? null))))
  return listLogsources(logsource).length === distinct.size ? logsource : undefined
}

/** A detection with the conditions of all, any of which may match; a selection that differs gets a name of its own. */
function joinDetections(rules: readonly DetectionRule[]): DetectionRule['detection'] {
  const selections = new Map<string, { readonly name: string; readonly body: SelectionBody; readonly offset: number }>()
  const conditions: ParsedCondition[] = []
  for (const { detection } of rules) {
    const renamed = new Map<string, string>()
    for (const selection of detection.selections.values()) {
      let name = selection.name
      for (let i = 2; !isEqual(selections.get(name)?.body ?? selection.body, selection.body); i++) name = `${selection.name}_${i}`
      selections.set(name, { ...selection, name })
      renamed.set(selection.name, name)
    }
    for (const condition of detection.conditions) conditions.push({ ...condition, tree: renameSelections(condition.tree, renamed) })
  }
  return { selections, conditions }
}

function renameSelections(tree: Condition, renamed: ReadonlyMap<string, string>): Condition {
  const rename = (name: string): string => renamed.get(name) ?? name
  switch (tree.kind) {
    case 'selection': return { ...tree, name: rename(tree.name) }
    case 'quantifier': return { ...tree, names: tree.names.map(rename) }
    case 'not': return { ...tree, of: renameSelections(tree.of, renamed) }
    default: return { ...tree, of: tree.of.map((part) => renameSelections(part, renamed)) }
  }
}

/** Whether two parts of rules are written alike. */
function isEqual(a: unknown, b: unknown): boolean {
  return printPart(a) === printPart(b)
}

function printPart(part: unknown): string {
  return JSON.stringify(part, (_, value: unknown) => {
    if (value instanceof Map) return [...value as ReadonlyMap<unknown, unknown>]
    return typeof value === 'bigint' ? `${value}n` : value
  })
}
