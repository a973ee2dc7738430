import { expect, test } from 'vitest'
import { findCronProblem, findLastRun, findNextRun, getDaysBefore } from './schedule-time.ts'

// Each instant was worked out by hand from the rules of the zone: its offset to UTC, and when its clocks change.
test.for<[title: string, cron: string, zone: string, after: string, runs: readonly string[]]>([
  ['no change of clocks', '0 9 * * 1-5', 'Asia/Seoul', '2026-11-27T12:00', ['2026-11-30T00:00', '2026-12-01T00:00', '2026-12-02T00:00']],
  ['half an hour off', '0 6 L * *', 'Asia/Kolkata', '2026-01-01T00:00', ['2026-01-31T00:30', '2026-02-28T00:30', '2026-03-31T00:30']],
  ['three quarters off', '15 7 1 * *', 'Asia/Kathmandu', '2026-01-15T00:00', ['2026-02-01T01:30', '2026-03-01T01:30']],
  ['a day ahead', '0 0 1 1 *', 'Pacific/Apia', '2026-06-01T00:00', ['2026-12-31T11:00', '2027-12-31T11:00']],
  ['a leap day', '0 8 29 2 *', 'UTC', '2026-03-01T00:00', ['2028-02-29T08:00', '2032-02-29T08:00']],
  ['a day of the month or of the week', '0 9 1 * 1', 'UTC', '2026-11-23T10:00', ['2026-11-30T09:00', '2026-12-01T09:00', '2026-12-07T09:00']],
  ['the second Tuesday', '0 7 * * 2#2', 'UTC', '2026-11-01T00:00', ['2026-11-10T07:00', '2026-12-08T07:00']],
  // Berlin: 02:00 becomes 03:00 at 01:00 UTC on 29 March; 03:00 becomes 02:00 at 01:00 UTC on 25 October.
  ['skipped', '30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00', ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']],
  ['twice', '30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
  ['twice, after the first', '30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30', ['2026-10-26T01:30']],
  ['twice, between the two', '30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10', ['2026-10-26T01:30']],
  ['beside both', '0 8 * * 1', 'Europe/Berlin', '2026-10-18T12:00', ['2026-10-19T06:00', '2026-10-26T07:00', '2026-11-02T07:00']],
  ['each hour of a short night', '0 * * * *', 'Europe/Berlin', '2026-03-28T23:30', ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00']],
  ['each hour of a long night', '0 * * * *', 'Europe/Berlin', '2026-10-24T23:30', ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00']],
  // London: 01:00 becomes 02:00 at 01:00 UTC on 29 March.
  ['skipped in London', '30 1 * * *', 'Europe/London', '2026-03-28T00:00', ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']],
  // New York: 02:00 becomes 03:00 at 07:00 UTC on 8 March; 02:00 becomes 01:00 at 06:00 UTC on 1 November.
  ['at the skipped hour', '0 2 * * *', 'America/New_York', '2026-03-07T00:00', ['2026-03-07T07:00', '2026-03-08T07:00', '2026-03-09T06:00']],
  ['twice in New York', '30 1 * * *', 'America/New_York', '2026-10-31T00:00', ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30']],
  // Santiago: midnight becomes 01:00 at 04:00 UTC on 6 September.
  ['a day without its midnight', '0 0 * * *', 'America/Santiago', '2026-09-05T00:00', ['2026-09-05T04:00', '2026-09-06T04:00', '2026-09-07T03:00']],
  // Lord Howe changes by half an hour: 02:00 becomes 02:30 at 15:30 UTC on 3 October; 02:00 becomes 01:30 at 15:00 UTC on 4 April.
  ['skipped by half an hour', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T00:00', ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15']],
  ['twice by half an hour', '45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T00:00', ['2026-04-03T14:45', '2026-04-04T14:45', '2026-04-05T15:15']],
])('%s: %s in %s after %s', ([, cron, zone, after, runs]) => {
  let at = instant(after)
  const found = runs.map(() => print(at = findNextRun(cron, zone, at) ?? Number.NaN))
  expect(found).toEqual(runs)
})

test.for<[title: string, cron: string, zone: string, due: string, until: string, last: string]>([
  ['nothing missed', '0 8 * * *', 'Europe/Berlin', '2026-10-23T06:00', '2026-10-23T06:00', '2026-10-23T06:00'],
  ['three days, over the end of summer time', '0 8 * * *', 'Europe/Berlin', '2026-10-23T06:00', '2026-10-26T12:00', '2026-10-26T07:00'],
  ['up just before a skipped time is made up for', '30 2 * * *', 'Europe/Berlin', '2026-03-28T01:30', '2026-03-29T00:59', '2026-03-28T01:30'],
  ['up at that instant', '30 2 * * *', 'Europe/Berlin', '2026-03-28T01:30', '2026-03-29T01:00', '2026-03-29T01:00'],
  ['up between the two', '30 2 * * *', 'Europe/Berlin', '2026-10-24T00:30', '2026-10-25T00:45', '2026-10-25T00:30'],
  ['up after the second', '30 2 * * *', 'Europe/Berlin', '2026-10-24T00:30', '2026-10-25T01:45', '2026-10-25T00:30'],
  ['a year', '0 0 1 * *', 'UTC', '2025-12-01T00:00', '2026-11-20T10:00', '2026-11-01T00:00'],
  ['ten years of hours', '0 * * * *', 'America/New_York', '2016-11-20T10:00', '2026-11-20T10:59', '2026-11-20T10:00'],
  ['a zone a day ahead', '0 0 * * *', 'Pacific/Apia', '2026-11-17T11:00', '2026-11-19T10:59', '2026-11-18T11:00'],
])('the last run of a downtime, %s', ([, cron, zone, due, until, last]) => {
  expect(print(findLastRun(cron, zone, { dueAt: instant(due), until: instant(until) }))).toBe(last)
})

test.for<[days: number, zone: string, run: string, from: string, to: string]>([
  [7, 'UTC', '2026-11-23T08:00', '2026-11-16T00:00', '2026-11-23T00:00'],
  // Midnight of Berlin is at 22:00 UTC in summer, at 23:00 in winter.
  [7, 'Europe/Berlin', '2026-10-26T07:00', '2026-10-18T22:00', '2026-10-25T23:00'],
  [1, 'Europe/Berlin', '2026-03-30T00:30', '2026-03-28T23:00', '2026-03-29T22:00'],
  [30, 'Asia/Seoul', '2026-11-30T15:00', '2026-10-31T15:00', '2026-11-30T15:00'],
  // The day begins at 01:00 where the clocks skip its midnight.
  [1, 'America/Santiago', '2026-09-07T11:00', '2026-09-06T04:00', '2026-09-07T03:00'],
])('%i days before a run in %s at %s', ([days, zone, run, from, to]) => {
  const range = getDaysBefore(instant(run), zone, days)
  expect([print(range.from), print(range.to)]).toEqual([from, to])
})

test.for<[cron: string, problem: RegExp]>([
  ['', /five fields/], ['8 * * 1', /five fields/], ['0 0 8 * * 1', /five fields/], ['0 25 * * *', /five fields/], ['@daily', /five fields/],
  ['0 8 * * mon tue', /five fields/], ['2026-11-20T10:00:00', /five fields/], ['0 0 30 2 *', /never run/], ['*/30 * * * *', /once an hour/],
  ['* 8 * * 1', /once an hour/], ['0,59 8 1 1 *', /once an hour/],
])("'%s' is refused", ([cron, problem]) => {
  expect(findCronProblem(cron)).toMatch(problem)
})

test.for(['0 * * * *', '0 8 * * MON', '30 6 1,15 * *', '0 7 * * 5L', '0 0 29 2 *'])("'%s' is taken", (cron) => {
  expect(findCronProblem(cron)).toBeUndefined()
})

/** An instant in UTC, to the minute. */
function instant(text: string): number {
  return Date.parse(`${text}Z`)
}

function print(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)
}
