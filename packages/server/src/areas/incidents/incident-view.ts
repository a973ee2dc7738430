import type {
  IncidentBody, IncidentCommentBody, IncidentDetailBody, TimelineEntryBody,
} from '@tripline/contract/console/incident'
import { mitreKey } from '@tripline/contract/console/rule'
import type { Incident, IncidentComment, TimelineEntry } from '@tripline/model/incidents/incident'
import { summarizeIncident } from '@tripline/model/incidents/incident-summary'
import { consoleLevels } from '@tripline/model/level'
import type { SlaTerms } from '@tripline/model/incidents/response-targets'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import type { IncidentDetail } from '../../incidents/incidents.ts'
import { printAlert } from '../shared/print-alert.ts'
import { printSla } from '../shared/sla.ts'
import { listActions } from './public-incident-view.ts'

export function printIncident(incident: Incident, terms: SlaTerms): IncidentBody {
  return {
    id: incident.id,
    title: incident.title,
    description: incident.description,
    severity: consoleLevels[incident.level],
    ...(incident.level === 'informational' ? { severity_raw: 'info' } : {}),
    severity_set: incident.isLevelSet,
    // The console has a word for each status, and it is the internal one.
    status: incident.status,
    assignee: incident.assignee ?? null,
    origin: incident.origin,
    alert_count: incident.alertCount,
    first_alert_at: printInstant(incident.firstAlertAt),
    last_alert_at: printInstant(incident.lastAlertAt),
    first_event_at: printInstant(incident.firstEventAt),
    last_event_at: printInstant(incident.lastEventAt),
    [mitreKey]: { tactics: [...incident.attack.tactics], techniques: [...incident.attack.techniques] },
    entities: incident.entities.map(({ kind, value, alertCount, firstEventAt, lastEventAt }) =>
      ({ type: kind, value, alert_count: alertCount, first_seen: formatTimestamp(firstEventAt), last_seen: formatTimestamp(lastEventAt) })),
    ai_summary: summarizeIncident(incident),
    ai_summary_source: 'template',
    resolution_note: incident.resolutionNote,
    merged_into: incident.mergedInto ?? null,
    sla: printSla(incident, terms),
    created_at: formatTimestamp(incident.createdAt),
    updated_at: formatTimestamp(incident.updatedAt),
    closed_at: printInstant(incident.closedAt),
    reopened_at: printInstant(incident.reopenedAt),
  }
}

export function printIncidentDetail(detail: IncidentDetail, terms: SlaTerms): IncidentDetailBody {
  const { incident, alerts, comments, timeline, assets, runs } = detail
  return {
    ...printIncident(incident, terms),
    related_alerts: alerts.map((alert) => printAlert(alert, terms)),
    affected_assets: assets.map(({ id, hostname, criticality, riskScore }) => ({ id, hostname, criticality, risk_score: riskScore })),
    response_actions: runs.flatMap(listActions).map((action) => ({ ...action, at: formatTimestamp(action.at) })),
    comments: comments.map((comment) => printComment(incident.id, comment)),
    timeline: timeline.map(printTimelineEntry),
  }
}

export function printComment(incidentId: string, { id, author, text, createdAt }: IncidentComment): IncidentCommentBody {
  return { id, incident_id: incidentId, author, content: text, created_at: formatTimestamp(createdAt) }
}

export function printTimelineEntry({ number, at, actor, action, detail }: TimelineEntry): TimelineEntryBody {
  const shown = Object.entries(detail).map(([name, value]) => [name, typeof value === 'object' && value !== null ? [...value] : value])
  return { number, at: formatTimestamp(at), actor, action, detail: Object.fromEntries(shown) }
}

function printInstant(at: number | undefined): string | null {
  return at === undefined ? null : formatTimestamp(at)
}
