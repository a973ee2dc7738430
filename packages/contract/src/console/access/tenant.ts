import { z } from 'zod'
import { limits } from '../../limits.ts'
import { emailSchema, nameSchema } from './user.ts'

const bounds = limits.tenantSettings
const planNames = ['free', 'mdr', 'pro', 'custom'] as const
/** The public API uses other plan names; both are accepted. */
const planAliases: { readonly [name: string]: string } = { standard: 'mdr', enterprise: 'custom' }
const planSchema = z.string().transform((text) => planAliases[text.toLowerCase()] ?? text.toLowerCase()).pipe(z.enum(planNames))

const days = (min: number, max: number) => z.int().min(min).max(max)
const networksSchema = z.array(z.string().max(limits.admin.networkLengthMax)).max(limits.admin.networksMax)
const claimText = z.string().min(1).max(bounds.claimLengthMax)
const tenantRole = z.enum(['viewer', 'analyst', 'engineer', 'admin', 'auditor'])
const mappingEntrySchema = z.strictObject({
  claim: claimText, op: z.enum(['contains', 'equals']), value: claimText, role: tenantRole,
})

const retentionFields = {
  events_days: days(1, bounds.eventsRetentionDaysMax),
  alerts_days: days(1, bounds.alertsRetentionDaysMax),
  audit_days: days(bounds.auditRetentionDaysMin, bounds.auditRetentionDaysMax),
}

const mappingText = z.string().min(1).max(bounds.eventMappingLengthMax)

const durationUnits = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration in minutes, hours or days, as milliseconds. */
const groupingWindowSchema = z.string()
  .regex(/^[1-9]\d{0,4}[mhd]$/, "must be a duration such as '30m', '4h' or '1d'")
  .refine((text) => toMilliseconds(text) <= bounds.groupingMinutesMax * 60_000, `must be at most ${bounds.groupingMinutesMax} minutes`)

/** How alerts become incidents by themselves: what they must have in common, their lowest level, how far apart they may be. */
const groupingSchema = z.union([
  z.literal('off'),
  z.strictObject({
    window: groupingWindowSchema,
    level: z.enum(['informational', 'low', 'medium', 'high', 'critical']),
    entities: z.array(z.enum(['host', 'user', 'ip'])).min(1).max(3),
  }),
])

/** The milliseconds of a duration such as `4h`. */
export function toMilliseconds(duration: string): number {
  const unit = duration.at(-1)
  return Number.parseInt(duration, 10) * (unit === 'm' || unit === 'h' ? durationUnits[unit] : durationUnits.d)
}

/** The duration of milliseconds, in the largest unit that is exact. */
export function printMilliseconds(durationMs: number): string {
  const unit = (['d', 'h', 'm'] as const).find((unit) => durationMs % durationUnits[unit] === 0) ?? 'm'
  return `${Math.round(durationMs / durationUnits[unit])}${unit}`
}

const responseMinutes = z.int().min(1).max(bounds.responseMinutesMax).nullable()

/** Minutes within which alerts and incidents of a severity are to be closed; null for no target. */
export const responseTargetsSchema = z.strictObject({
  critical: responseMinutes, high: responseMinutes, medium: responseMinutes, low: responseMinutes,
})
export type ResponseTargetsBody = z.infer<typeof responseTargetsSchema>

/** Settings that a tenant's admins can change; `plan` and `api_requests_per_minute` only operators of the platform can. */
const settingFields = {
  plan: planSchema,
  timezone: z.string().max(64).refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin'),
  min_alert_level: z.enum(['informational', 'low', 'medium', 'high', 'critical']),
  dedup_minutes: z.int().min(0).max(bounds.dedupMinutesMax),
  role_mapping: z.array(mappingEntrySchema).max(limits.auth.roleMappingMax),
  /** Whether users need a second factor; without one only the own account is open to them. */
  mfa: z.enum(['off', 'required']),
  /** Minutes after which an unused session ends, and hours after which every session does. */
  session_idle_minutes: z.int().min(bounds.sessionIdleMinutesMin).max(bounds.sessionIdleMinutesMax),
  session_lifetime_hours: z.int().min(1).max(bounds.sessionLifetimeHoursMax),
  allow_endless_api_keys: z.boolean(),
  default_api_profile: z.enum(['a', 'b']),
  api_requests_per_minute: z.int().min(1).max(bounds.apiRequestsPerMinuteMax),
  /** Your domains, whose subdomains are looked for in events. */
  own_domains: z.array(z.string().max(limits.admin.domainLengthMax)).max(limits.admin.domainsMax),
  /** Your networks; addresses in them are no reason to group alerts. */
  own_networks: networksSchema,
  incident_grouping: groupingSchema,
  response_targets: responseTargetsSchema,
  /** Whether incidents are closed only with a resolution note. */
  require_close_note: z.boolean(),
  /**
   * Mapping files: what rules and searches read of events. One of a connector or collector is for its events, one with null for
   * all events that no entry of their source takes.
   */
  event_mappings: z.array(z.strictObject({ source_id: z.string().max(bounds.claimLengthMax).nullable(), mapping: mappingText }))
    .max(bounds.eventMappingsMax),
}

/** The settings of a tenant. */
export const settingsSchema = z.strictObject({
  ...settingFields,
  plan: z.enum(planNames),
  timezone: z.string(),
  retention: z.strictObject(retentionFields),
  /** Special-purpose networks that outbound requests may reach; set by platform operators. */
  egress_allow_cidrs: z.array(z.string()),
})
export type SettingsBody = z.infer<typeof settingsSchema>

/** A change of settings; omitted ones are kept. */
export const settingsPatchSchema = z.strictObject({
  ...settingFields, retention: z.strictObject(retentionFields).partial(),
}).partial()

/** A dry run of a role mapping: without `role_mapping` of the stored one, without `claims` with those of your own token. */
export const roleMappingTestSchema = z.strictObject({
  claims: z.record(z.string(), z.unknown()).optional(),
  role_mapping: settingFields.role_mapping.optional(),
})

/** Its result; without a role the token would be refused. */
export const roleMappingResultSchema = z.strictObject({
  roles: z.array(tenantRole),
  /** The position of the entry that matched, from 0; null if none did. */
  entry: z.int().nullable(),
  /** Whether you could still change settings under this mapping. */
  keeps_own_access: z.boolean(),
})
export type RoleMappingResultBody = z.infer<typeof roleMappingResultSchema>

/** A dry run of a mapping on events: without `mapping` of those that are stored for the source. */
export const mappingTestSchema = z.strictObject({
  mapping: mappingText.optional(),
  source_id: z.string().max(bounds.claimLengthMax).nullable().optional(),
  events: z.array(z.record(z.string(), z.unknown())).min(1).max(bounds.mappingTestEventsMax),
})

/** Its result, for each event in their order. */
export const mappingResultSchema = z.strictObject({
  results: z.array(z.strictObject({
    /** The event as rules, searches and the store get it. */
    event: z.record(z.string(), z.unknown()),
    /** The position of the entry that took the event, from 0, and its line; null if none did. */
    entry: z.int().nullable(),
    line: z.int().nullable(),
    /** Whose mapping the entry is of: null for that of all events, and where no entry took it. */
    source_id: z.string().nullable(),
    /** The log sources under which rules are tried on it; empty if none is known. */
    logsources: z.array(z.strictObject({
      product: z.string().optional(), category: z.string().optional(), service: z.string().optional(),
    })),
    /** The fields as rules name them. */
    fields: z.record(z.string(), z.unknown()),
    /** The time that it states; null if it states none. */
    timestamp: z.string().nullable(),
  })),
})
export type MappingResultBody = z.infer<typeof mappingResultSchema>

/** A tenant as platform operators see it, without its data. */
export const tenantSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  is_active: z.boolean(),
  plan: z.enum(planNames),
  api_requests_per_minute: z.int(),
  egress_allow_cidrs: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
})
export type TenantBody = z.infer<typeof tenantSchema>

export const tenantListSchema = z.strictObject({ tenants: z.array(tenantSchema) })

/** Lower-case letters, digits and dashes: it becomes a folder name. */
export const tenantIdSchema = z.string().max(limits.admin.tenantIdLengthMax)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must consist of lower-case letters, digits and dashes, and not begin with a dash')

export const newTenantBodySchema = z.strictObject({
  id: tenantIdSchema,
  name: nameSchema,
  plan: planSchema.optional(),
  /** The first admin. */
  admin: z.strictObject({ email: emailSchema, name: nameSchema }).optional(),
})

export const tenantPatchSchema = z.strictObject({
  name: nameSchema.optional(),
  is_active: z.boolean().optional(),
  plan: planSchema.optional(),
  api_requests_per_minute: settingFields.api_requests_per_minute.optional(),
  egress_allow_cidrs: networksSchema.optional(),
}).refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

/**
 * A created tenant; with the one-time password of its admin, shown only once, null for an existing account or without an
 * admin.
 */
export const createdTenantSchema = tenantSchema.extend({ one_time_password: z.string().nullable() })

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
