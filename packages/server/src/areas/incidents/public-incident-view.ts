import type { PublicIncident, PublicIncidentComment, PublicIncidentDetail } from '@tripline/contract/public/incident'
import type { Incident, IncidentComment, TimelineDetail, TimelineEntry } from '@tripline/model/incidents/incident'
import { summarizeIncident } from '@tripline/model/incidents/incident-summary'
import type { PlaybookRun } from '@tripline/model/playbooks/playbook'
import { severityOfLevel } from '@tripline/model/public-words'
import type { IncidentDetail } from '../../incidents/incidents.ts'
import { toPublicAlert } from '../shared/public-alert.ts'

/** An incident as the public API lists it. */
export function toPublicIncident(incident: Incident): PublicIncident {
  return {
    id: incident.id,
    title: incident.title,
    severity: severityOfLevel[incident.level],
    status: incident.status,
    alert_count: incident.alertCount,
    created_at: incident.createdAt,
    updated_at: incident.updatedAt,
    assignee: incident.assignee ?? null,
    mitre_tactics: incident.attack.tactics,
    mitre_techniques: incident.attack.techniques,
    ai_summary: summarizeIncident(incident),
    ai_summary_source: 'template',
  }
}

/** An incident as the public API shows it by itself. */
export function toPublicIncidentDetail(detail: IncidentDetail, publicUrl: string): PublicIncidentDetail {
  const { incident, alerts, comments, timeline, assets, runs } = detail
  return {
    ...toPublicIncident(incident),
    description: incident.description,
    origin: incident.origin,
    entities: incident.entities.map(({ kind, value, alertCount }) => ({ type: kind, value, alert_count: alertCount })),
    timeline: timeline.map(toTimelineEntry),
    related_alerts: alerts.map(toPublicAlert),
    affected_assets: assets.map(({ id, hostname, criticality, riskScore }) => ({ id, hostname, criticality, risk_score: riskScore })),
    response_actions: runs.flatMap(listActions),
    comments: comments.map((comment) => toPublicComment(incident.id, comment)),
    resolution_note: incident.resolutionNote,
    merged_into: incident.mergedInto ?? null,
    severity_set: incident.isLevelSet,
    closed_at: incident.closedAt ?? null,
    reopened_at: incident.reopenedAt ?? null,
    url: `${publicUrl}/incidents/${incident.id}`,
  }
}

/** The steps of a run as response actions; those without an end are as old as the run. */
export function listActions(
  { id, playbookName, requestedBy, records, createdAt }: PlaybookRun,
): readonly PublicIncidentDetail['response_actions'][number][] {
  return records.map(({ type, status, at = createdAt, result }, index) => ({
    id: `${id}_${index + 1}`, type, status, requested_by: requestedBy === '' ? `playbook:${playbookName}` : requestedBy, at, result,
  }))
}

export function toPublicComment(incidentId: string, { id, author, text, createdAt }: IncidentComment): PublicIncidentComment {
  return { id, incident_id: incidentId, content: text, author, created_at: createdAt }
}

function toTimelineEntry({ at, actor, action, detail }: TimelineEntry): PublicIncidentDetail['timeline'][number] {
  const facts = Object.entries(detail).map(([name, value]) => `${name}: ${printFact(value)}`)
  return { at, actor, action, detail: facts.join('; ') }
}

function printFact(value: TimelineDetail[string]): string {
  if (value === null) return 'none'
  return typeof value === 'object' ? value.join(', ') : String(value)
}
