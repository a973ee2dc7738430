import { catalogues } from '@tripline/compliance/catalogues/catalogues'
import type { AssetFinding } from '@tripline/model/assets/finding'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Incident } from '@tripline/model/incidents/incident'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { Coverage } from '@tripline/rule-tools'
import type { TenantList } from '@tripline/state/ports/list-query'
import type { StateStore } from '@tripline/state/ports/state-store'
import { getFramework } from '../compliance/compliance.ts'
import type { FrameworkState } from '../compliance/compliance.ts'
import { getOverview } from '../overview/overview.ts'
import type { Overview, OverviewDeps } from '../overview/overview.ts'
import { countAssets } from './count-assets.ts'
import type { AssetCounts } from './count-assets.ts'
import { limits } from './limits.ts'

/** What reports about a period read of the server. */
export type FigureDeps = Omit<OverviewDeps, 'state'> & {
  readonly state: StateStore
  /** Reads what the rules of a tenant cover of ATT&CK now, with tactics in the order of its matrix. */
  readonly readCoverage: (tenant: TenantId) => Promise<Coverage>
}

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

type OpenFinding = Pick<AssetFinding['vulnerability'], 'title' | 'severity'> & Pick<AssetFinding, 'dueAt'> & { readonly asset: string }

/** What the executive and the weekly report are made of. */
export type OverviewFigures = {
  readonly overview: Overview
  readonly top: TopCounts
  readonly openBySeverity: AssetCounts['openBySeverity']
  /** The worst findings that are open. */
  readonly worst: readonly OpenFinding[]
  /** Each framework at the end of the period, and at its beginning. */
  readonly frameworks: readonly { readonly current: FrameworkState; readonly previous: FrameworkState }[]
  /** What the rules cover of ATT&CK when the report is made. */
  readonly attack: Coverage
  /** Those that were opened in the period, newest first. */
  readonly incidents: readonly Incident[]
}

/** What the report about assets is made of. */
export type AssetFigures = Omit<AssetCounts, 'openBySeverity'> & {
  readonly at: number
  readonly timezone: string
  /** Those with the highest risk. */
  readonly riskiest: readonly Asset[]
  /** The worst findings that are open. */
  readonly worst: readonly OpenFinding[]
  readonly overdueCount: number
}

const { alertsCountedMax, topMax, rowsMax } = limits.reports
const scanFreshMs = 7 * 86_400_000
const isOpen: Filter = { field: 'status', operator: 'eq', value: 'open' }

/** Reads what the executive and the weekly report are made of. */
export async function readOverviewFigures(
  deps: FigureDeps, tenant: TenantId, { signal, ...period }: Period & { readonly signal: AbortSignal },
): Promise<OverviewFigures> {
  const { state } = deps
  const opened: readonly Filter[] = [
    { field: 'created_at', operator: 'gte', value: period.from }, { field: 'created_at', operator: 'lt', value: period.to },
  ]
  const newest = [{ field: 'created_at', direction: 'desc' }] as const
  const incidents = await state.incidents.list(tenant, { where: opened, order: newest, limit: rowsMax })
  return {
    overview: await getOverview(deps, tenant, period),
    top: await countTop(state, tenant, opened),
    openBySeverity: (await countAssets(state, tenant, { scannedSince: period.to - scanFreshMs, signal })).openBySeverity,
    worst: await listWorst(state, tenant, topMax),
    frameworks: await Promise.all(catalogues.map(async ({ token }) => ({
      current: await getFramework(deps, tenant, token, period.to - 1), previous: await getFramework(deps, tenant, token, period.from - 1),
    }))),
    attack: await deps.readCoverage(tenant),
    incidents: incidents.entries.filter(({ mergedInto }) => mergedInto === undefined),
  }
}

/** Reads what the report about assets is made of, as it is now. */
export async function readAssetFigures(
  { state, settingDefaults, clock }: FigureDeps, tenant: TenantId, signal: AbortSignal,
): Promise<AssetFigures> {
  const at = clock.now()
  const { timezone } = resolveSettings(await state.tenants.get(tenant) ?? { settings: {} }, settingDefaults)
  const riskiest = await state.assets.list(tenant, { order: [{ field: 'risk_score', direction: 'desc' }], limit: rowsMax })
  const { openBySeverity: _open, ...counts } = await countAssets(state, tenant, { scannedSince: at - scanFreshMs, signal })
  return {
    ...counts, at, timezone, riskiest: riskiest.entries, worst: await listWorst(state, tenant, rowsMax),
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

async function listWorst(
  { findings, assets }: Pick<StateStore, 'findings' | 'assets'>, tenant: TenantId, limit: number,
): Promise<readonly OpenFinding[]> {
  const order = [{ field: 'severity', direction: 'desc' }] as const
  const { entries } = await findings.list(tenant, { where: [isOpen], order, limit })
  return await Promise.all(entries.map(async ({ vulnerability: { title, severity }, assetId, dueAt }) => ({
    title, severity, dueAt, asset: (await assets.get(tenant, assetId))?.hostname ?? assetId,
  })))
}
