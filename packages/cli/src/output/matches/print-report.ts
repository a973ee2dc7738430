import { escapeControl } from '../../framework/escape-control.ts'
import { limits } from '../../limits.ts'
import { listTechniques, printTime } from './describe-match.ts'
import type { DescribedMatch } from './describe-match.ts'
import type { NameTotal } from './match-totals.ts'
import type { MatchReport } from './match-report.ts'
import { paintLevel } from './paint.ts'

const bucketsMax = 24
const barWidth = 40

/** Prints the totals of a run for people: rules, hosts, users and time. */
export function printTotals({ totals, paint }: Pick<MatchReport, 'totals' | 'paint'>): string {
  if (totals.matchCount === 0) return `\n${paint('0 matches', 'bold')}\n`
  const { rules, hosts, users, firstAt, lastAt, matchCount } = totals
  const range = firstAt === undefined ? '' : `, ${printTime(firstAt)} to ${printTime(lastAt)}`
  const counts = [
    printCount(matchCount, 'match', 'matches'), printCount(rules.length, 'rule', 'rules'), printCount(hosts.length, 'host', 'hosts'),
  ]
  const times = totals.listTimes(bucketsMax)
  const most = Math.max(1, ...times.map(({ count }) => count))
  return [
    '',
    paint(`${counts.join(', ')}${range}`, 'bold'),
    ...rules.slice(0, limits.totalsShownMax).map(({ rule, count }) => {
      const level = paintLevel(paint, rule.level, (rule.level ?? '-').padEnd(13))
      return `${String(count).padStart(8)}  ${level}  ${escapeControl(rule.title)}  ${paint(escapeControl(rule.path), 'dim')}`
    }),
    ...printNames('hosts', hosts),
    ...printNames('users', users),
    ...(times.length < 2 ? [] : times.map(({ startsAt, count }) => {
      const bar = '#'.repeat(Math.ceil((count / most) * barWidth))
      return `${printTime(startsAt).slice(0, 16)}  ${String(count).padStart(6)}  ${bar}`.trimEnd()
    })),
  ].map((line) => `${line}\n`).join('')
}

/** Prints totals and matches as one JSON object. */
export function printJsonReport({ matches, totals, createdAt }: MatchReport): string {
  return `${JSON.stringify({
    created_at: printTime(createdAt),
    match_count: totals.matchCount,
    first_at: totals.firstAt === undefined ? null : printTime(totals.firstAt),
    last_at: totals.lastAt === undefined ? null : printTime(totals.lastAt),
    rules: totals.rules.map(({ rule, count, firstAt, lastAt }) => ({
      ...toRuleBody(rule), matches: count, first_at: printTime(firstAt) || null, last_at: printTime(lastAt) || null,
    })),
    hosts: totals.hosts,
    users: totals.users,
    times: totals.listTimes(bucketsMax).map(({ startsAt, count }) => ({ time: printTime(startsAt), count })),
    matches: matches.map(toMatchBody),
  }, undefined, 1)}\n`
}

function toRuleBody({ id, title, level, path, tags }: DescribedMatch['rule']): object {
  return { rule_id: id, title, level: level ?? null, rule_path: path, tags }
}

function toMatchBody({ at, place, rule, host, user, process, commandLine, sourceAddress, conditions, eventCount }: DescribedMatch): object {
  return {
    time: printTime(at) || null, line: place?.line ?? null, ...(place?.path !== undefined && { input: place.path }), ...toRuleBody(rule),
    attack: listTechniques(rule), host, user, process, command_line: commandLine, source_address: sourceAddress,
    matched_conditions: conditions, event_count: eventCount ?? 1,
  }
}

function printNames(kind: string, names: readonly NameTotal[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, limits.totalsShownMax / 5).map(({ name, count }) => `${name} ${count}`)
  return [`${kind}: ${escapeControl(shown.join(', '))}${names.length > shown.length ? `, and ${names.length - shown.length} more` : ''}`]
}

function printCount(number: number, one: string, several: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`
}
