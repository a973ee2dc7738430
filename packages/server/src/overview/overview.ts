import type { Clock } from '@tripline/common/runtime'
import type { Alert } from '@tripline/model/alert'
import type { Connector } from '@tripline/model/connector'
import type { Filter } from '@tripline/model/lists/filter'
import type { CounterName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import { getDayStart } from '@tripline/model/time/zoned-days'
import type { AlertTimeCount, AnswerTimes } from '@tripline/state/ports/alert-store'
import type { LabelSum } from '@tripline/state/ports/metric-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { limits } from '../limits.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { countEvents, countsByDay, sumByLabel } from './count-series.ts'
import type { Period } from './count-series.ts'
import { countIncidents } from './count-incidents.ts'
import type { IncidentCounts } from './count-incidents.ts'

/** What the overview needs of the server. */
export type OverviewDeps = {
  readonly state: Pick<StateStore, 'alerts' | 'audit' | 'connectors' | 'findings' | 'incidents' | 'tenants'>
  readonly metrics: Pick<Metrics, 'recorder' | 'store'>
  readonly settingDefaults: TenantSettings
  readonly clock: Clock
  /** When a connector last had an event, of what is not stored yet too. */
  readonly getLastEventAt: (tenant: TenantId, connector: Connector) => Promise<number | undefined>
}

/** Something counted in a period, and in that of the same length before. */
export type Compared<Value> = { readonly current: Value; readonly previous: Value }

export type Overview = {
  readonly period: Period
  readonly timezone: string
  /** The beginnings of the days of the period; the first is that of the period. */
  readonly days: readonly number[]
  readonly alerts: Compared<readonly AlertTimeCount[]>
  readonly incidents: IncidentCounts
  readonly connectors: readonly Connector[]
  readonly silent: readonly { readonly connector: Connector; readonly lastEventAt: number | undefined }[]
  readonly events: Compared<number>
  /** Events of an hour. */
  readonly hour: Compared<number>
  readonly matches: Compared<readonly number[]>
  readonly alertsByDay: Compared<readonly number[]>
  readonly tactics: Compared<readonly LabelSum[]>
  readonly waiting: { readonly alerts: readonly Alert[]; readonly alertCount: number; readonly findingCount: number }
  readonly acknowledged: Compared<AnswerTimes>
  readonly closed: Compared<AnswerTimes>
  readonly rulesChanged: Compared<number>
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** Reads what happened to a tenant in a period, each figure with that of the period before. */
export async function getOverview(deps: OverviewDeps, tenant: TenantId, period: Period): Promise<Overview> {
  const { state, metrics, clock } = deps
  const { timezone } = resolveSettings(requireFound(await state.tenants.get(tenant), 'tenant'), deps.settingDefaults)
  await metrics.recorder.refresh(tenant)
  const before = { from: period.from - (period.to - period.from), to: period.from }
  const compare = async <Value>(read: (period: Period) => Promise<Value>): Promise<Compared<Value>> => {
    return { current: await read(period), previous: await read(before) }
  }
  const lastHour = { from: period.to - hourMs, to: period.to }
  const weekBefore = { from: lastHour.from - 7 * dayMs, to: lastHour.to - 7 * dayMs }
  const events = async (range: Period): Promise<number> => await countEvents(metrics.store, tenant, range)
  const days = listDays(period, timezone)
  const byDay = async (name: CounterName, range: Period): Promise<readonly number[]> => {
    return await countsByDay(metrics.store, tenant, name, { range, days: listDays(range, timezone) })
  }
  const connectors = await state.connectors.list(tenant)
  return {
    period, timezone, days, connectors,
    alerts: {
      current: await countAlerts(deps, tenant, [...days, period.to]), previous: await countAlerts(deps, tenant, [before.from, before.to]),
    },
    incidents: await countIncidents(state.incidents, tenant, { period, before }),
    silent: await findSilent(deps, tenant, connectors),
    events: await compare(events),
    hour: { current: await events(lastHour), previous: await events(weekBefore) },
    matches: await compare((range) => byDay('rules_matched', range)),
    alertsByDay: await compare((range) => byDay('alerts_generated', range)),
    tactics: await compare((range) => sumByLabel(metrics.store, tenant, 'tactic_alerts', range)),
    waiting: await readWaiting(deps, tenant, clock.now()),
    acknowledged: await compare((range) => state.alerts.answerTimes(tenant, 'acknowledged', range)),
    closed: await compare((range) => state.alerts.answerTimes(tenant, 'closed', range)),
    rulesChanged: await compare((range) => countRuleChanges(deps, tenant, range)),
  }
}

/** The beginnings of the local days of a period; the first is that of the period itself. */
function listDays({ from, to }: Period, timezone: string): readonly number[] {
  const days = [from]
  // Half a day past the next midnight is in the next day, whatever clocks are changed between.
  for (let day = getDayStart(getDayStart(from, timezone) + 1.5 * dayMs, timezone); day < to;) {
    days.push(day)
    day = getDayStart(day + 1.5 * dayMs, timezone)
  }
  return days
}

async function countAlerts(
  { state: { alerts } }: OverviewDeps, tenant: TenantId, edges: readonly number[],
): Promise<readonly AlertTimeCount[]> {
  return (await alerts.countOverTime(tenant, { where: [] }, { edges, signal: { aborted: false } })).counts
}

async function findSilent(deps: OverviewDeps, tenant: TenantId, connectors: readonly Connector[]): Promise<Overview['silent']> {
  const since = deps.clock.now() - dayMs
  const silent: Overview['silent'][number][] = []
  for (const connector of connectors.filter(({ isEnabled, createdAt }) => isEnabled && createdAt < since)) {
    const lastEventAt = await deps.getLastEventAt(tenant, connector)
    if (lastEventAt === undefined || lastEventAt < since) silent.push({ connector, lastEventAt })
  }
  return silent.toSorted((one, other) => (one.lastEventAt ?? 0) - (other.lastEventAt ?? 0)).slice(0, limits.overview.listedMax)
}

/** Alerts without a verdict, of the two highest severities, and findings past the date to remediate them. */
async function readWaiting({ state }: OverviewDeps, tenant: TenantId, now: number): Promise<Overview['waiting']> {
  const unanswered: readonly Filter[] = [
    { field: 'status', operator: 'in', value: ['open', 'in_progress'] },
    { field: 'verdict', operator: 'eq', value: 'unreviewed' },
  ]
  const { listedMax } = limits.overview
  const alerts: Alert[] = []
  let alertCount = 0
  // One severity after the other: sorted by severity, all alerts of both would be read where few of them wait.
  for (const severity of ['critical', 'high'] as const) {
    const where: readonly Filter[] = [{ field: 'severity', operator: 'eq', value: severity }, ...unanswered]
    const { entries, total } = await state.alerts.list(tenant, {
      where, order: [{ field: 'created_at', direction: 'desc' }], limit: listedMax,
    })
    alerts.push(...entries)
    alertCount += total.count
  }
  const overdue: readonly Filter[] = [
    { field: 'status', operator: 'eq', value: 'open' }, { field: 'due_at', operator: 'lt', value: now },
  ]
  const findings = await state.findings.list(tenant, { where: overdue, limit: 1 })
  return { alerts: alerts.slice(0, listedMax), alertCount, findingCount: findings.total.count }
}

async function countRuleChanges({ state: { audit } }: OverviewDeps, tenant: TenantId, { from, to }: Period): Promise<number> {
  const where: readonly Filter[] = [
    { field: 'at', operator: 'gte', value: from }, { field: 'at', operator: 'lt', value: to },
    { field: 'action', operator: 'in', value: ['rule.create', 'rule.update', 'rule.delete', 'rule.reset'] },
    { field: 'outcome', operator: 'eq', value: 'success' },
  ]
  return (await audit.list(tenant, { where, limit: 1 })).total.count
}
