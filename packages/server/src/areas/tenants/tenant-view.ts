import { printMilliseconds } from '@tripline/contract/console/access/tenant'
import type { MappingResultBody, SettingsBody, TenantBody } from '@tripline/contract/console/access/tenant'
import type { Tenant } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { printResponseTargets } from '../shared/sla.ts'
import type { TestedEvent } from './event-mappings.ts'

/** Prints a tenant for operators of the platform. */
export function printTenant(tenant: Tenant): TenantBody {
  const { id, name, isActive, createdAt, updatedAt } = tenant
  const { plan, apiRequestsPerMinute, egressAllowCidrs } = resolveSettings(tenant)
  return {
    id, name, is_active: isActive, plan, api_requests_per_minute: apiRequestsPerMinute, egress_allow_cidrs: [...egressAllowCidrs],
    created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
  }
}

/** Prints the settings of a tenant for its admins. */
export function printSettings(tenant: Pick<Tenant, 'settings'>, defaults?: TenantSettings): SettingsBody {
  const settings = resolveSettings(tenant, defaults)
  return {
    plan: settings.plan,
    timezone: settings.timezone,
    retention: {
      events_days: settings.eventsRetentionDays,
      alerts_days: settings.alertsRetentionDays,
      audit_days: settings.auditRetentionDays,
    },
    min_alert_level: settings.minAlertLevel,
    dedup_minutes: settings.dedupMinutes,
    role_mapping: [...settings.roleMapping],
    mfa: settings.mfa,
    session_idle_minutes: settings.sessionIdleMinutes,
    session_lifetime_hours: settings.sessionLifetimeHours,
    allow_endless_api_keys: settings.allowsEndlessApiKeys,
    default_api_profile: settings.defaultApiProfile,
    api_requests_per_minute: settings.apiRequestsPerMinute,
    egress_allow_cidrs: [...settings.egressAllowCidrs],
    own_domains: [...settings.ownDomains],
    own_networks: [...settings.ownNetworks],
    incident_grouping: printGrouping(settings.incidentGrouping),
    response_targets: printResponseTargets(settings.responseTargets),
    require_close_note: settings.requiresCloseNote,
    event_mappings: settings.eventMappings.map(({ sourceId, text }) => ({ source_id: sourceId, mapping: text })),
  }
}

function printGrouping(grouping: TenantSettings['incidentGrouping']): SettingsBody['incident_grouping'] {
  if (grouping === 'off') return grouping
  return { window: printMilliseconds(grouping.windowMs), level: grouping.level, entities: [...grouping.entities] }
}

/** Prints an event under a mapping that is tested. */
export function printMappedEvent({ event, entry, normalized, occurredAt }: TestedEvent): MappingResultBody['results'][number] {
  return {
    event,
    entry: entry?.index ?? null,
    line: entry?.line ?? null,
    source_id: entry?.sourceId ?? null,
    logsources: normalized.logsources.map(({ product, category, service }) => ({ product, category, service })),
    fields: normalized.fields,
    timestamp: occurredAt === undefined ? null : formatTimestamp(occurredAt),
  }
}
