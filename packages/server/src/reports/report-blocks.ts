import type { ReportLanguage } from '@tripline/model/report'
import { limits } from './limits.ts'
import type { ReportBlock } from './report.ts'
import type { Words } from './report-words.ts'

const { countedExactlyMax } = limits.reports

export const severityColors = {
  critical: '#a40e26', high: '#cf222e', medium: '#bf8700', low: '#0969da', informational: '#8c959f',
} as const

/** A table; a sentence in its place where it would have no row. */
export function tableOrNothing(
  columns: readonly (readonly [title: string, share: number])[], rows: readonly (readonly string[])[], word: Words,
): ReportBlock {
  if (rows.length === 0) return { kind: 'text', text: word('nothing') }
  return { kind: 'table', columns: columns.map(([title, share]) => ({ title, share })), rows }
}

/** A count with the one of the period before. */
export function printCompared(current: number, previous: number, word: Words, language: ReportLanguage): string {
  return `${printCount(current, language)} (${word('before')} ${printCount(previous, language)})`
}

export function printCount(count: number, language: ReportLanguage): string {
  return new Intl.NumberFormat(language).format(count)
}

/** The total of a list, which counts exactly up to a number. */
export function printListCount(count: number, language: ReportLanguage): string {
  return count < countedExactlyMax ? printCount(count, language) : `${printCount(countedExactlyMax, language)}+`
}

/** A mean of durations, to the minute; a dash where nothing was measured. */
export function printDuration(ms: number | undefined, language: ReportLanguage): string {
  if (ms === undefined) return '-'
  const minutes = Math.round(ms / 60_000)
  const [unitOfHours, unitOfMinutes] = language === 'ko' ? ['시간', '분'] : ['h', 'min']
  return minutes < 60 ? `${minutes} ${unitOfMinutes}` : `${Math.floor(minutes / 60)} ${unitOfHours} ${minutes % 60} ${unitOfMinutes}`
}

/** The day and minute of an instant in a time zone; a dash where there is none. */
export function printLocal(at: number | undefined, timezone: string): string {
  if (at === undefined) return '-'
  const options = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  // The Swedish form of dates is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, ...options }).format(at)
}
