import type { Level } from '@tripline/engine'
import type { Context } from '../../framework/context.ts'
import { escapeControl } from '../../framework/escape-control.ts'
import { limits } from '../../limits.ts'
import { describeCorrelation, describeMatch, listTechniques, printTime } from './describe-match.ts'
import type { DescribedMatch } from './describe-match.ts'
import { MatchTotals } from './match-totals.ts'
import type { MatchReport } from './match-report.ts'
import { createPaint, paintLevel } from './paint.ts'
import type { Paint } from './paint.ts'
import { printCsvHead, printCsvRow } from './print-csv.ts'
import { printHtml } from './print-html.ts'
import { printCorrelationLine, printMatchLine } from './print-match-line.ts'
import type { LocatedCorrelation, LocatedMatch } from './print-match-line.ts'
import { printFinding } from './print-ocsf.ts'
import { printMatchesSarif } from './print-matches-sarif.ts'
import { printJsonReport, printTotals } from './print-report.ts'

/** Prints matches as they come, and what is left at the end. */
export type MatchWriter = {
  readonly head: string
  readonly match: (match: LocatedMatch) => string
  readonly correlation: (match: LocatedCorrelation) => string
  readonly end: () => string
}

/** What a format prints; described matches come in the order of the input. */
type DescribedWriter = {
  readonly head?: string
  readonly row?: (match: DescribedMatch) => string
  readonly end?: (report: MatchReport) => string
}

/** The formats of matches that `--output` takes. */
const writers = {
  ndjson: undefined,
  table: (paint) => ({ head: printTableHead(paint), row: (match) => printTableRow(match, paint), end: printTotals }),
  timeline: (paint) => ({
    end: (report) => report.matches.map((match) => printTimelineEntry(match, paint)).join('') + printTotals(report),
  }),
  csv: () => ({ head: printCsvHead(), row: printCsvRow }),
  json: () => ({ end: printJsonReport }),
  html: () => ({ end: printHtml }),
  ocsf: (_, now) => ({ row: (match) => `${JSON.stringify(printFinding(match, now))}\n` }),
  sarif: () => ({ end: printMatchesSarif }),
  none: undefined,
} as const satisfies { readonly [output: string]: ((paint: Paint, now: number) => DescribedWriter) | undefined }
export type MatchOutput = keyof typeof writers

export const matchOutputs = Object.keys(writers) as readonly MatchOutput[]

/** Whether a format describes events, and so needs their texts. */
export function describesEvents(output: MatchOutput): boolean {
  return writers[output] !== undefined
}

/** Makes the writer of a format. */
export function createMatchWriter(
  output: MatchOutput, includesEvent: boolean, context: Pick<Context, 'stdoutIsTty' | 'environment' | 'wallClock'>,
): MatchWriter {
  const create = writers[output]
  if (create === undefined) {
    if (output === 'none') return { head: '', match: () => '', correlation: () => '', end: () => '' }
    return { head: '', match: (match) => printMatchLine(match, includesEvent), correlation: printCorrelationLine, end: () => '' }
  }
  const paint = createPaint(context)
  const createdAt = context.wallClock()
  const { head = '', row, end }: DescribedWriter = create(paint, createdAt)
  const totals = new MatchTotals()
  const matches: DescribedMatch[] = []
  const add = (match: DescribedMatch): string => {
    totals.add(match)
    if (row !== undefined) return row(match)
    if (matches.length < limits.reportedMatchesMax) matches.push(match)
    return ''
  }
  return {
    head,
    match: (match) => add(describeMatch(match)),
    correlation: (match) => add(describeCorrelation(match)),
    end: () => end?.({ matches: matches.toSorted(compareTimes), totals, paint, createdAt }) ?? '',
  }
}

/** Matches without a time come last. */
function compareTimes(a: DescribedMatch, b: DescribedMatch): number {
  return (a.at ?? Infinity) - (b.at ?? Infinity) || 0
}

// Fixed widths, so that rows can be printed as they come.
const columns = { line: 8, time: 20, level: 13, host: 16, user: 16, title: 40, attack: 12 } as const

function printTableHead(paint: Paint): string {
  const row = {
    line: 'LINE', time: 'TIME', level: 'LEVEL', host: 'HOST', user: 'USER', title: 'TITLE', attack: 'ATT&CK', conditions: 'CONDITIONS',
  }
  return `${paint(formatRow(row, undefined, (text) => text).trimEnd(), 'bold')}\n`
}

function printTableRow(match: DescribedMatch, paint: Paint): string {
  const { at, place, rule, host, user, conditions } = match
  const row = {
    line: place === undefined ? '-' : place.path === undefined ? String(place.line) : `${escapeControl(place.path)}:${place.line}`,
    time: at === undefined ? '-' : printTime(at).replace(/\.\d+Z$/, 'Z'),
    level: rule.level ?? '-',
    host: escapeControl(host === '' ? '-' : host),
    user: escapeControl(user === '' ? '-' : user),
    title: escapeControl(rule.title),
    attack: escapeControl(listTechniques(rule).join(' ') || '-'),
    conditions: conditions.map(escapeControl).join('; '),
  }
  return `${formatRow(row, rule.level, paint).trimEnd()}\n`
}

type TableRow = { readonly [column in keyof typeof columns | 'conditions']: string }

function formatRow(row: TableRow, severity: Level | undefined, paint: Paint): string {
  const { line, time, level, host, user, title, attack, conditions } = row
  return [
    line.padStart(columns.line), formatCell(time, columns.time), paintLevel(paint, severity, formatCell(level, columns.level)),
    formatCell(host, columns.host), formatCell(user, columns.user), formatCell(title, columns.title), formatCell(attack, columns.attack),
    conditions,
  ].join('  ')
}

/** Pads or cuts a text to a width in characters. */
function formatCell(text: string, width: number): string {
  const characters = [...text]
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`
  return text + ' '.repeat(width - characters.length)
}

/** `time  level  host  user`, and below it what happened. */
function printTimelineEntry({ at, rule, host, user, process, commandLine, conditions, place }: DescribedMatch, paint: Paint): string {
  const shown = commandLine === '' ? process : commandLine
  const level = paintLevel(paint, rule.level, (rule.level ?? '-').padEnd(columns.level))
  const where = place === undefined ? '' : `${place.path === undefined ? 'line' : escapeControl(place.path)} ${place.line}`
  return [
    `${paint(at === undefined ? 'no time' : printTime(at), 'bold')}  ${level}  `
      + escapeControl([rule.title, ...[host, user].filter((text) => text !== '')].join('  ')),
    ...(shown === '' ? [] : [`    ${escapeControl(shown)}`]),
    `    ${paint(escapeControl([...conditions, ...listTechniques(rule), where].filter((text) => text !== '').join('; ')), 'dim')}`,
  ].map((line) => `${line}\n`).join('')
}
