import { isJsonObject } from '@tripline/common/json'
import type { Level } from '@tripline/engine'
import { apiProfiles } from './access/api-key.ts'
import type { ApiProfile } from './access/api-key.ts'
import { isRole } from './access/permission.ts'
import type { RoleMappingEntry } from './access/role-mapping.ts'
import { groupingDefault } from './incidents/grouping.ts'
import type { IncidentGrouping } from './incidents/grouping.ts'
import { entityKinds } from './incidents/incident-facts.ts'
import { levelRank } from './level.ts'
import { noTargets } from './incidents/response-targets.ts'
import type { ResponseTargets } from './incidents/response-targets.ts'
import type { Tenant } from './tenant.ts'

/** Plans of tenants; the public API calls `mdr` and `custom` Standard and Enterprise. */
const plans = ['free', 'mdr', 'pro', 'custom'] as const
export type Plan = (typeof plans)[number]

/** Whether a plan has sources of a type: the plan `free` has no vulnerability scanner. */
export function hasSourceType(plan: Plan, type: string): boolean {
  return plan !== 'free' || type !== 'vulnerability_scanner'
}

/** Settings of a tenant. */
export type TenantSettings = {
  readonly plan: Plan
  /** An IANA time zone, for days, weeks and schedules. */
  readonly timezone: string
  /** Retention in days. */
  readonly eventsRetentionDays: number
  readonly alertsRetentionDays: number
  readonly auditRetentionDays: number
  /** Matches below this level create no alert. */
  readonly minAlertLevel: Level
  /** Matches of the same rule, host and user within this time are added to one alert; 0 for one alert each. */
  readonly dedupMinutes: number
  /** Mapping of external groups to roles; the first match counts. */
  readonly roleMapping: readonly RoleMappingEntry[]
  /** Whether users need a second factor. */
  readonly mfa: 'off' | 'required'
  /** Minutes after which an unused session ends, and hours after which every session does. */
  readonly sessionIdleMinutes: number
  readonly sessionLifetimeHours: number
  /** Whether API keys without expiry are allowed. */
  readonly allowsEndlessApiKeys: boolean
  /** Default response profile of API keys. */
  readonly defaultApiProfile: Exclude<ApiProfile, 'auto'>
  /** Requests per minute to the integration API on the plan `custom`. */
  readonly apiRequestsPerMinute: number
  /** Special-purpose networks that outbound requests may reach; set by platform operators, never by the tenant. */
  readonly egressAllowCidrs: readonly string[]
  /** Domains of the tenant, in lower case: their subdomains are looked for in events. */
  readonly ownDomains: readonly string[]
  /** Networks of the tenant: addresses in them are no reason to group alerts. */
  readonly ownNetworks: readonly string[]
  /** How alerts become incidents by themselves. */
  readonly incidentGrouping: IncidentGrouping | 'off'
  /** When alerts and incidents are due. */
  readonly responseTargets: ResponseTargets
  /** Whether incidents are closed only with a resolution note. */
  readonly requiresCloseNote: boolean
  /** Mappings of events, valid when they were set. */
  readonly eventMappings: readonly EventMappingText[]
}

/** A mapping file, for the events of one connector or collector, or for all events of the tenant after those of their source. */
export type EventMappingText = { readonly sourceId: string | null; readonly text: string }

export type TenantSettingName = keyof TenantSettings

/** Default settings. A self-hosted server has the widest plan. */
export const settingDefaults: TenantSettings = {
  plan: 'custom',
  timezone: 'UTC',
  eventsRetentionDays: 30,
  alertsRetentionDays: 400,
  auditRetentionDays: 400,
  minAlertLevel: 'low',
  dedupMinutes: 60,
  roleMapping: [],
  mfa: 'off',
  sessionIdleMinutes: 720,
  sessionLifetimeHours: 168,
  allowsEndlessApiKeys: false,
  defaultApiProfile: 'b',
  apiRequestsPerMinute: 5_000,
  egressAllowCidrs: [],
  ownDomains: [],
  ownNetworks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  incidentGrouping: groupingDefault,
  responseTargets: noTargets,
  requiresCloseNote: false,
  eventMappings: [],
}

const levels = Object.keys(levelRank).filter((name): name is Level => Object.hasOwn(levelRank, name))
const explicitProfiles = apiProfiles.filter((profile) => profile !== 'auto')

/**
 * Resolves the settings of a tenant over the defaults. Stored values were validated when set; values that this version
 * cannot read are ignored.
 */
export function resolveSettings({ settings }: Pick<Tenant, 'settings'>, defaults: TenantSettings = settingDefaults): TenantSettings {
  const stored = { ...defaults, ...settings }
  const { roleMapping } = stored
  return {
    plan: readChoice(plans, stored, 'plan'),
    timezone: typeof stored['timezone'] === 'string' ? stored['timezone'] : settingDefaults.timezone,
    eventsRetentionDays: readNumber(stored, 'eventsRetentionDays'),
    alertsRetentionDays: readNumber(stored, 'alertsRetentionDays'),
    auditRetentionDays: readNumber(stored, 'auditRetentionDays'),
    minAlertLevel: readChoice(levels, stored, 'minAlertLevel'),
    dedupMinutes: readNumber(stored, 'dedupMinutes'),
    roleMapping: Array.isArray(roleMapping) ? roleMapping.filter(isMappingEntry) : [],
    mfa: readChoice(['off', 'required'], stored, 'mfa'),
    sessionIdleMinutes: readNumber(stored, 'sessionIdleMinutes'),
    sessionLifetimeHours: readNumber(stored, 'sessionLifetimeHours'),
    allowsEndlessApiKeys: stored['allowsEndlessApiKeys'] === true,
    defaultApiProfile: readChoice(explicitProfiles, stored, 'defaultApiProfile'),
    apiRequestsPerMinute: readNumber(stored, 'apiRequestsPerMinute'),
    egressAllowCidrs: readTexts(stored, 'egressAllowCidrs'),
    ownDomains: readTexts(stored, 'ownDomains'),
    ownNetworks: readTexts(stored, 'ownNetworks'),
    incidentGrouping: readGrouping(stored['incidentGrouping']),
    responseTargets: readTargets(stored['responseTargets']),
    requiresCloseNote: stored['requiresCloseNote'] === true,
    eventMappings: Array.isArray(stored['eventMappings']) ? stored['eventMappings'].filter(isEventMapping) : [],
  }
}

type Stored = Tenant['settings']

function readChoice<Name extends TenantSettingName>(
  values: readonly TenantSettings[Name][], stored: Stored, name: Name,
): TenantSettings[Name] {
  return values.find((value) => value === stored[name]) ?? settingDefaults[name]
}

type NumberSetting =
  | 'eventsRetentionDays' | 'alertsRetentionDays' | 'auditRetentionDays' | 'dedupMinutes' | 'apiRequestsPerMinute' | 'sessionIdleMinutes'
  | 'sessionLifetimeHours'

function readNumber(
  stored: Stored,
  name: NumberSetting,
): number {
  const value = stored[name]
  return typeof value === 'number' ? value : settingDefaults[name]
}

function readTexts(stored: Stored, name: 'egressAllowCidrs' | 'ownDomains' | 'ownNetworks'): readonly string[] {
  const value = stored[name]
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : settingDefaults[name]
}

function readGrouping(value: unknown): IncidentGrouping | 'off' {
  if (value === 'off') return value
  if (!isJsonObject(value)) return groupingDefault
  const { windowMs, level, entities } = value
  return {
    windowMs: typeof windowMs === 'number' ? windowMs : groupingDefault.windowMs,
    level: levels.find((name) => name === level) ?? groupingDefault.level,
    entities: Array.isArray(entities) ? entityKinds.filter((kind) => entities.includes(kind)) : groupingDefault.entities,
  }
}

function readTargets(value: unknown): ResponseTargets {
  if (!isJsonObject(value)) return noTargets
  const readMinutes = (level: keyof ResponseTargets): number | undefined => {
    const minutes = value[level]
    return typeof minutes === 'number' ? minutes : undefined
  }
  return { critical: readMinutes('critical'), high: readMinutes('high'), medium: readMinutes('medium'), low: readMinutes('low') }
}

function isMappingEntry(entry: unknown): entry is RoleMappingEntry {
  if (!isJsonObject(entry)) return false
  const { claim, op, value, role } = entry
  const hasTexts = typeof claim === 'string' && typeof value === 'string'
  return hasTexts && (op === 'contains' || op === 'equals') && isRole(role) && role !== 'operator'
}

function isEventMapping(entry: unknown): entry is EventMappingText {
  return isJsonObject(entry) && typeof entry['text'] === 'string' && (entry['sourceId'] === null || typeof entry['sourceId'] === 'string')
}
