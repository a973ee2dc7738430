import { getDayStart, toInstant, toLocalTime } from '@tripline/model/time/zoned-days'
import { Cron } from 'croner'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** A day of no meaning, from which schedules are tried. */
const triedAt = Date.UTC(2024, 0, 1)

/** What is wrong with the times of a schedule; undefined where it runs, at most once an hour. */
export function findCronProblem(cron: string): string | undefined {
  let runs: readonly Date[]
  try {
    runs = open(cron, 'UTC').nextRuns(3, new Date(triedAt))
  } catch {
    return "must have five fields, which are minute, hour, day, month and weekday, such as '0 8 * * 1' for Mondays at 08:00"
  }
  const [first] = runs
  if (first === undefined) return 'names a day that does not exist, so it would never run'
  // Two runs within an hour follow each other, so three runs show them.
  const isTooOften = runs.some((run, i) => i > 0 && run.getTime() - (runs[i - 1]?.getTime() ?? 0) < hourMs)
  return isTooOften ? 'must not run more than once an hour' : undefined
}

/**
 * The first instant after another at which a schedule runs by the clocks of a time zone. A time that a change of clocks skips
 * is made up for at the first instant after it; one that comes twice is used the first time. Undefined where there is none.
 */
export function findNextRun(cron: string, timezone: string, after: number): number | undefined {
  return open(cron, timezone).nextRun(new Date(after))?.getTime()
}

/** The last of the instants at which it ran or should have run from one that is due until another. */
export function findLastRun(cron: string, timezone: string, { dueAt, until }: { readonly dueAt: number; readonly until: number }): number {
  // Runs are at whole minutes, and before the instant that is given.
  const [last] = open(cron, timezone).previousRuns(1, new Date(until + 1_000))
  return Math.max(dueAt, last?.getTime() ?? dueAt)
}

/** Whole days, by the clocks of a time zone, before the day of a run. */
export function getDaysBefore(runAt: number, timezone: string, days: number): { readonly from: number; readonly to: number } {
  const to = getDayStart(runAt, timezone)
  return { from: toInstant(toLocalTime(to, timezone) - days * dayMs, timezone), to }
}

function open(cron: string, timezone: string): Cron {
  // Nicknames such as @daily and instants are no fields.
  if (cron.split(/\s+/).length !== 5) throw new Error('not five fields')
  return new Cron(cron, { timezone, mode: '5-part', paused: true })
}
