import type { Clock } from '@tripline/common/runtime'
import { exportRows } from '@tripline/contract/public/export'
import type { ExportResource, ExportRow } from '@tripline/contract/public/export'
import type { Shape } from '@tripline/contract/public/shape'
import type { Permission } from '@tripline/model/access/permission'
import type { Connector } from '@tripline/model/connector'
import { getRiskLevel, isScanStale } from '@tripline/model/enrichment/asset'
import { summarizeIncident } from '@tripline/model/incidents/incident-summary'
import { mapToSelf } from '@tripline/model/lists/list-fields'
import type { ListFields } from '@tripline/model/lists/list-fields'
import type { Playbook } from '@tripline/model/playbooks/playbook'
import { severityOfLevel } from '@tripline/model/public-words'
import { isRunning } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { ListSelection, ScanOptions, TenantList } from '@tripline/state/ports/list-query'
import type { ConnectorTotals } from '@tripline/state/ports/connector-store'
import { createMemoryList } from '@tripline/state/ports/memory-list'
import type { StateStore } from '@tripline/state/ports/state-store'
import { describeNotification } from '../../channels/describe-notification.ts'
import { listSourceConnectors } from '../../collectors/source-connectors.ts'
import { createRiskList } from '../../risk/entity-risks.ts'
import type { RiskDeps } from '../../risk/entity-risks.ts'
import { controlFields, createControlList } from './compliance-controls.ts'
import { summarizeAlert } from '../shared/summarize-alert.ts'
import { lists } from '../../http/lists/list-definition.ts'
import type { ListDefinition } from '../../http/lists/list-definition.ts'

/** A rule with its figures, as rules list it. */
type RuleEntry = {
  readonly rule: Rule
  readonly totals: { readonly matches: number }
  readonly verdicts: { readonly truePositives: number; readonly falsePositives: number }
  readonly cost: { readonly cpuSharePercent: number } | undefined
}

/** What exports read. */
export type ExportSources = RiskDeps & {
  readonly state: StateStore
  readonly clock: Pick<Clock, 'now'>
  readonly rules: Pick<TenantList<RuleEntry>, 'scan'>
}

/** A resource that is exported: a row of the table below. */
type ExportDefinition<Resource extends ExportResource> = {
  readonly permission: Permission
  readonly list: Pick<ListDefinition, 'fields' | 'sortDefault'>
  /** The field that `from` and `to` select by; without one, the resource has no times. */
  readonly timeField: string
  readonly scan: (
    sources: ExportSources, tenant: TenantId, selection: ListSelection, options: ScanOptions,
  ) => AsyncIterable<readonly ExportRow<Resource>[]>
}

/** Maps chunks of entries to chunks of rows. */
async function* mapChunks<Entry, Row>(
  chunks: AsyncIterable<readonly Entry[]>, toRow: (entry: Entry) => Row,
): AsyncIterable<readonly Row[]> {
  for await (const entries of chunks) yield entries.map(toRow)
}

const connectorFields = {
  name: { kind: 'text', isSorted: true, isFiltered: true },
  type: { kind: 'text', isFiltered: true },
  status: { kind: 'word', isFiltered: true, words: mapToSelf(['pending', 'healthy', 'degraded', 'unhealthy', 'disabled']) },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields

type ConnectorEntry = { readonly connector: Connector; readonly totals?: ConnectorTotals }

async function listConnectors(state: StateStore, tenant: TenantId): Promise<ConnectorEntry[]> {
  const own = (await state.connectors.list(tenant)).map((connector) => ({ connector }))
  return [...own, ...await listSourceConnectors(state, tenant)]
}

function createConnectorList(state: StateStore): TenantList<ConnectorEntry> {
  const values: { readonly [field in keyof typeof connectorFields]: (connector: ConnectorEntry) => string | number } = {
    name: ({ connector: { name } }) => name, type: ({ connector: { type } }) => type,
    status: ({ connector: { health } }) => health.status, created_at: ({ connector: { createdAt } }) => createdAt,
  }
  return createMemoryList((tenant) => listConnectors(state, tenant), {
    fields: connectorFields, getId: ({ connector: { id } }) => id, getTexts: ({ connector: { name } }) => [name],
    read: (connector, field) => (Object.hasOwn(values, field) ? values[field as keyof typeof values](connector) : ''),
  })
}

const playbookFields = {
  name: { kind: 'text', isSorted: true, isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields

function createPlaybookList(state: StateStore): TenantList<Playbook> {
  return createMemoryList((tenant) => state.playbooks.list(tenant), {
    fields: playbookFields, getId: ({ id }) => id, getTexts: ({ name, description }) => [name, description],
    read: ({ name, createdAt }, field) => (field === 'name' ? name : createdAt),
  })
}

/** The resources that have a source; another one is a row here, and one of columns in the contract. */
export const exportResources: { readonly [Resource in ExportResource]: ExportDefinition<Resource> } = {
  'alerts': {
    permission: 'export_all', list: lists.alerts, timeField: 'created_at',
    scan: ({ state }, ...request) => mapChunks(state.alerts.scan(...request), (alert) => ({
      id: alert.id, title: alert.ruleTitle, severity: severityOfLevel[alert.level], status: alert.status, verdict: alert.verdict,
      assignee: alert.assignee ?? null, source: alert.source, source_type: alert.product, source_ip: alert.sourceIp,
      host: alert.event.host, user: alert.event.user, mitre_tactics: alert.attack.tactics, mitre_techniques: alert.attack.techniques,
      description: alert.description, event_count: alert.eventCount,
      incident_id: alert.incidentId ?? null, created_at: alert.createdAt, updated_at: alert.updatedAt,
      last_seen: alert.lastSeenAt, ai_summary: summarizeAlert(alert),
    })),
  },
  'incidents': {
    permission: 'export_all', list: lists.incidents, timeField: 'created_at',
    scan: ({ state }, ...request) => mapChunks(state.incidents.scan(...request), (incident) => ({
      id: incident.id, title: incident.title, severity: severityOfLevel[incident.level], status: incident.status,
      assignee: incident.assignee ?? null, alert_count: incident.alertCount, mitre_tactics: incident.attack.tactics,
      mitre_techniques: incident.attack.techniques, description: incident.description, resolution_note: incident.resolutionNote,
      created_at: incident.createdAt, updated_at: incident.updatedAt, closed_at: incident.closedAt ?? null,
      ai_summary: summarizeIncident(incident),
    })),
  },
  'detection-rules': {
    permission: 'export_all', list: lists.rules, timeField: 'updated_at',
    scan: ({ rules }, ...request) => mapChunks(rules.scan(...request), ({ rule, totals, verdicts, cost }) => ({
      id: rule.id, title: rule.title, level: severityOfLevel[rule.level], status: rule.maturity, enabled: isRunning(rule),
      origin: rule.origin, author: rule.author, tactics: rule.attack.tactics, techniques: rule.attack.techniques,
      matches_total: totals.matches, true_positives: verdicts.truePositives, false_positives: verdicts.falsePositives,
      cost: cost?.cpuSharePercent ?? null, updated_at: rule.updatedAt,
    })),
  },
  'assets': {
    permission: 'export_all', list: lists.assets, timeField: 'last_seen',
    scan: ({ state, clock }, ...request) => mapChunks(state.assets.scan(...request), ({ vulnerabilities, ...asset }) => ({
      id: asset.id, hostname: asset.hostname, ip_addresses: asset.ipAddresses, mac_addresses: asset.macAddresses, type: asset.type,
      os: asset.os, os_family: asset.osFamily, criticality: asset.criticality, owner: asset.owner, tags: asset.tags,
      risk_score: asset.riskScore, risk_level: getRiskLevel(asset.riskScore), ...vulnerabilities, open_alerts: asset.openAlertCount,
      last_seen: asset.lastSeenAt ?? null, last_scan_at: asset.lastScanAt ?? null, sources: asset.sources,
      scan_stale: isScanStale(asset, clock.now()),
    })),
  },
  'audit-logs': {
    permission: 'export_audit', list: lists.audit, timeField: 'at',
    scan: ({ state }, ...request) => mapChunks(state.audit.scan(...request), ({ actor, target, ip, diff, ...entry }) => ({
      seq: entry.seq, at: entry.at, actor_type: actor.type, actor: actor.id, actor_email: actor.email ?? null, action: entry.action,
      target_type: target.type, target: target.id, outcome: entry.outcome, ip: ip ?? null, diff: diff === undefined ? null : { ...diff },
      hash: entry.hash,
    })),
  },
  'identities': {
    permission: 'export_all', list: lists.identities, timeField: 'last_seen',
    scan: ({ state }, ...request) => mapChunks(state.directoryUsers.scan(...request), (user) => ({
      id: user.id, name: user.name, email: user.email, department: user.department, is_privileged: user.isPrivileged,
      aliases: user.aliases, last_seen: user.lastSeenAt ?? null, open_alerts: user.openAlertCount,
    })),
  },
  'compliance-controls': {
    permission: 'export_all', timeField: 'last_evidence_at',
    list: { fields: controlFields, sortDefault: { field: 'framework', direction: 'asc' } },
    scan: ({ state }, ...request) => createControlList(state).scan(...request),
  },
  'connectors': {
    permission: 'export_all', timeField: 'created_at',
    list: { fields: connectorFields, sortDefault: { field: 'created_at', direction: 'desc' } },
    async* scan({ state }, tenant, ...request) {
      for await (const connectors of createConnectorList(state).scan(tenant, ...request)) {
        yield await Promise.all(connectors.map(async ({ connector, totals }) => {
          const { id, name, type, isEnabled, health, createdAt } = connector
          const { receivedCount = 0, lastEventAt } = totals ?? (await state.connectors.totals(tenant, id)) ?? {}
          return {
            id, name, type, enabled: isEnabled, status: health.status, message: health.message, events_total: receivedCount,
            last_event_at: lastEventAt ?? null, created_at: createdAt,
          }
        }))
      }
    },
  },
  'playbooks': {
    permission: 'export_all', timeField: 'created_at',
    list: { fields: playbookFields, sortDefault: { field: 'created_at', direction: 'desc' } },
    scan: ({ state }, ...request) => mapChunks(createPlaybookList(state).scan(...request), (playbook) => ({
      id: playbook.id, name: playbook.name, description: playbook.description, subject: playbook.subject,
      trigger: playbook.isAutomatic ? 'match' : 'manual', steps: playbook.steps.map(({ type }) => type), enabled: playbook.isEnabled,
      runs_total: playbook.runsTotal, last_run_at: playbook.lastRunAt ?? null, created_at: playbook.createdAt,
    })),
  },
  'threat-intel-iocs': {
    permission: 'export_all', list: lists.indicators, timeField: 'created_at',
    scan: ({ state }, ...request) => mapChunks(state.indicators.scan(...request), (indicator) => ({
      type: indicator.type, value: indicator.value, confidence: indicator.confidence, reputation_score: indicator.reputationScore,
      source: indicator.source, description: indicator.description, valid_from: indicator.validFrom,
      valid_until: indicator.validUntil ?? null, hits: indicator.hitCount,
    })),
  },
  'risk-intelligence': {
    permission: 'export_all', list: lists.risks, timeField: 'last_alert_at',
    scan: (sources, ...request) => mapChunks(createRiskList(sources).scan(...request), (risk) => ({
      entity_type: risk.kind, entity: risk.value, score: risk.score, level: risk.band, factors: risk.factors, alert_count: risk.alertCount,
      last_alert_at: risk.lastAlertAt, calculated_at: risk.calculatedAt,
    })),
  },
  'subdomains': {
    permission: 'export_all', list: lists.subdomains, timeField: 'last_seen',
    scan: ({ state }, ...request) => mapChunks(state.subdomains.scan(...request), (subdomain) => ({
      name: subdomain.name, domain: subdomain.domain, first_seen: subdomain.firstSeenAt ?? null, last_seen: subdomain.lastSeenAt ?? null,
      ip: subdomain.ip, source: subdomain.sources,
    })),
  },
  'dsr': {
    permission: 'read_requests', list: lists.requests, timeField: 'received_at',
    scan: ({ state }, ...request) => mapChunks(state.dataSubjectRequests.scan(...request), (request) => ({
      id: request.id, type: request.type, law: request.law, subject_ref: request.subjectRef, status: request.status, note: request.note,
      received_at: request.receivedAt, due_at: request.dueAt, closed_at: request.closedAt ?? null,
    })),
  },
  'notifications': {
    permission: 'read_webhooks', list: lists.notifications, timeField: 'created_at',
    scan: ({ state }, ...request) => mapChunks(state.notifications.scan(...request), (notification) => {
      const { createdAt, channel, targetId, status, attempt, last } = notification
      const { event, eventId, title } = describeNotification(notification)
      return {
        at: createdAt, channel, target: targetId, event, event_id: eventId, title, status, attempts: attempt,
        http_status: last?.httpStatus ?? null, error: last === undefined || last.error === '' ? null : last.error,
      }
    }),
  },
}

/** What is exported: a name, who may, and the rows of the file. */
export type ExportSource = {
  /** The name of the resource, and of the file. */
  readonly resource: string
  readonly permission: Permission
  readonly row: Shape<unknown>
  /** Reads the rows in chunks. */
  readonly scan: (signal: AbortSignal) => AsyncIterable<readonly unknown[]>
}

/** What a resource exports of a selection. */
export function exportList(
  sources: ExportSources, tenant: TenantId, resource: ExportResource, selection: ListSelection,
): ExportSource {
  const { permission, scan }: Pick<ExportDefinition<ExportResource>, 'permission' | 'scan'> = exportResources[resource]
  return { resource, permission, row: exportRows[resource], scan: (signal) => scan(sources, tenant, selection, { signal }) }
}
