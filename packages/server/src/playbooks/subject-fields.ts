import type { Alert } from '@tripline/model/alert'
import type { Incident } from '@tripline/model/incidents/incident'
import { evaluateFilter, foldCase } from '@tripline/model/lists/evaluate-filter'
import type { FilteredValue } from '@tripline/model/lists/evaluate-filter'
import type { Filter } from '@tripline/model/lists/filter'
import { alertFields, incidentFields } from '@tripline/model/lists/list-fields'

const alertReaders: { readonly [field in keyof typeof alertFields]: (alert: Alert) => FilteredValue } = {
  id: ({ id }) => id,
  severity: ({ level }) => level,
  status: ({ status }) => status,
  rule_id: ({ ruleId }) => ruleId,
  rule_title: ({ ruleTitle }) => ruleTitle,
  host: ({ event }) => event.host,
  host_folded: ({ event }) => foldCase(event.host),
  user: ({ event }) => event.user,
  user_folded: ({ event }) => foldCase(event.user),
  process: ({ event }) => event.processName,
  source: ({ source }) => source,
  source_ip: ({ sourceIp }) => sourceIp,
  product: ({ product }) => product,
  description: ({ description }) => description,
  tactic: ({ attack }) => attack.tactics,
  technique: ({ attack }) => attack.techniques,
  assignee: ({ assignee = '' }) => assignee,
  verdict: ({ verdict }) => verdict,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  event_count: ({ eventCount }) => eventCount,
  incident_id: ({ incidentId = '' }) => incidentId,
  asset_criticality: ({ assetCriticality }) => assetCriticality,
}

const incidentReaders: { readonly [field in keyof typeof incidentFields]: (incident: Incident) => FilteredValue } = {
  severity: ({ level }) => level,
  status: ({ status }) => status,
  title: ({ title }) => title,
  assignee: ({ assignee = '' }) => assignee,
  origin: ({ origin }) => origin,
  tactic: ({ attack }) => attack.tactics,
  technique: ({ attack }) => attack.techniques,
  alert_count: ({ alertCount }) => alertCount,
  first_alert_at: ({ firstAlertAt = 0 }) => firstAlertAt,
  last_alert_at: ({ lastAlertAt = 0 }) => lastAlertAt,
  first_event_at: ({ firstEventAt = 0 }) => firstEventAt,
  last_event_at: ({ lastEventAt = 0 }) => lastEventAt,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
}

/** Whether an alert is in a list that is filtered so. */
export function matchesAlert(filter: Filter, alert: Alert): boolean {
  const read: { readonly [field: string]: (alert: Alert) => FilteredValue } = alertReaders
  return evaluateFilter(alertFields, filter, (field) => read[field]?.(alert) ?? '')
}

/** Whether an incident is in a list that is filtered so. */
export function matchesIncident(filter: Filter, incident: Incident): boolean {
  const read: { readonly [field: string]: (incident: Incident) => FilteredValue } = incidentReaders
  return evaluateFilter(incidentFields, filter, (field) => read[field]?.(incident) ?? '')
}
