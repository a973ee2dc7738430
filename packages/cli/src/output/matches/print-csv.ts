import { printCsvCell } from '@tripline/common/csv-cell'
import { listTechniques, printTime } from './describe-match.ts'
import type { DescribedMatch } from './describe-match.ts'

/** The columns of a table of matches, in their order. */
const columns: readonly (readonly [name: string, read: (match: DescribedMatch) => string])[] = [
  ['time', ({ at }) => printTime(at)],
  ['level', ({ rule }) => rule.level ?? ''],
  ['title', ({ rule }) => rule.title],
  ['rule_id', ({ rule }) => rule.id],
  ['rule_path', ({ rule }) => rule.path],
  ['attack', ({ rule }) => listTechniques(rule).join(' ')],
  ['host', ({ host }) => host],
  ['user', ({ user }) => user],
  ['process', ({ process }) => process],
  ['command_line', ({ commandLine }) => commandLine],
  ['source_address', ({ sourceAddress }) => sourceAddress],
  ['conditions', ({ conditions }) => conditions.join('; ')],
  ['events', ({ eventCount }) => String(eventCount ?? 1)],
  ['input', ({ place }) => place?.path ?? ''],
  ['line', ({ place }) => place === undefined ? '' : String(place.line)],
]

export function printCsvHead(): string {
  return `${columns.map(([name]) => name).join(',')}\n`
}

export function printCsvRow(match: DescribedMatch): string {
  return `${columns.map(([, read]) => printCsvCell(read(match))).join(',')}\n`
}
