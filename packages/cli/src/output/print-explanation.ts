import type { CompiledRule, Explanation, Logsource, RuleExplanation } from '@tripline/engine'
import type { EventRecognition } from '@tripline/engine/evaluate'
import { escapeControl } from '../framework/escape-control.ts'
import type { LinePlace } from '../framework/line-place.ts'
import { printPlace, toPlaceBody } from './print-place.ts'

type ExplainedEvent = {
  readonly place: LinePlace
  readonly rule: CompiledRule
  readonly explanation: RuleExplanation
  readonly recognition: EventRecognition
}

/** Prints an explanation as one line of JSON. */
export function printExplanationLine({ place, rule, explanation, recognition }: ExplainedEvent): string {
  const { shape, logsources, renamed } = recognition
  return JSON.stringify({
    ...toPlaceBody(place),
    event: {
      recognized_as: shape ?? null, logsources,
      renamed: Object.fromEntries([...renamed].map(([name, path]) => [name, path ?? null])),
    },
    rule_id: rule.id,
    title: rule.title,
    matched: explanation.matched,
    logsource_matched: explanation.logsourceMatched,
    matched_conditions: explanation.matchedConditions,
    explain: explanation.tree,
  }) + '\n'
}

/** Prints an explanation as a tree for people: what held has a check mark, what did not a cross. */
export function printExplanation({ place, rule, explanation }: Omit<ExplainedEvent, 'recognition'>): string {
  const { matched, logsourceMatched, tree } = explanation
  const outcome = matched ? 'matched' : 'did not match'
  return [
    `${printMark(matched)} ${printPlace(place)}: ${escapeControl(rule.title)} (${escapeControl(rule.id)}) ${outcome}`,
    `  ${printMark(logsourceMatched)} logsource ${printLogsource(rule)}`,
    ...printPart(tree, 1),
  ].join('\n') + '\n'
}

/**
 * Prints what the taxonomy makes of an event: the row that recognized it, its log sources, and the fields that have other names
 * in rules.
 */
export function printRecognition({ place, recognition }: Pick<ExplainedEvent, 'place' | 'recognition'>): string {
  const { shape = 'not recognized', logsources, isDeclared, renamed } = recognition
  const sources = logsources.length === 0 ? 'no log source' : logsources.map(printLogsourceKeys).join(', ')
  const head = `${printPlace(place)}: ${shape}; ${sources}${isDeclared ? ' (as it states)' : ''}`
  const lines = [...renamed].map(([name, path]) => `  ${name} is ${path ?? 'made of others'}`)
  return [head, ...lines].map(escapeControl).join('\n') + '\n'
}

/** Prints the tree alone, a line for each part. */
export function printExplanationParts(tree: Explanation): string[] {
  return printPart(tree, 1)
}

function printLogsourceKeys({ product, category, service }: Logsource): string {
  return [product, category, service].filter((key) => key !== undefined).join(' ')
}

function printLogsource({ logsource }: CompiledRule): string {
  const parts = (['product', 'category', 'service'] as const).flatMap((key) => logsource[key] ?? logsource.anyOf?.[key]?.join('|') ?? [])
  return escapeControl(parts.join(' '))
}

function printPart(part: Explanation, depth: number): string[] {
  const start = `${'  '.repeat(depth)}${printMark(part.result)} `
  if ('op' in part) return [start + printTest(part)]
  return [start + escapeControl(part.node), ...part.children.flatMap((child) => printPart(child, depth + 1))]
}

type FieldTest = Extract<Explanation, { readonly op: string }>

/** `Image|endswith=\cmd.exe  (value_mismatch: C:\a.exe)`, spelled as in `matched_conditions`. */
function printTest({ field, op, pattern, actual, reason }: FieldTest): string {
  const name = op === 'eq' ? field ?? '' : `${field ?? ''}|${op}`
  const value = actual === null ? '' : `: ${Array.isArray(actual) ? actual.join(', ') : String(actual)}`
  return escapeControl(`${name}${name === '' ? '' : '='}${pattern}  (${reason}${value})`)
}

function printMark(result: boolean): string {
  return result ? '✓' : '✗'
}
