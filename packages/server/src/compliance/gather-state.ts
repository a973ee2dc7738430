import type { Evidence, PlatformSnapshot, ReadingName, Readings } from '@tripline/compliance/signals/snapshot'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { RuleHealth } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import { createHash } from 'node:crypto'
import { countRules } from './count-rules.ts'
import type { GatherTerms } from './gather-terms.ts'
import { readAccess } from './read-access.ts'
import { readAssets } from './read-assets.ts'
import { readAcknowledgement, readClocks, readIncidents, readNotifications, readSubjectRequests } from './read-work.ts'

/** What an assessment reads. */
type PlatformDeps = {
  readonly state: StateStore
  /** The time of the oldest stored event of a tenant; undefined without events. */
  readonly getOldestEventAt: (tenant: TenantId) => Promise<number | undefined>
  readonly getRules: (tenant: TenantId) => Promise<TenantRules>
  readonly getRuleProgress: (tenant: TenantId) => Promise<{
    readonly progress: ReadonlyMap<string, RuleHealth>
    readonly degraded: ReadonlySet<string>
  }>
  readonly settingDefaults: TenantSettings
}

/** Where an administrator finds what each reading counted. */
const sources: { readonly [Name in ReadingName]: string } = {
  logCoverage: '/v1/assets', sourceClasses: '/v1/detection/rules', retention: '/v1/settings', auditTrail: '/v1/audit/verify',
  clocks: '/v1/collectors', detection: '/v1/detection/rules', pipelineGaps: '/v1/pipeline/metrics/timeseries',
  acknowledgement: '/v1/alerts',
  incidents: '/v1/incidents', scans: '/v1/assets', malware: '/v1/detection/rules', access: '/v1/users',
  notifications: '/v1/notifications',
  subjectRequests: '/v1/dsr', inventory: '/v1/assets',
}

type Gathered = { readonly [Name in ReadingName]?: Readings[Name] | undefined }

/**
 * Reads the state of a tenant's platform, each reading with its evidence: where to look, when, and a hash of what was read.
 */
export async function gatherState(deps: PlatformDeps, tenant: TenantId, terms: GatherTerms): Promise<PlatformSnapshot> {
  const { at } = terms
  const [assets, rules] = [
    await readAssets(deps.state, tenant, terms), countRules(await deps.getRules(tenant), await deps.getRuleProgress(tenant)),
  ]
  const gathered: Gathered = {
    ...assets, ...rules,
    retention: await readRetention(deps, tenant, at),
    auditTrail: await readAuditTrail(deps, tenant, at),
    pipelineGaps: await readPipelineGaps(deps, tenant, terms),
    acknowledgement: await readAcknowledgement(deps.state, tenant, terms),
    incidents: await readIncidents(deps.state, tenant, terms),
    access: await readAccess(deps.state, tenant, at),
    notifications: await readNotifications(deps.state, tenant),
    subjectRequests: await readSubjectRequests(deps.state, tenant, terms),
    clocks: await readClocks(deps.state, tenant, terms),
  }
  const names = Object.keys(gathered) as ReadingName[]
  const readings = names.filter((name) => gathered[name] !== undefined).map((name) => {
    return [name, { data: gathered[name], evidence: [prove(name, gathered[name], at)] }]
  })
  return { at, readings: Object.fromEntries(readings) }
}

function prove(name: ReadingName, data: unknown, at: number): Evidence {
  return { kind: name, ref: sources[name], at, sha256: createHash('sha256').update(printCanonically(data)).digest('hex') }
}

/** JSON with sorted names, so that the same data has the same hash. */
export function printCanonically(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value)
}

async function readRetention({ state, getOldestEventAt, settingDefaults }: PlatformDeps, tenant: TenantId, at: number) {
  const stored = await state.tenants.get(tenant)
  const { eventsRetentionDays: keptDays } = resolveSettings({ settings: stored?.settings ?? {} }, settingDefaults)
  const oldestEventAt = await getOldestEventAt(tenant)
  // Hours are kept longer than events: the first one tells when events began to come.
  const hours = await state.metrics.series(tenant, { name: 'events_accepted', resolution: 'hour', from: 0, to: at })
  return { keptDays, oldestEventAt, firstEventAt: hours[0]?.startsAt }
}

async function readAuditTrail({ state }: PlatformDeps, tenant: TenantId, at: number) {
  const { entryCount, brokenAt } = await state.audit.verify(tenant)
  return { isIntact: brokenAt === undefined, entries: entryCount, verifiedAt: at }
}

/** Counts hours in which events were accepted and none was evaluated, of the hours since the first event. */
async function readPipelineGaps({ state }: PlatformDeps, tenant: TenantId, { from, to }: GatherTerms) {
  const read = async (name: 'events_accepted' | 'events_evaluated') =>
    await state.metrics.series(tenant, { name, resolution: 'hour', from, to })
  const [accepted, evaluated] = [await read('events_accepted'), new Set((await read('events_evaluated')).map(({ startsAt }) => startsAt))]
  const [first] = accepted
  if (first === undefined) return { observedMinutes: 0, gapMinutes: 0 }
  const gaps = accepted.filter(({ startsAt, value }) => value > 0 && !evaluated.has(startsAt))
  return { observedMinutes: Math.floor((to - first.startsAt) / 60_000), gapMinutes: 60 * gaps.length }
}
