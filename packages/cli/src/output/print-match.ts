import type { Approximation, CompiledRule, CorrelationMatch } from '@tripline/engine'
import type { ChunkMatch } from '@tripline/pool'
import { escapeControl } from '../framework/escape-control.ts'

/** A match that knows where it stands in the input, and what its rule is called. */
export type LocatedMatch = {
  readonly match: ChunkMatch
  readonly rule: Pick<CompiledRule, 'id' | 'title' | 'level'>
  /** The input line of the event, counted from 0; undefined for one of an input before. */
  readonly line: number | undefined
}

/**
 * Prints a match as one line of JSON, with the event and the explanation
 * where the match has them. An event's own text keeps what parsing loses: large integers, equal names.
 */
export function printMatchLine({ match, rule, line }: LocatedMatch, includesEvent: boolean): string {
  const { conditions, explanation } = match
  const text = includesEvent ? match.text : undefined
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

/** A correlation's match, and where the events of it stand in the input. */
export type LocatedCorrelation = {
  readonly match: CorrelationMatch
  /** The input line of a number in the stream, from 0; undefined for one of an input before. */
  readonly getLine: (sequence: number) => number | undefined
}

/** Prints a correlation's match as one line of JSON; its line is that of its newest event. */
export function printCorrelationLine({ match, getLine }: LocatedCorrelation): string {
  const { rule, conditions, occurredAt, decidedAt, group, value, eventCount, events, newest } = match
  const lines = events.map(({ sequence }) => getLine(sequence) ?? null)
  return JSON.stringify({
    line: getLine(newest.sequence) ?? null,
    rule_id: rule.id,
    title: rule.title,
    level: rule.level ?? null,
    matched_conditions: conditions,
    correlation: {
      type: rule.rule.correlation.type,
      group: Object.fromEntries(group),
      value: value ?? null,
      occurred_at: new Date(occurredAt).toISOString(),
      decided_at: new Date(decidedAt).toISOString(),
      event_count: eventCount,
      lines,
      ...(match.sharedValue === undefined ? {} : { shared_value: match.sharedValue }),
      ...(match.approximate === undefined ? {} : { approximate: approximationBody(match.approximate) }),
      ...(match.isDegraded ? { degraded: true } : {}),
    },
  }) + '\n'
}

/** Prints a correlation's match as a row of the table. */
export function printCorrelationRow({ match, getLine }: LocatedCorrelation): string {
  const { rule, conditions, newest } = match
  return printTableRow({ match: { row: 0, rule: 0, conditions }, rule, line: getLine(newest.sequence) })
}

function approximationBody({ relativeError, windowErrorMs }: Approximation): object {
  return { relative_error: relativeError, window_error_ms: windowErrorMs }
}

// Fixed widths, so that rows can be printed as they come.
const columns = { line: 8, level: 13, title: 48, ruleId: 36 } as const

export function printTableHead(): string {
  return formatTableRow({ line: 'LINE', level: 'LEVEL', title: 'TITLE', ruleId: 'RULE ID', conditions: 'CONDITIONS' })
}

/** Prints a match as a row of the table. */
export function printTableRow({ match, rule, line }: LocatedMatch): string {
  return formatTableRow({
    line: line === undefined ? '-' : String(line),
    level: rule.level ?? '-',
    title: escapeControl(rule.title),
    ruleId: escapeControl(rule.id),
    conditions: (match.conditions ?? []).map(escapeControl).join('; '),
  })
}

function formatTableRow(row: { readonly [column in keyof typeof columns | 'conditions']: string }): string {
  const { line, level, title, ruleId, conditions } = row
  return [
    line.padStart(columns.line),
    level.padEnd(columns.level),
    formatCell(title, columns.title),
    formatCell(ruleId, columns.ruleId),
    conditions,
  ].join('  ') + '\n'
}

/** Pads or cuts a text to a width in characters. */
function formatCell(text: string, width: number): string {
  const characters = [...text]
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`
  return text + ' '.repeat(width - characters.length)
}
