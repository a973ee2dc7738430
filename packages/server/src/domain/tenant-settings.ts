import type { Level } from '@tripline/engine'
import { apiProfiles } from './api-key.ts'
import type { ApiProfile } from './api-key.ts'
import { isJsonObject } from './json.ts'
import { levelRank } from './level.ts'
import { isRole } from './permission.ts'
import type { RoleMappingEntry } from './role-mapping.ts'
import type { Tenant } from './tenant.ts'

/** What a tenant has paid for; public names of the second and the last are Standard and Enterprise. */
const plans = ['free', 'mdr', 'pro', 'custom'] as const
export type Plan = (typeof plans)[number]

/** What each tenant may have its own way (section 8 of the decisions). */
export type TenantSettings = {
  readonly plan: Plan
  /** An IANA time zone, for days, weeks and schedules. */
  readonly timezone: string
  /** For how many days each kind is kept. */
  readonly eventsRetentionDays: number
  readonly alertsRetentionDays: number
  readonly auditRetentionDays: number
  /** Matches of a lower level make no alert (section 1.2). */
  readonly minAlertLevel: Level
  /** For how long matches of the same rule, host and user come to one alert; 0 makes one of each. */
  readonly dedupMinutes: number
  /** Which groups of an external issuer are which roles, in order: the first that fits counts (section 5). */
  readonly roleMapping: readonly RoleMappingEntry[]
  /** Whether API keys may be made that do not end (D-78). */
  readonly allowsEndlessApiKeys: boolean
  /** In which profile a key is answered that does not say (P-1). */
  readonly defaultApiProfile: Exclude<ApiProfile, 'auto'>
  /** Requests a minute to the integration API on the plan `custom` (D-83). */
  readonly apiRequestsPerMinute: number
  /** Special networks that may be asked all the same (D-74): whoever runs the server says which, never the tenant. */
  readonly egressAllowCidrs: readonly string[]
}

export type SettingName = keyof TenantSettings

/** What holds where a tenant says nothing. Who runs the server for themselves has the widest plan. */
export const settingDefaults: TenantSettings = {
  plan: 'custom',
  timezone: 'UTC',
  eventsRetentionDays: 30,
  alertsRetentionDays: 400,
  auditRetentionDays: 400,
  minAlertLevel: 'low',
  dedupMinutes: 60,
  roleMapping: [],
  allowsEndlessApiKeys: false,
  defaultApiProfile: 'b',
  apiRequestsPerMinute: 5_000,
  egressAllowCidrs: [],
}

/**
 * The settings of a tenant, over those that hold where it says nothing. What is stored was checked when it was set; what
 * another version of this program wrote and this one cannot read counts as not said.
 */
export function resolveSettings({ settings }: Pick<Tenant, 'settings'>, defaults: TenantSettings = settingDefaults): TenantSettings {
  const stored = { ...defaults, ...settings }
  const { roleMapping, egressAllowCidrs } = stored
  return {
    plan: readChoice(plans, stored, 'plan'),
    timezone: typeof stored['timezone'] === 'string' ? stored['timezone'] : settingDefaults.timezone,
    eventsRetentionDays: readNumber(stored, 'eventsRetentionDays'),
    alertsRetentionDays: readNumber(stored, 'alertsRetentionDays'),
    auditRetentionDays: readNumber(stored, 'auditRetentionDays'),
    minAlertLevel: readChoice(levels, stored, 'minAlertLevel'),
    dedupMinutes: readNumber(stored, 'dedupMinutes'),
    roleMapping: Array.isArray(roleMapping) ? roleMapping.filter(isMappingEntry) : [],
    allowsEndlessApiKeys: stored['allowsEndlessApiKeys'] === true,
    defaultApiProfile: readChoice(explicitProfiles, stored, 'defaultApiProfile'),
    apiRequestsPerMinute: readNumber(stored, 'apiRequestsPerMinute'),
    egressAllowCidrs: Array.isArray(egressAllowCidrs) ? egressAllowCidrs.filter((cidr) => typeof cidr === 'string') : [],
  }
}

type Stored = Tenant['settings']

const levels = Object.keys(levelRank).filter((name): name is Level => Object.hasOwn(levelRank, name))
const explicitProfiles = apiProfiles.filter((profile) => profile !== 'auto')

function readChoice<Name extends SettingName>(
  values: readonly TenantSettings[Name][], stored: Stored, name: Name,
): TenantSettings[Name] {
  return values.find((value) => value === stored[name]) ?? settingDefaults[name]
}

function readNumber(
  stored: Stored,
  name: 'eventsRetentionDays' | 'alertsRetentionDays' | 'auditRetentionDays' | 'dedupMinutes' | 'apiRequestsPerMinute',
): number {
  const value = stored[name]
  return typeof value === 'number' ? value : settingDefaults[name]
}

function isMappingEntry(entry: unknown): entry is RoleMappingEntry {
  if (!isJsonObject(entry)) return false
  const { claim, op, value, role } = entry
  const hasTexts = typeof claim === 'string' && typeof value === 'string'
  return hasTexts && (op === 'contains' || op === 'equals') && isRole(role) && role !== 'operator'
}
