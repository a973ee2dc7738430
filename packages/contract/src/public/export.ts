import { z } from 'zod'
import { limits } from '../limits.ts'
import { instantParameter } from '../page.ts'
import { firstAttack } from './alert.ts'
import { searchText, severityWords, texts, time, words } from './parameters.ts'
import type { Profile } from './profile.ts'
import { count, flag, instant, list, nullable, number, plain, record, text, word } from './shape.ts'
import type { Shape, ValueOf } from './shape.ts'
import {
  alertStatuses, assetTypeWords, controlStatuses, criticalityWords, incidentStatusWords, riskLevelWords, severities, verdicts,
} from './vocabulary.ts'

const formats = { json: { a: 'json', b: 'json' }, csv: { a: 'csv', b: 'csv' }, ndjson: { a: 'ndjson', b: 'ndjson' } } as const
export type ExportFormat = keyof typeof formats


const common = { format: word<ExportFormat>(formats), search: searchText(limits.state.soughtLengthMax), from: time, to: time } as const

/** The parameters of exports: those of alerts and incidents are the filters of their lists. */
export const exportParameters = {
  common,
  alerts: { ...common, severity: severityWords, status: words(alertStatuses), source_type: texts },
  incidents: { ...common, severity: severityWords, status: words(incidentStatusWords) },
} as const

const attack = { mitre_tactics: list(text), mitre_techniques: list(text) } as const

/** The rows of the files of each resource: a table of columns, in order. */
export const exportRows = {
  'alerts': record({
    id: text, title: text, severity: word(severities), status: word(alertStatuses), verdict: word(verdicts), assignee: nullable(text),
    source: text, source_type: text, source_ip: text, host: text, user: text, ...attack, description: text, event_count: count,
    incident_id: nullable(text), created_at: instant, updated_at: instant, last_seen: instant, ...firstAttack, ai_summary: text,
  }),
  'incidents': record({
    id: text, title: text, severity: word(severities), status: word(incidentStatusWords), assignee: nullable(text), alert_count: count,
    ...attack, description: text, resolution_note: text, created_at: instant, updated_at: instant, closed_at: nullable(instant),
    ...firstAttack, ai_summary: text,
  }),
  'detection-rules': record({
    id: text, title: text, level: word(severities), status: text, enabled: flag, origin: text, author: text, tactics: list(text),
    techniques: list(text), matches_total: count, true_positives: count, false_positives: count,
    /** Share of the processor time of all rules, in percent; null where it was not measured. */
    cost: nullable(number), updated_at: instant,
  }),
  'assets': record({
    id: text, hostname: text, ip_addresses: list(text), mac_addresses: list(text), type: word(assetTypeWords), os: text, os_family: text,
    criticality: word(criticalityWords), owner: text, tags: list(text), risk_score: count, risk_level: word(riskLevelWords),
    critical: count, high: count, medium: count, low: count, exploitable: count, open_alerts: count, last_seen: nullable(instant),
    last_scan_at: nullable(instant), sources: list(text), scan_stale: flag,
  }),
  'audit-logs': record({
    seq: count, at: instant, actor_type: text, actor: text, actor_email: nullable(text), action: text, target_type: text, target: text,
    outcome: text, ip: nullable(text), diff: nullable(plain(z.record(z.string(), z.unknown()))), hash: text,
  }),
  'identities': record({
    id: text, name: text, email: text, department: text, is_privileged: flag, aliases: list(text), last_seen: nullable(instant),
    open_alerts: count,
  }),
  'compliance-controls': record({
    framework: text, id: text, title: text, status: word(controlStatuses), method: plain(z.enum(['automatic', 'manual', 'none'])),
    evidence_count: count, last_evidence_at: nullable(instant),
  }),
  'connectors': record({
    id: text, name: text, type: text, enabled: flag, status: text, message: text, events_total: count, last_event_at: nullable(instant),
    created_at: instant,
  }),
  'playbooks': record({
    id: text, name: text, description: text, subject: text, trigger: text, steps: list(text), enabled: flag, runs_total: count,
    last_run_at: nullable(instant), created_at: instant,
  }),
  'threat-intel-iocs': record({
    type: text, value: text, confidence: count, reputation_score: count, source: text, description: text, valid_from: instant,
    valid_until: nullable(instant), hits: count,
  }),
  'risk-intelligence': record({
    entity_type: text, entity: text, score: count, level: word(riskLevelWords), factors: list(text), alert_count: count,
    last_alert_at: instant, calculated_at: instant,
  }),
  'subdomains': record({
    name: text, domain: text, first_seen: nullable(instant), last_seen: nullable(instant), ip: text, source: list(text),
  }),
  'dsr': record({
    id: text, type: text, law: text, subject_ref: text, status: text, note: text, received_at: instant, due_at: instant,
    closed_at: nullable(instant),
  }),
  'notifications': record({
    at: instant, channel: text, target: text, event: text, event_id: text, title: text, status: text, attempts: count,
    http_status: nullable(count), error: nullable(text),
  }),
} as const
export type ExportResource = keyof typeof exportRows
export type ExportRow<Resource extends ExportResource> = ValueOf<(typeof exportRows)[Resource]>

/** The file of an export as JSON. */
export function toFileSchema(row: Shape<unknown>, profile: Profile): z.ZodType {
  return z.array(row.toSchema(profile))
}

const { soughtLengthMax } = limits.state

/** Default: `json`. */
export const formatParameter = z.enum(['json', 'csv', 'ndjson']).optional()

/** What an export of the console selects: the query contract of the list but for its pages, and a time range. */
export const exportQuerySchema = z.strictObject({
  format: formatParameter,
  sort: z.string().optional(),
  q: z.string().max(soughtLengthMax, `must have at most ${soughtLengthMax} characters`).optional(),
  filters: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
})
