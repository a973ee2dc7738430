import { explain } from '@tripline/engine'
import type { Match } from '@tripline/engine'
import { printable } from './printable.ts'

export type MatchLineOptions = {
  /** The input line of the event, counted from 0. */
  readonly line: number
  /** The event's JSON text, to be added. Its own text keeps what parsing loses: large integers, equal names. */
  readonly eventText: string | undefined
  /** Adds the explanation, made as the engine read the event. */
  readonly explains: Parameters<typeof explain>[2]
}

/** Prints a match as one line of JSON (decisions.md D-16 for `matched_conditions`). */
export function printMatchLine(match: Match, { line, eventText, explains }: MatchLineOptions): string {
  const { rule, event, conditions } = match
  const head = JSON.stringify({
    line,
    rule_id: rule.id,
    title: rule.title,
    level: rule.level ?? null,
    matched_conditions: conditions,
  })
  const eventPart = eventText === undefined ? '' : `,"event":${eventText}`
  const explainPart = explains === undefined ? '' : `,"explain":${JSON.stringify(explain(rule, event, explains).tree)}`
  return `${head.slice(0, -1)}${eventPart}${explainPart}}\n`
}

// Fixed widths, so that rows can be printed as they come.
const columns = { line: 8, level: 13, title: 48, ruleId: 36 } as const

export function printTableHead(): string {
  return tableRow({ line: 'LINE', level: 'LEVEL', title: 'TITLE', ruleId: 'RULE ID', conditions: 'CONDITIONS' })
}

/** Prints a match as a row of the table. */
export function printTableRow({ rule, conditions }: Match, line: number): string {
  return tableRow({
    line: String(line),
    level: rule.level ?? '-',
    title: printable(rule.title),
    ruleId: printable(rule.id),
    conditions: conditions.map(printable).join('; '),
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
