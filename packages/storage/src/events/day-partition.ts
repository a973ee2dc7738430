const dayMs = 86_400_000

/** The last day returned: events arrive nearly in order of time. */
let last = { number: Number.NaN, name: '' }

/** The UTC day of an instant, as the name of its files: `2026-11-21`, with a sign and six digits for far years. */
export function getDay(instant: number): string {
  const number = Math.floor(instant / dayMs)
  if (number !== last.number) last = { number, name: new Date(number * dayMs).toISOString().split('T')[0] ?? '' }
  return last.name
}

/** The first instant of the UTC day of an instant. */
export function getStartOfDay(instant: number): number {
  return Math.floor(instant / dayMs) * dayMs
}

/** The end of a day: the first instant of the next. */
export function getEndOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + dayMs
}

/** The day of a segment's file or index; undefined for other files. */
function parseDayFileName(name: string): string | undefined {
  return /^((?:[+-]\d{6}|\d{4})-\d\d-\d\d)\.(?:seg|idx)$/.exec(name)?.[1]
}

/** The days of the files in a folder. */
export function listDays(names: readonly string[]): string[] {
  return [...new Set(names.map(parseDayFileName).filter((day) => day !== undefined))]
}
