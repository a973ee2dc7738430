import { z } from 'zod'

/**
 * The contract of the public API, written from its published description and independently of the code: what each profile's
 * answers hold at least. More fields are allowed, other types are not.
 */
const text = z.string()
const uuid = z.uuid()
const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const count = z.int().min(0)
const severity = z.enum(['critical', 'high', 'medium', 'low', 'info'])
const parentTechnique = z.string().regex(/^T\d+$/)

const alertA = z.object({
  id: uuid, title: text, severity, status: z.enum(['OPEN', 'IN_PROGRESS', 'RESOLVED', 'FALSE_POSITIVE']), source: text,
  mitreTactic: text.nullable(), mitreTechnique: parentTechnique.nullable(), createdAt: timestamp, description: text,
})

const alertB = z.object({
  id: text, title: text, severity, status: z.enum(['open', 'in_progress', 'resolved', 'false_positive']), source_type: text,
  source_ip: text, mitre_tactic: text.nullable(), mitre_technique: text.nullable(), created_at: timestamp, event_count: count,
  ai_summary: text,
})

const alertStats = z.object({
  total_alerts: count, open_alerts: count, critical_alerts: count, high_alerts: count, alerts_today: count, alerts_this_week: count,
  resolved_alerts: count, false_positive_alerts: count,
})

const incidentA = z.object({
  id: text, title: text, severity, status: z.enum(['OPEN', 'CONTAINED', 'ERADICATED', 'RECOVERED', 'CLOSED']), alertCount: count,
  createdAt: timestamp, assignedTo: text.nullable(), mitreTactic: text.nullable(), mitreTechnique: parentTechnique.nullable(),
})

const incidentB = z.object({
  id: text, title: text, severity, status: z.enum(['open', 'investigating', 'contained', 'resolved', 'closed']), alert_count: count,
  created_at: timestamp, updated_at: timestamp, assignee: z.email().nullable(), mitre_tactics: z.array(text), ai_summary: text,
})

const frameworkA = z.object({
  id: text, name: text, version: text, totalControls: count, assessableControls: count, score: z.number(),
  lastAssessedAt: timestamp.nullable(), verification: text,
})
const frameworkB = z.object({
  id: text, name: text, version: text, total_controls: count, assessable_controls: count, score: z.number(),
  last_assessed_at: timestamp.nullable(), verification: text,
})
const coverageA = z.object({
  framework: text, totalControls: count, compliant: count, partial: count, nonCompliant: count, notAssessed: count, score: z.number(),
})
const coverageB = z.object({
  framework: text, total_controls: count, compliant: count, partial: count, non_compliant: count, not_assessed: count, score: z.number(),
})
const controlA = z.object({
  id: text, title: text, category: text, status: z.enum(['COMPLIANT', 'PARTIAL', 'NON_COMPLIANT', 'NOT_ASSESSED']), assessable: z.boolean(),
  method: z.enum(['automatic', 'manual', 'none']), evidenceCount: count, lastEvidenceAt: timestamp.nullable(), reasons: z.array(text),
  mappedRules: count, owner: text, note: text,
})
const controlB = z.object({
  id: text, title: text, category: text, status: z.enum(['compliant', 'partial', 'non_compliant', 'not_assessed']), assessable: z.boolean(),
  method: z.enum(['automatic', 'manual', 'none']), evidence_count: count, last_evidence_at: timestamp.nullable(), reasons: z.array(text),
  mapped_rules: count, owner: text, note: text,
})
const jobA = z.object({
  jobId: text, status: z.enum(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED']), frameworks: z.array(text), requestedAt: timestamp,
  statusUrl: text,
})
const jobB = z.object({
  job_id: text, status: z.enum(['queued', 'running', 'succeeded', 'failed']), frameworks: z.array(text), requested_at: timestamp,
  status_url: text,
})

const pageA = (entry: z.ZodType) => z.strictObject({
  content: z.array(entry), totalElements: count, totalPages: count, number: count, size: count,
})
const pageB = (entry: z.ZodType) => z.object({
  data: z.array(entry), pagination: z.object({ page: count, size: count, total: count, total_pages: count }),
})

const searchA = z.object({
  events: z.array(z.object({ timestamp, source: text, host: text, severity: text, message: text })), total: count,
  histogram: z.array(z.object({ time: timestamp, count, breakdown: z.record(severity, count.min(1).optional()) })).min(1), queryTime: count,
})
const searchB = z.object({
  data: z.array(z.object({
    timestamp, source_type: text, source_ip: text, event_id: z.int().nullable(), message: text, fields: z.record(z.string(), z.unknown()),
  })),
  total: count,
})

const part = z.array(z.object({}))
const incidentExtraA = { timeline: part, relatedAlerts: z.array(alertA.extend({ id: text })), affectedAssets: part, responseActions: part }
const incidentExtraB = { timeline: part, related_alerts: z.array(alertB), affected_assets: part, response_actions: part }

const commentA = z.object({ id: text, incidentId: text, content: text, author: text, createdAt: timestamp })
const commentB = z.object({ id: text, incident_id: text, content: text, author: text, created_at: timestamp })

const ruleA = z.object({
  id: text, title: text, description: text, severity, status: z.enum(['ACTIVE', 'INACTIVE', 'DRAFT']), mitreTactic: text.nullable(),
  mitreTechnique: parentTechnique.nullable(), enabled: z.boolean(), author: text,
  logSource: z.object({ product: text.optional(), category: text.optional(), service: text.optional() }), tags: z.array(text),
  matches24h: count, createdAt: timestamp, updatedAt: timestamp,
})
const ruleB = z.object({
  id: text, title: text, description: text, severity, status: z.enum(['active', 'inactive', 'draft']), mitre_tactic: text.nullable(),
  mitre_technique: text.nullable(), enabled: z.boolean(), author: text,
  log_source: z.object({ product: text.optional(), category: text.optional(), service: text.optional() }), tags: z.array(text),
  matches_24h: count, created_at: timestamp, updated_at: timestamp,
})

const assetA = z.object({
  id: text, hostname: text, ipAddresses: z.array(text), macAddresses: z.array(text),
  type: z.enum(['server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown']),
  os: text, osFamily: text, criticality: text, owner: text, tags: z.array(text), riskScore: count,
  riskLevel: z.enum(['low', 'medium', 'high', 'critical']),
  vulnerabilities: z.object({ critical: count, high: count, medium: count, low: count, exploitable: count }), openAlerts: count,
  lastSeen: timestamp.nullable(), lastScanAt: timestamp.nullable(), scanStale: z.boolean(), sources: z.array(text),
})
const assetB = z.object({
  id: text, hostname: text, ip_addresses: z.array(text), mac_addresses: z.array(text), type: assetA.shape.type, os: text, os_family: text,
  criticality: text, owner: text, tags: z.array(text), risk_score: count, risk_level: assetA.shape.riskLevel,
  vulnerabilities: assetA.shape.vulnerabilities, open_alerts: count, last_seen: timestamp.nullable(), last_scan_at: timestamp.nullable(),
  scan_stale: z.boolean(), sources: z.array(text),
})

const events = z.array(z.enum(['alert.created', 'alert.updated', 'incident.created', 'incident.updated', 'collector.disconnected']))
const webhook = {
  id: text, name: text, url: z.url(), events, filters: z.object({ severity: z.array(severity) }), enabled: z.boolean(), status: text,
}
const webhookA = z.object({ ...webhook, createdAt: timestamp, updatedAt: timestamp, lastDeliveryAt: timestamp.nullable(), failureCount: count })
const webhookB = z.object({ ...webhook, created_at: timestamp, updated_at: timestamp, last_delivery_at: timestamp.nullable(), failure_count: count })
const secret = z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
const delivery = { id: text, event: text, attempt: count, status: text, error: text.nullable() }
const deliveryA = z.object({ ...delivery, httpStatus: count.nullable(), durationMs: count.nullable(), nextAttemptAt: timestamp.nullable(), requestBody: text, responseSnippet: text })
const deliveryB = z.object({ ...delivery, http_status: count.nullable(), duration_ms: count.nullable(), next_attempt_at: timestamp.nullable(), request_body: text, response_snippet: text })

const collectorA = z.object({
  id: text, hostname: text, status: z.enum(['pending', 'online', 'degraded', 'offline', 'retired']), version: text, osFamily: text,
  lastHeartbeat: timestamp.nullable(), eventsIngested: count,
})
const collectorB = z.object({
  id: text, name: text, hostname: text, status: z.enum(['pending', 'connected', 'degraded', 'disconnected', 'retired']), version: text, os: text,
  last_seen: timestamp.nullable(), events_per_second: z.number(), uptime_hours: z.number(),
})
const sourceState = { name: text, type: text, status: text }
const collectorDetailA = collectorA.extend({
  health: z.object({ cpuPercent: z.number().nullable(), memoryMb: z.number().nullable(), lastError: text.nullable(), configVersion: text.nullable(), clockSkewMs: z.int().nullable() }),
  sources: z.array(z.object({ ...sourceState, eventsPerSecond: z.number(), lastEventAt: timestamp.nullable(), lastError: text.nullable() })),
  buffer: z.object({ events: count, bytes: count, capacityBytes: count, oldestEventAt: timestamp.nullable(), droppedTotal: count }),
})
const collectorDetailB = collectorB.extend({
  health: z.object({ cpu_percent: z.number().nullable(), memory_mb: z.number().nullable(), last_error: text.nullable(), config_version: text.nullable(), clock_skew_ms: z.int().nullable() }),
  sources: z.array(z.object({ ...sourceState, events_per_second: z.number(), last_event_at: timestamp.nullable(), last_error: text.nullable() })),
  buffer: z.object({ events: count, bytes: count, capacity_bytes: count, oldest_event_at: timestamp.nullable(), dropped_total: count }),
})

/** Files are arrays in JSON. */
/** A report in the format JSON: in both profiles the same, as its other formats are. */
const reportDefinition = z.object({ title: text, subtitle: z.array(text), at: timestamp, sections: z.array(z.object({ title: text })) })
const file = (entry: z.ZodType = z.object({ id: text })) => ({ a: z.array(entry), b: z.array(entry) })

/** What each operation answers, by profile. */
export const publicContract: { readonly [operation: string]: { readonly a: z.ZodType; readonly b: z.ZodType } } = {
  'GET /alerts': { a: pageA(alertA), b: pageB(alertB) },
  'GET /alerts/:id': { a: alertA, b: alertB },
  'GET /alerts/stats': { a: alertStats, b: alertStats },
  'PATCH /alerts/:id': { a: alertA, b: alertB },
  'GET /incidents': { a: pageA(incidentA), b: pageB(incidentB) },
  'POST /incidents': { a: incidentA.extend({ ...incidentExtraA, id: uuid }), b: incidentB.extend({ ...incidentExtraB, id: uuid }) },
  'GET /incidents/:id': { a: incidentA.extend(incidentExtraA), b: incidentB.extend(incidentExtraB) },
  'PATCH /incidents/:id': { a: incidentA.extend(incidentExtraA), b: incidentB.extend(incidentExtraB) },
  'GET /incidents/:id/comments': { a: z.array(commentA), b: z.object({ data: z.array(commentB) }) },
  'POST /incidents/:id/comments': { a: commentA, b: commentB },
  'POST /incidents/:id/alerts': { a: incidentA.extend(incidentExtraA), b: incidentB.extend(incidentExtraB) },
  'DELETE /incidents/:id/alerts/:alertId': { a: incidentA.extend(incidentExtraA), b: incidentB.extend(incidentExtraB) },
  'POST /incidents/:id/merge': { a: incidentA.extend(incidentExtraA), b: incidentB.extend(incidentExtraB) },
  'POST /search': { a: searchA, b: searchB },
  'POST /siem/search': { a: searchA, b: searchB },
  'GET /siem/rules': { a: pageA(ruleA), b: pageB(ruleB) },
  'GET /rules': { a: pageA(ruleA), b: pageB(ruleB) },
  'GET /collectors': { a: z.array(collectorA), b: pageB(collectorB) },
  'GET /collectors/:id': { a: collectorDetailA, b: collectorDetailB },
  'GET /assets': { a: pageA(assetA), b: pageB(assetB) },
  'GET /assets/:id': { a: assetA, b: assetB },
  'POST /assets/import': {
    a: z.object({ rows: z.literal(2), created: count, changed: count, unchanged: count, rejected: z.literal(1), errors: z.array(z.object({ line: z.literal(2), message: text })), errorsTruncated: z.literal(false) }),
    b: z.object({ rows: z.literal(2), created: count, changed: count, unchanged: count, rejected: z.literal(1), errors: z.array(z.object({ line: z.literal(2), message: text })), errors_truncated: z.literal(false) }),
  },
  'GET /export/alerts': {
    a: z.array(alertA.pick({ title: true, severity: true, status: true, source: true, mitreTactic: true, mitreTechnique: true, createdAt: true, description: true }).extend({ verdict: text, assignee: text.nullable() })),
    b: z.array(alertB.extend({ verdict: text, assignee: text.nullable() })),
  },
  'GET /export/incidents': { a: z.array(incidentA.omit({ assignedTo: true }).extend({ closedAt: timestamp.nullable() })), b: z.array(incidentB.extend({ closed_at: timestamp.nullable() })) },
  'GET /export/detection-rules': file(z.object({ id: text, title: text, level: text, status: text, enabled: z.boolean(), tactics: z.array(text) })),
  'GET /export/assets': { a: z.array(assetA.pick({ id: true, hostname: true })), b: z.array(assetB.pick({ id: true, hostname: true, risk_score: true })) },
  'GET /export/audit-logs': file(z.object({ seq: count, at: timestamp, actor: text, action: text, target: text, outcome: text, hash: text })),
  'GET /export/identities': file(z.object({ id: text, name: text, email: text, department: text })),
  'GET /export/connectors': file(z.object({ id: text, name: text, type: text, status: text })),
  'GET /export/compliance-controls': {
    a: z.array(controlA.pick({ id: true, title: true, status: true, method: true, evidenceCount: true, lastEvidenceAt: true }).extend({ framework: text })),
    b: z.array(controlB.pick({ id: true, title: true, status: true, method: true, evidence_count: true, last_evidence_at: true }).extend({ framework: text })),
  },
  'GET /export/playbooks': {
    a: z.array(z.object({ id: text, name: text, trigger: text, steps: z.array(text), enabled: z.boolean(), runsTotal: count })),
    b: z.array(z.object({ id: text, name: text, trigger: text, steps: z.array(text), enabled: z.boolean(), runs_total: count })),
  },
  'GET /export/threat-intel-iocs': file(z.object({ type: text, value: text, confidence: count, source: text, hits: count })),
  'GET /export/risk-intelligence': {
    a: z.array(z.object({ entityType: text, entity: text, score: count, level: text, factors: z.array(text), calculatedAt: timestamp })),
    b: z.array(z.object({ entity_type: text, entity: text, score: count, level: text, factors: z.array(text), calculated_at: timestamp })),
  },
  'GET /export/subdomains': {
    a: z.array(z.object({ name: text, domain: text, firstSeen: timestamp.nullable(), lastSeen: timestamp.nullable(), ip: text, source: z.array(text) })),
    b: z.array(z.object({ name: text, domain: text, first_seen: timestamp.nullable(), last_seen: timestamp.nullable(), ip: text, source: z.array(text) })),
  },
  'GET /export/dsr': {
    a: z.array(z.object({ id: text, type: text, subjectRef: text, status: text, receivedAt: timestamp, dueAt: timestamp, closedAt: timestamp.nullable() })),
    b: z.array(z.object({ id: text, type: text, subject_ref: text, status: text, received_at: timestamp, due_at: timestamp, closed_at: timestamp.nullable() })),
  },
  'GET /export/notifications': file(z.object({ at: timestamp, channel: text, target: text, event: text, status: text, attempts: count })),
  'GET /compliance/frameworks': { a: z.array(frameworkA), b: z.object({ data: z.array(frameworkB) }) },
  'GET /compliance/:framework/coverage': { a: coverageA, b: coverageB },
  'GET /compliance/:framework/controls': { a: z.array(controlA), b: z.object({ data: z.array(controlB) }) },
  'GET /compliance/:framework/controls/:id': { a: controlA, b: controlB },
  'GET /compliance/:framework/report': { a: reportDefinition, b: reportDefinition },
  'POST /compliance/evidence/collect': { a: jobA, b: jobB },
  'GET /compliance/evidence/jobs/:id': { a: jobA, b: jobB },
  'GET /webhooks': { a: pageA(webhookA), b: pageB(webhookB) },
  'POST /webhooks': { a: webhookA.extend({ secret, id: uuid }), b: webhookB.extend({ secret, id: uuid, profile: z.literal('b') }) },
  'GET /webhooks/:id': { a: webhookA, b: webhookB },
  'PATCH /webhooks/:id': { a: webhookA, b: webhookB },
  'PUT /webhooks/:id': { a: webhookA, b: webhookB },
  'DELETE /webhooks/:id': { a: z.undefined(), b: z.undefined() },
  'POST /webhooks/:id/rotate-secret': { a: webhookA.extend({ secret }), b: webhookB.extend({ secret }) },
  'POST /webhooks/:id/test': { a: deliveryA, b: deliveryB },
  'POST /webhooks/:id/replay': { a: z.object({ queued: count }), b: z.object({ queued: count }) },
  'GET /webhooks/:id/deliveries': { a: pageA(deliveryA), b: pageB(deliveryB) },
  'POST /webhooks/:id/deliveries/:deliveryId/redeliver': { a: deliveryA, b: deliveryB },
}

/** The body of an error in each profile. */
export const publicError = {
  a: z.object({ error: text, message: text, status: z.int(), code: text, details: z.object({}).optional(), requestId: text }),
  b: z.object({ error: z.object({ code: text, message: text, details: z.object({ parameter: text, value: z.unknown() }) }) }),
}
