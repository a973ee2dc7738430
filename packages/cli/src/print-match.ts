import type { PieceMatch, RuleHead } from '@tripline/pool'
import { printable } from './printable.ts'

/** A match that knows where it stands in the input, and what its rule is called. */
export type PlacedMatch = {
  readonly match: PieceMatch
  readonly rule: RuleHead
  /** The input line of the event, counted from 0. */
  readonly line: number
}

/**
 * Prints a match as one line of JSON (decisions.md D-16 for `matched_conditions`), with the event and the explanation
 * where the match has them. An event's own text keeps what parsing loses: large integers, equal names.
 */
export function printMatchLine({ match, rule, line }: PlacedMatch): string {
  const { conditions, text, explanation } = match
  const head = JSON.stringify({
    line,
    rule_id: rule.id,
    title: rule.title,
    level: rule.level ?? null,
    matched_conditions: conditions,
  })
  const eventPart = text === undefined ? '' : `,"event":${text}`
  const explainPart = explanation === undefined ? '' : `,"explain":${explanation}`
  return `${head.slice(0, -1)}${eventPart}${explainPart}}\n`
}

// Fixed widths, so that rows can be printed as they come.
const columns = { line: 8, level: 13, title: 48, ruleId: 36 } as const

export function printTableHead(): string {
  return tableRow({ line: 'LINE', level: 'LEVEL', title: 'TITLE', ruleId: 'RULE ID', conditions: 'CONDITIONS' })
}

/** Prints a match as a row of the table. */
export function printTableRow({ match, rule, line }: PlacedMatch): string {
  return tableRow({
    line: String(line),
    level: rule.level ?? '-',
    title: printable(rule.title),
    ruleId: printable(rule.id),
    conditions: (match.conditions ?? []).map(printable).join('; '),
  })
}

function tableRow(row: { readonly [column in keyof typeof columns | 'conditions']: string }): string {
  const { line, level, title, ruleId, conditions } = row
  return [
    line.padStart(columns.line),
    level.padEnd(columns.level),
    cell(title, columns.title),
    cell(ruleId, columns.ruleId),
    conditions,
  ].join('  ') + '\n'
}

/** Pads or cuts a text to a width in characters. */
function cell(text: string, width: number): string {
  const characters = [...text]
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`
  return text + ' '.repeat(width - characters.length)
}
