import { assetTimelineFields, findingFields } from '@tripline/model/assets/asset-fields'
import { assetFields, directoryUserFields, indicatorFields, subdomainFields } from '@tripline/model/enrichment/enrichment-fields'
import { collectorFields } from '@tripline/model/lists/collector-fields'
import { requestFields } from '@tripline/model/lists/request-fields'
import { riskFields } from '@tripline/model/lists/risk-fields'
import type { SortKey } from '@tripline/model/lists/filter'
import { channelMessageFields, notificationFields } from '@tripline/model/lists/channel-fields'
import { deliveryFields, webhookFields } from '@tripline/model/lists/webhook-fields'
import {
  alertFields, alertGroupFields, auditFields, incidentFields, matchFields, playbookRunFields, ruleFields, timelineFields,
} from '@tripline/model/lists/list-fields'
import type { ListField, ListFields } from '@tripline/model/lists/list-fields'
import { limits } from '../../limits.ts'

/** A large list: its sortable and filterable fields, default order and maximum page size. */
export type ListDefinition = {
  readonly fields: ListFields
  readonly sortDefault: SortKey
  readonly limitMax: number
  /** Whether it has no numbered pages. */
  readonly isByCursorOnly?: true
}

const {
  alertsLimitMax, incidentsLimitMax, timelineLimitMax, runsLimitMax, rulesLimitMax, matchesLimitMax, auditLimitMax, knownLimitMax,
} = limits.lists

/** Groups are filtered by the fields of their alerts, and sorted by their own. */
const groupedFields: ListFields = {
  ...Object.fromEntries(Object.entries<ListField>(alertFields).map(([name, { isSorted: _isSorted, ...field }]) => [name, field])),
  ...alertGroupFields,
  severity: alertFields.severity,
}

/** The lists that support the query contract, newest first unless noted. */
export const lists = {
  alerts: { fields: alertFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: alertsLimitMax },
  alertGroups: { fields: groupedFields, sortDefault: { field: 'count', direction: 'desc' }, limitMax: alertsLimitMax },
  incidents: { fields: incidentFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: incidentsLimitMax },
  timeline: { fields: timelineFields, sortDefault: { field: 'number', direction: 'asc' }, limitMax: timelineLimitMax },
  playbookRuns: { fields: playbookRunFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: runsLimitMax },
  rules: { fields: ruleFields, sortDefault: { field: 'updated_at', direction: 'desc' }, limitMax: rulesLimitMax },
  matches: { fields: matchFields, sortDefault: { field: 'timestamp', direction: 'desc' }, limitMax: matchesLimitMax },
  audit: { fields: auditFields, sortDefault: { field: 'at', direction: 'desc' }, limitMax: auditLimitMax },
  assets: { fields: assetFields, sortDefault: { field: 'risk_score', direction: 'desc' }, limitMax: knownLimitMax },
  assetTimeline: { fields: assetTimelineFields, sortDefault: { field: 'at', direction: 'desc' }, limitMax: timelineLimitMax },
  findings: { fields: findingFields, sortDefault: { field: 'severity', direction: 'desc' }, limitMax: knownLimitMax },
  identities: { fields: directoryUserFields, sortDefault: { field: 'name', direction: 'asc' }, limitMax: knownLimitMax },
  indicators: { fields: indicatorFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: knownLimitMax },
  subdomains: { fields: subdomainFields, sortDefault: { field: 'name', direction: 'asc' }, limitMax: knownLimitMax },
  requests: { fields: requestFields, sortDefault: { field: 'due_at', direction: 'asc' }, limitMax: knownLimitMax },
  collectors: { fields: collectorFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: runsLimitMax },
  risks: { fields: riskFields, sortDefault: { field: 'score', direction: 'desc' }, limitMax: knownLimitMax },
  webhooks: { fields: webhookFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: knownLimitMax },
  channelMessages: { fields: channelMessageFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: auditLimitMax },
  notifications: { fields: notificationFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: auditLimitMax },
  deliveries: { fields: deliveryFields, sortDefault: { field: 'created_at', direction: 'desc' }, limitMax: auditLimitMax },
} as const satisfies { readonly [name: string]: ListDefinition }
