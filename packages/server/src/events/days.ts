const dayMs = 86_400_000

/** The UTC day of an instant, as the name of its files: `2026-11-21`, with a sign and six digits for far years. */
export function dayOf(instant: number): string {
  return new Date(Math.floor(instant / dayMs) * dayMs).toISOString().split('T')[0] ?? ''
}

/** When a day ends: the first instant of the next. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + dayMs
}

/** The day of a segment's file; undefined for other files. */
export function dayOfFile(name: string): string | undefined {
  return /^((?:[+-]\d{6}|\d{4})-\d\d-\d\d)\.seg$/.exec(name)?.[1]
}
