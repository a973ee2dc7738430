import type { CorrelationRule } from '@tripline/engine'
import type { DetectionRule, SelectionBody } from '@tripline/engine/authoring'

/**
 * A part of a rule that pipelines change: `logsource`, `fields`, `detection.condition`, or `detection.` and a selection's name; of
 * a correlation `correlation.group-by`, `correlation.aliases` and `correlation.condition.field`.
 */
export type RulePartChange = {
  readonly part: string
  /** As it was; undefined for a part that was added. */
  readonly before: string | undefined
  /** As it is now; undefined for a part that was left out. */
  readonly after: string | undefined
}

/** Lists the parts of a rule that differ between two of its forms, in their order, each as people read it. */
export function compareRuleParts(before: SomeRule, after: SomeRule): readonly RulePartChange[] {
  const [old, now] = [printRuleParts(before), printRuleParts(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((part) => ({ part, before: old.get(part), after: now.get(part) }))
    .filter((change) => change.before !== change.after)
}

type SomeRule = DetectionRule | CorrelationRule

/** Prints what pipelines may change of a rule, and not always as Sigma can write it. */
function printRuleParts(rule: SomeRule): ReadonlyMap<string, string> {
  const parts = 'detection' in rule ? printDetectionParts(rule) : printCorrelationParts(rule)
  return new Map([...parts, ...(rule.fields.length > 0 ? [['fields', rule.fields.join('\n')] as const] : [])])
}

function printCorrelationParts({ correlation: { groupBy, aliases, condition } }: CorrelationRule): readonly (readonly [string, string])[] {
  const named = Array.from(aliases, ([alias, fields]) => {
    return [`${alias}:`, ...indent(Array.from(fields, ([rule, field]) => `${rule}: ${field}`))].join('\n')
  })
  const fields = condition.kind === 'thresholds' ? condition.fields : []
  return [
    ['correlation.group-by', groupBy.join('\n')], ['correlation.aliases', named.join('\n')],
    ['correlation.condition.field', fields.join('\n')],
  ]
}

function printDetectionParts({ logsource, detection }: DetectionRule): readonly (readonly [string, string])[] {
  const { anyOf = {}, definition: _definition, ...one } = logsource
  const lines = Object.entries({ ...one, ...anyOf }).map(([key, value]) => {
    return `${key}: ${typeof value === 'string' ? value : `[${value?.join(', ')}]`}`
  })
  return [
    ['logsource', lines.join('\n')],
    ...Array.from(detection.selections.values(), ({ name, body }) => [`detection.${name}`, printBody(body).join('\n')] as const),
    ['detection.condition', detection.conditions.map(({ text }) => text).join('\n')],
  ]
}

function printBody(body: SelectionBody): readonly string[] {
  switch (body.kind) {
    case 'item': {
      const values = body.values.map(({ value, text }) => typeof value === 'string' ? `'${text}'` : text === '' ? 'null' : text)
      return [`${[body.field ?? 'keywords', ...body.modifiers].join('|')}: ${values.length === 1 ? values[0]! : `[${values.join(', ')}]`}`]
    }
    case 'elements': return ['one element:', ...indent(printBody(body.of))]
    case 'nested': {
      const { selections, conditions } = body.detection
      const inner = Array.from(selections.values(), ({ name, body: of }) => [`${name}:`, ...indent(printBody(of))])
      return [...inner.flat(), ...conditions.map(({ text }) => `condition: ${text}`)]
    }
    default: {
      const parts = body.of.map(printBody)
      return parts.length === 1 ? parts[0]! : [`${body.kind} of:`, ...parts.flatMap((lines) => indent(lines))]
    }
  }
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}
