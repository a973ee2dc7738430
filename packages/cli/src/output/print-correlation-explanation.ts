import { printTimespan } from '@tripline/engine'
import type { CompiledCorrelation, CorrelationExplanation, CorrelationStage, GroupProgress } from '@tripline/engine'
import { escapeControl } from '../framework/escape-control.ts'

type ExplainedCorrelation = {
  readonly rule: CompiledCorrelation
  readonly explanation: CorrelationExplanation
  /** The input line of a row of the events, from 0. */
  readonly lineOf: (row: number) => number
}

/** Prints an explanation as one line of JSON. */
export function printCorrelationExplanationLine({ rule, explanation, lineOf }: ExplainedCorrelation): string {
  const { matched, matches } = explanation
  return JSON.stringify({
    rule_id: rule.id,
    title: rule.title,
    matched,
    matched_conditions: matches.flatMap(({ conditions }) => conditions),
    matches: matches.map(({ occurredAt, decidedAt, group, value, events }) => ({
      occurred_at: formatTimestamp(occurredAt),
      decided_at: formatTimestamp(decidedAt),
      group: Object.fromEntries(group),
      value: value ?? null,
      lines: events.map(({ sequence }) => lineOf(sequence)),
    })),
    explain: printCorrelationRows({ explanation, lineOf }),
  }) + '\n'
}

/** What each correlation saw, and how near its groups came, as JSON has it. */
export function printCorrelationRows({ explanation: { stages }, lineOf }: Omit<ExplainedCorrelation, 'rule'>) {
  return stages.map((stage) => ({
    rule_id: stage.rule.id,
    title: stage.rule.title,
    type: stage.rule.rule.correlation.type,
    rules: stage.members.map(({ ruleId, name, rows }) => ({ rule_id: ruleId, name, lines: rows.map(lineOf) })),
    groups: stage.groups.map(({ group, at, value, asked, holds, unseen }) => {
      return { group: Object.fromEntries(group), at: formatTimestamp(at), value: value ?? null, asked, holds, unseen }
    }),
    unused: stage.unused.map(({ row, missing, field }) => ({ line: lineOf(row), missing, field })),
  }))
}

/** Prints what each correlation saw, and how near its groups came, a line for each. */
export function printCorrelationParts({ explanation: { stages }, lineOf }: Omit<ExplainedCorrelation, 'rule'>): string[] {
  return stages.flatMap((stage) => printStage(stage, lineOf))
}

/** Prints an explanation for people: what each correlation saw, and how near its groups came. */
export function printCorrelationExplanation({ rule, explanation, lineOf }: ExplainedCorrelation): string {
  const { matched, matches } = explanation
  const lines = [`${matched ? '✓' : '✗'} ${escapeControl(rule.title)} (${escapeControl(rule.id)}) ${matched ? 'matched' : 'did not match'}`]
  for (const { decidedAt, conditions } of matches) lines.push(`  ✓ ${formatTimestamp(decidedAt)} ${escapeControl(conditions.join('; '))}`)
  lines.push(...printCorrelationParts({ explanation, lineOf }))
  return lines.join('\n') + '\n'
}

function printStage({ rule, members, groups, unused }: CorrelationStage, lineOf: (row: number) => number): string[] {
  const { type, timespanMs } = rule.rule.correlation
  return [
    `  ${type} in ${printTimespan(timespanMs)}: ${escapeControl(rule.title)}`,
    ...members.map(({ name, rows }) => `    rule ${escapeControl(name)}: ${printLines(rows.map(lineOf))}`),
    ...groups.map((group) => `    ${group.holds ? '✓' : '✗'} ${printGroup(group)}`),
    ...unused.map(({ row, missing, field }) => {
      return `    line ${lineOf(row)} has no ${missing === 'group' ? 'field to be grouped by' : 'value'}: ${escapeControl(field)}`
    }),
  ]
}

const shownLinesMax = 20

function printLines(lines: readonly number[]): string {
  if (lines.length === 0) return 'no event'
  const shown = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, shownLinesMax).join(', ')}`
  return lines.length > shownLinesMax ? `${shown} and ${lines.length - shownLinesMax} more` : shown
}

/** `user=alice came to 3>=5 at 12:00, without rule_b`. */
function printGroup({ group, at, asked, unseen }: GroupProgress): string {
  const name = Array.from(group, ([field, value]) => `${field}=${value}`).join(', ') || 'all events'
  return escapeControl(`${name} came to ${asked} at ${formatTimestamp(at)}${unseen.length === 0 ? '' : `, without ${unseen.join(', ')}`}`)
}

function formatTimestamp(at: number): string {
  return new Date(at).toISOString()
}
