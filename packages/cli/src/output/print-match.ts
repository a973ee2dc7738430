import type { Approximation, CompiledRule, CorrelationMatch } from '@tripline/engine'
import type { ChunkMatch } from '@tripline/pool'
import { escapeControl } from '../framework/escape-control.ts'

/** The line of an event in its input, counted from 0, and the path of that where there are several. */
type MatchPlace = { readonly line: number; readonly path: string | undefined }

/** A match that knows where it stands in the input, and what its rule is called. */
export type LocatedMatch = {
  readonly match: ChunkMatch
  readonly rule: Pick<CompiledRule, 'id' | 'title' | 'level'>
  /** Where the event stands; undefined for one of an input before. */
  readonly place: MatchPlace | undefined
}

/**
 * Prints a match as one line of JSON, with the event and the explanation
 * where the match has them. An event's own text keeps what parsing loses: large integers, equal names.
 */
export function printMatchLine({ match, rule, place }: LocatedMatch, includesEvent: boolean): string {
  const { conditions, explanation } = match
  const text = includesEvent ? match.text : undefined
  const head = JSON.stringify({
    ...printPlace(place),
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
  /** The place of a number in the stream; undefined for one of an input before. */
  readonly locate: (sequence: number) => MatchPlace | undefined
}

/** Prints a correlation's match as one line of JSON; its line is that of its newest event. */
export function printCorrelationLine({ match, locate }: LocatedCorrelation): string {
  const { rule, conditions, occurredAt, decidedAt, group, value, eventCount, events, newest } = match
  const lines = events.map(({ sequence }) => {
    const place = locate(sequence)
    return place?.path === undefined ? place?.line ?? null : printPlace(place)
  })
  return JSON.stringify({
    ...printPlace(locate(newest.sequence)),
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
export function printCorrelationRow({ match, locate }: LocatedCorrelation): string {
  const { rule, conditions, newest } = match
  return printTableRow({ match: { row: 0, rule: 0, conditions }, rule, place: locate(newest.sequence) })
}

/** The line of a match; with several inputs, also which one. */
function printPlace(place: MatchPlace | undefined): object {
  return { line: place?.line ?? null, ...(place?.path !== undefined && { input: place.path }) }
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
export function printTableRow({ match, rule, place }: LocatedMatch): string {
  return formatTableRow({
    line: place === undefined ? '-' : place.path === undefined ? String(place.line) : `${escapeControl(place.path)}:${place.line}`,
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
