import {
  mappingResultSchema, mappingTestSchema, roleMappingResultSchema, roleMappingTestSchema,
  settingsPatchSchema, settingsSchema, toMilliseconds,
} from '@tripline/contract/console/access/tenant'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { z } from 'zod'
import { readIfMatch } from '../../http/etag.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { toResponseTargets } from '../shared/sla.ts'
import { testEventMapping } from './event-mappings.ts'
import { changeSettings, getTenant } from './tenant-settings.ts'
import type { SettingsDeps, TenantSettingsPatch } from './tenant-settings.ts'
import { printMappedEvent, printSettings } from './tenant-view.ts'
import { testRoleMapping } from './test-role-mapping.ts'

const path = '/v1/settings'
const access = 'administer_tenant'

type SettingsRouteDeps = SettingsDeps & {
  /** Settings of tenants that do not set their own. */
  readonly settingDefaults: TenantSettings
}

/** Routes for the settings of a tenant. */
export function settingsRoutes(deps: SettingsRouteDeps): Route[] {
  return [
    {
      method: 'GET', path, access, summary: "Returns the tenant's settings", headers: ['ETag'], responses: { 200: settingsSchema },
      handle: async (c) => {
        const tenant = await getTenant(deps, getPrincipal(c).tenant)
        return respondWithEtag(c, printSettings(tenant, deps.settingDefaults), tenant.version)
      },
    },
    {
      method: 'PATCH', path, access, summary: "Updates the tenant's settings; omitted ones are kept",
      body: settingsPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT', 'INVALID_PARAMETER'],
      responses: { 200: settingsSchema },
      handle: async (c) => {
        const patch = toSettingsPatch(await readJson(c, settingsPatchSchema))
        const tenant = await changeSettings(deps, getPrincipal(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printSettings(tenant, deps.settingDefaults), tenant.version)
      },
    },
    {
      method: 'POST', path: `${path}/role-mapping/test`, access, summary: 'Tests a role mapping on claims and changes nothing',
      body: roleMappingTestSchema, errors: ['INVALID_PARAMETER'], responses: { 200: roleMappingResultSchema },
      handle: async (c) => {
        const { claims, role_mapping: mapping } = await readJson(c, roleMappingTestSchema)
        const { roles, entry = null, keepsOwnAccess } = await testRoleMapping(deps, getPrincipal(c), { claims, mapping })
        return respond(c, { roles: [...roles], entry, keeps_own_access: keepsOwnAccess })
      },
    },
    {
      method: 'POST', path: `${path}/event-mapping/test`, access, summary: 'Tests a mapping on events and changes nothing',
      body: mappingTestSchema, errors: ['INVALID_PARAMETER'], responses: { 200: mappingResultSchema },
      handle: async (c) => {
        const { mapping, source_id: sourceId = null, events } = await readJson(c, mappingTestSchema)
        const results = await testEventMapping(deps, getPrincipal(c).tenant, { text: mapping, sourceId, events })
        return respond(c, { results: results.map(printMappedEvent) })
      },
    },
  ]
}

function toSettingsPatch({ retention = {}, ...said }: z.output<typeof settingsPatchSchema>): TenantSettingsPatch {
  return {
    plan: said.plan,
    timezone: said.timezone,
    eventsRetentionDays: retention.events_days,
    alertsRetentionDays: retention.alerts_days,
    auditRetentionDays: retention.audit_days,
    minAlertLevel: said.min_alert_level,
    dedupMinutes: said.dedup_minutes,
    roleMapping: said.role_mapping,
    mfa: said.mfa,
    sessionIdleMinutes: said.session_idle_minutes,
    sessionLifetimeHours: said.session_lifetime_hours,
    allowsEndlessApiKeys: said.allow_endless_api_keys,
    defaultApiProfile: said.default_api_profile,
    apiRequestsPerMinute: said.api_requests_per_minute,
    ownDomains: said.own_domains,
    ownNetworks: said.own_networks,
    incidentGrouping: toGrouping(said.incident_grouping),
    responseTargets: said.response_targets && toResponseTargets(said.response_targets),
    requiresCloseNote: said.require_close_note,
    eventMappings: said.event_mappings?.map(({ source_id, mapping }) => ({ sourceId: source_id, text: mapping })),
  }
}

function toGrouping(said: z.output<typeof settingsPatchSchema>['incident_grouping']): TenantSettingsPatch['incidentGrouping'] {
  if (said === undefined || said === 'off') return said
  return { windowMs: toMilliseconds(said.window), level: said.level, entities: said.entities }
}
