import type { OverviewBody } from '@tripline/contract/console/overview'
import type { Level } from '@tripline/engine'
import type { ConnectorStatus } from '@tripline/model/connector'
import { consoleLevels } from '@tripline/model/level'
import type { AlertTimeCount } from '@tripline/state/ports/alert-store'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import type { Compared, Overview } from '../../overview/overview.ts'

type BySeverity = OverviewBody['alert_volume']['by_severity']

/** Prints an overview. */
export function printTenantOverview(overview: Overview): Omit<OverviewBody, 'query_warnings'> {
  const { period, timezone, days, alerts, incidents, matches, alertsByDay, waiting, acknowledged, closed, rulesChanged } = overview
  return {
    from: formatTimestamp(period.from), to: formatTimestamp(period.to), timezone,
    alert_volume: {
      total: sumCounts(alerts.current), previous: sumCounts(alerts.previous), by_severity: countBySeverity(alerts.current),
      days: days.map((day, span) => {
        return { time: formatTimestamp(day), ...countBySeverity(alerts.current.filter((count) => count.span === span)) }
      }),
    },
    active_incidents: {
      total: incidents.activeLevels.length, previous: incidents.activeBefore,
      by_severity: countBySeverity(incidents.activeLevels.map((level) => ({ level, count: 1 }))),
    },
    ingestion_health: printIngestion(overview),
    detection_trend: {
      matches: sumDays(matches), alerts: sumDays(alertsByDay), tactics: printTactics(overview.tactics),
      days: days.map((day, index) => {
        return { time: formatTimestamp(day), matches: matches.current[index] ?? 0, alerts: alertsByDay.current[index] ?? 0 }
      }),
    },
    waiting_for_you: {
      alerts: waiting.alertCount, overdue_findings: waiting.findingCount,
      worst: waiting.alerts.map(({ id, ruleTitle: title, level, event: { host }, createdAt }) => {
        return { id, title, severity: consoleLevels[level], host, created_at: formatTimestamp(createdAt) }
      }),
    },
    mtta: printAnswerTime(acknowledged), mttr: printAnswerTime(closed),
    provider_actions: {
      alerts_acknowledged: { total: acknowledged.current.count, previous: acknowledged.previous.count },
      alerts_closed: { total: closed.current.count, previous: closed.previous.count },
      incidents_opened: toTotal(incidents.opened), incidents_closed: toTotal(incidents.closed), rules_changed: toTotal(rulesChanged),
    },
  }
}

function printIngestion({ connectors, events, hour, silent }: Overview): OverviewBody['ingestion_health'] {
  const counts: { [status in ConnectorStatus]: number } = { pending: 0, healthy: 0, degraded: 0, unhealthy: 0, disabled: 0 }
  for (const { health } of connectors) counts[health.status]++
  return {
    connectors: counts, events: toTotal(events),
    events_per_second: toRate(hour.current), events_per_second_week_before: toRate(hour.previous),
    silent: silent.map(({ connector: { id, name }, lastEventAt }) => ({ id, name, last_event_at: formatTimestamp(lastEventAt) })),
  }
}

function printTactics({ current, previous }: Overview['tactics']): OverviewBody['detection_trend']['tactics'] {
  const before = new Map(previous.map(({ label, sum }) => [label, sum]))
  const named = current.filter(({ label }) => label !== '')
  return named.map(({ label, sum }) => ({ tactic: label, total: sum, previous: before.get(label) ?? 0 }))
}

function printAnswerTime({ current, previous }: Overview['closed']): OverviewBody['mtta'] {
  return { seconds: toSeconds(current.meanMs), previous_seconds: toSeconds(previous.meanMs), count: current.count }
}

function countBySeverity(counts: readonly { readonly level: Level; readonly count: number }[]): BySeverity {
  const sums = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { level, count } of counts) sums[consoleLevels[level]] += count
  return sums
}

function sumDays({ current, previous }: Compared<readonly number[]>): { total: number; previous: number } {
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  return { total: sum(current), previous: sum(previous) }
}

function sumCounts(counts: readonly AlertTimeCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

function toTotal({ current, previous }: Compared<number>): { total: number; previous: number } {
  return { total: current, previous }
}

function toSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms / 1_000)
}

/** Events by second of an hour, to a thousandth. */
function toRate(events: number): number {
  return Math.round(events / 3.6) / 1_000
}
