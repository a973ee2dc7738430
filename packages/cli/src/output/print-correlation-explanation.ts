import { printTimespan } from '@tripline/engine'
import type { CompiledCorrelation, CorrelationExplanation, CorrelationStage, GroupProgress } from '@tripline/engine'
import { escapeControl } from '../framework/escape-control.ts'
import type { LinePlace } from '../framework/line-place.ts'
import { printPlace, toLineBody, toPlaceBody } from './print-place.ts'

type ExplainedCorrelation = {
  readonly rule: CompiledCorrelation
  readonly explanation: CorrelationExplanation
  readonly placeOf: (row: number) => LinePlace
}

/** Prints an explanation as one line of JSON. */
export function printCorrelationExplanationLine({ rule, explanation, placeOf }: ExplainedCorrelation): string {
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
      lines: events.map(({ sequence }) => toLineBody(placeOf(sequence))),
    })),
    explain: printCorrelationRows({ explanation, placeOf }),
  }) + '\n'
}

/** What each correlation saw, and how near its groups came, as JSON has it. */
export function printCorrelationRows({ explanation: { stages }, placeOf }: Omit<ExplainedCorrelation, 'rule'>) {
  return stages.map((stage) => ({
    rule_id: stage.rule.id,
    title: stage.rule.title,
    type: stage.rule.rule.correlation.type,
    rules: stage.members.map(({ ruleId, name, rows }) => ({ rule_id: ruleId, name, lines: rows.map((row) => toLineBody(placeOf(row))) })),
    groups: stage.groups.map(({ group, at, value, asked, holds, unseen }) => {
      return { group: Object.fromEntries(group), at: formatTimestamp(at), value: value ?? null, asked, holds, unseen }
    }),
    unused: stage.unused.map(({ row, missing, field }) => ({ ...toPlaceBody(placeOf(row)), missing, field })),
  }))
}

/** Prints what each correlation saw, and how near its groups came, a line for each. */
export function printCorrelationParts({ explanation: { stages }, placeOf }: Omit<ExplainedCorrelation, 'rule'>): string[] {
  return stages.flatMap((stage) => printStage(stage, placeOf))
}

/** Prints an explanation for people: what each correlation saw, and how near its groups came. */
export function printCorrelationExplanation({ rule, explanation, placeOf }: ExplainedCorrelation): string {
  const { matched, matches } = explanation
  const lines = [`${matched ? '✓' : '✗'} ${escapeControl(rule.title)} (${escapeControl(rule.id)}) ${matched ? 'matched' : 'did not match'}`]
  for (const { decidedAt, conditions } of matches) lines.push(`  ✓ ${formatTimestamp(decidedAt)} ${escapeControl(conditions.join('; '))}`)
  lines.push(...printCorrelationParts({ explanation, placeOf }))
  return lines.join('\n') + '\n'
}

function printStage({ rule, members, groups, unused }: CorrelationStage, placeOf: (row: number) => LinePlace): string[] {
  const { type, timespanMs } = rule.rule.correlation
  return [
    `  ${type} in ${printTimespan(timespanMs)}: ${escapeControl(rule.title)}`,
    ...members.map(({ name, rows }) => `    rule ${escapeControl(name)}: ${printPlaces(rows.map(placeOf))}`),
    ...groups.map((group) => `    ${group.holds ? '✓' : '✗'} ${printGroup(group)}`),
    ...unused.map(({ row, missing, field }) => {
      return `    ${printPlace(placeOf(row))} has no ${missing === 'group' ? 'field to be grouped by' : 'value'}: ${escapeControl(field)}`
    }),
  ]
}

const shownPlacesMax = 20

function printPlaces(places: readonly LinePlace[]): string {
  if (places.length === 0) return 'no event'
  const [{ path }] = places as [LinePlace]
  const names = places.slice(0, shownPlacesMax).map((place) => (path === undefined ? String(place.line) : printPlace(place)))
  const word = path !== undefined ? '' : places.length === 1 ? 'line ' : 'lines '
  const rest = places.length > shownPlacesMax ? ` and ${places.length - shownPlacesMax} more` : ''
  return word + names.join(', ') + rest
}

/** `user=alice came to 3>=5 at 12:00, without rule_b`. */
function printGroup({ group, at, asked, unseen }: GroupProgress): string {
  const name = Array.from(group, ([field, value]) => `${field}=${value}`).join(', ') || 'all events'
  return escapeControl(`${name} came to ${asked} at ${formatTimestamp(at)}${unseen.length === 0 ? '' : `, without ${unseen.join(', ')}`}`)
}

function formatTimestamp(at: number): string {
  return new Date(at).toISOString()
}
