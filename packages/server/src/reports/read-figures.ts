import { catalogues } from '@tripline/compliance/catalogues/catalogues'
import { findingSeverities } from '@tripline/model/assets/finding'
import type { AssetFinding } from '@tripline/model/assets/finding'
import { riskLevels } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Incident } from '@tripline/model/incidents/incident'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantList } from '@tripline/state/ports/list-query'
import type { StateStore } from '@tripline/state/ports/state-store'
import { getFramework } from '../compliance/compliance.ts'
import type { FrameworkState } from '../compliance/compliance.ts'
import { getOverview } from '../overview/overview.ts'
import type { Overview, OverviewDeps } from '../overview/overview.ts'
import { limits } from './limits.ts'

/** What reports about a period read of the server. */
export type FigureDeps = Omit<OverviewDeps, 'state'> & { readonly state: StateStore }

type Period = { readonly from: number; readonly to: number }
type LabelCount = { readonly label: string; readonly count: number }

/** The rules, hosts and users with most alerts. */
export type TopCounts = {
  readonly rules: readonly LabelCount[]
  readonly hosts: readonly LabelCount[]
  readonly users: readonly LabelCount[]
  /** How many of the newest alerts were counted, where there were more. */
  readonly countedOf: number | undefined
}

/** Findings that are open, and the worst of them. */
type OpenRisks = {
  readonly openBySeverity: { readonly [severity in AssetFinding['vulnerability']['severity']]: number }
  readonly worst: readonly OpenFinding[]
}

type OpenFinding = Pick<AssetFinding['vulnerability'], 'title' | 'severity'> & Pick<AssetFinding, 'dueAt'> & { readonly asset: string }

/** What the executive and the weekly report are made of. */
export type OverviewFigures = {
  readonly overview: Overview
  readonly top: TopCounts
  readonly risks: OpenRisks
  /** Each framework at the end of the period, and at its beginning. */
  readonly frameworks: readonly { readonly current: FrameworkState; readonly previous: FrameworkState }[]
  /** Those that were opened in the period, newest first. */
  readonly incidents: readonly Incident[]
}

/** What the report about assets is made of. */
export type AssetFigures = {
  readonly at: number
  readonly timezone: string
  readonly total: number
  readonly byRisk: { readonly [level in (typeof riskLevels)[number]]: number }
  readonly scannedCount: number
  readonly ownedCount: number
  /** Those with the highest risk. */
  readonly riskiest: readonly Asset[]
  readonly risks: OpenRisks
  readonly overdueCount: number
}

const { alertsCountedMax, topMax, rowsMax } = limits.reports
const scanFreshMs = 7 * 86_400_000
const isOpen: Filter = { field: 'status', operator: 'eq', value: 'open' }

/** Reads what the executive and the weekly report are made of. */
export async function readOverviewFigures(deps: FigureDeps, tenant: TenantId, period: Period): Promise<OverviewFigures> {
  const { state } = deps
  const opened: readonly Filter[] = [
    { field: 'created_at', operator: 'gte', value: period.from }, { field: 'created_at', operator: 'lt', value: period.to },
  ]
  const newest = [{ field: 'created_at', direction: 'desc' }] as const
  const incidents = await state.incidents.list(tenant, { where: opened, order: newest, limit: rowsMax })
  return {
    overview: await getOverview(deps, tenant, period),
    top: await countTop(state, tenant, opened),
    risks: await readRisks(state, tenant, topMax),
    frameworks: await Promise.all(catalogues.map(async ({ token }) => ({
      current: await getFramework(deps, tenant, token, period.to - 1), previous: await getFramework(deps, tenant, token, period.from - 1),
    }))),
    incidents: incidents.entries.filter(({ mergedInto }) => mergedInto === undefined),
  }
}

/** Reads what the report about assets is made of, as it is now. */
export async function readAssetFigures(
  { state, settingDefaults, clock }: FigureDeps, tenant: TenantId, signal: AbortSignal,
): Promise<AssetFigures> {
  const at = clock.now()
  const { timezone } = resolveSettings(await state.tenants.get(tenant) ?? { settings: {} }, settingDefaults)
  const count = async (...where: readonly Filter[]): Promise<number> => await countEntries(state.assets, tenant, where)
  const countLevel = (level: string): Promise<number> => count({ field: 'risk_level', operator: 'eq', value: level })
  const byRisk = await Promise.all(riskLevels.map(async (level) => [level, await countLevel(level)]))
  let ownedCount = 0
  for await (const chunk of state.assets.scan(tenant, {}, { signal })) ownedCount += chunk.filter(({ owner }) => owner !== '').length
  const riskiest = await state.assets.list(tenant, { order: [{ field: 'risk_score', direction: 'desc' }], limit: rowsMax })
  return {
    at, timezone, total: await count(), byRisk: Object.fromEntries(byRisk) as AssetFigures['byRisk'], ownedCount,
    scannedCount: await count({ field: 'last_scan_at', operator: 'gte', value: at - scanFreshMs }),
    riskiest: riskiest.entries, risks: await readRisks(state, tenant, rowsMax),
    overdueCount: await countEntries(state.findings, tenant, [isOpen, { field: 'due_at', operator: 'lt', value: at }]),
  }
}

async function countEntries(list: TenantList<unknown>, tenant: TenantId, where: readonly Filter[]): Promise<number> {
  return (await list.list(tenant, { where, limit: 1 })).total.count
}

async function countTop({ alerts }: Pick<StateStore, 'alerts'>, tenant: TenantId, where: readonly Filter[]): Promise<TopCounts> {
  const newest = await alerts.newest(tenant, { where }, { limit: alertsCountedMax })
  const top = (getLabel: (alert: (typeof newest)[number]) => string): readonly LabelCount[] => {
    const counts = new Map<string, number>()
    for (const alert of newest) {
      const label = getLabel(alert)
      if (label !== '') counts.set(label, (counts.get(label) ?? 0) + 1)
    }
    const all = [...counts].map(([label, count]) => ({ label, count }))
    return all.sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1)).slice(0, topMax)
  }
  return {
    rules: top(({ ruleTitle }) => ruleTitle), hosts: top(({ host }) => host), users: top(({ user }) => user),
    countedOf: newest.length < alertsCountedMax ? undefined : newest.length,
  }
}

async function readRisks(
  { findings, assets }: Pick<StateStore, 'findings' | 'assets'>, tenant: TenantId, limit: number,
): Promise<OpenRisks> {
  const counts = await Promise.all(findingSeverities.map(async (severity) =>
    [severity, await countEntries(findings, tenant, [isOpen, { field: 'severity', operator: 'eq', value: severity }])]))
  const order = [{ field: 'severity', direction: 'desc' }] as const
  const { entries } = await findings.list(tenant, { where: [isOpen], order, limit })
  const worst = await Promise.all(entries.map(async ({ vulnerability: { title, severity }, assetId, dueAt }) => ({
    title, severity, dueAt, asset: (await assets.get(tenant, assetId))?.hostname ?? assetId,
  })))
  return { openBySeverity: Object.fromEntries(counts) as OpenRisks['openBySeverity'], worst }
}
