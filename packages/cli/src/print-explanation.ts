import type { CompiledRule, Explanation, RuleExplanation } from '@tripline/engine'
import { printable } from './escape-control.ts'

export type ExplainedEvent = {
  /** The input line of the event, counted from 0. */
  readonly line: number
  readonly rule: CompiledRule
  readonly explanation: RuleExplanation
}

/** Prints an explanation as one line of JSON. */
export function printExplanationLine({ line, rule, explanation }: ExplainedEvent): string {
  return JSON.stringify({
    line,
    rule_id: rule.id,
    title: rule.title,
    matched: explanation.matched,
    logsource_matched: explanation.logsourceMatched,
    matched_conditions: explanation.matchedConditions,
    explain: explanation.tree,
  }) + '\n'
}

/** Prints an explanation as a tree for people: what held has a check mark, what did not a cross. */
export function printExplanation({ line, rule, explanation }: ExplainedEvent): string {
  const { matched, logsourceMatched, tree } = explanation
  const outcome = matched ? 'matched' : 'did not match'
  return [
    `${mark(matched)} line ${line}: ${printable(rule.title)} (${printable(rule.id)}) ${outcome}`,
    `  ${mark(logsourceMatched)} logsource ${printLogsource(rule)}`,
    ...printPart(tree, 1),
  ].join('\n') + '\n'
}

/** Prints the tree alone, a line for each part. */
export function printExplanationParts(tree: Explanation): string[] {
  return printPart(tree, 1)
}

function printLogsource({ logsource }: CompiledRule): string {
  const parts = (['product', 'category', 'service'] as const).flatMap((key) => logsource[key] ?? [])
  return printable(parts.join(' '))
}

function printPart(part: Explanation, depth: number): string[] {
  const start = `${'  '.repeat(depth)}${mark(part.result)} `
  if ('op' in part) return [start + printTest(part)]
  return [start + printable(part.node), ...part.children.flatMap((child) => printPart(child, depth + 1))]
}

type Test = Extract<Explanation, { readonly op: string }>

/** `Image|endswith=\cmd.exe  (value_mismatch: C:\a.exe)`, spelled as in `matched_conditions` (D-16). */
function printTest({ field, op, pattern, actual, reason }: Test): string {
  const name = op === 'eq' ? field ?? '' : `${field ?? ''}|${op}`
  const value = actual === null ? '' : `: ${Array.isArray(actual) ? actual.join(', ') : String(actual)}`
  return printable(`${name}${name === '' ? '' : '='}${pattern}  (${reason}${value})`)
}

function mark(result: boolean): string {
  return result ? '✓' : '✗'
}
