import type { Incident, TimelineEntry } from '@tripline/model/incidents/incident'
import { incidentFields, timelineFields } from '@tripline/model/lists/list-fields'
import { sql } from 'kysely'
import { parseIncidentRow, parseTimelineRow } from '../rows/incident-row.ts'
import type { IncidentRow, IncidentTimelineRow } from '../rows/incident-tables.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  severity: 'level',
  status: 'status',
  title: 'title',
  assignee: 'assignee',
  origin: 'origin',
  tactic: 'tactics',
  technique: 'techniques',
  alert_count: 'alertCount',
  first_alert_at: 'firstAlertAt',
  last_alert_at: 'lastAlertAt',
  first_event_at: 'firstEventAt',
  last_event_at: 'lastEventAt',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const satisfies { readonly [field in keyof typeof incidentFields]: keyof IncidentRow }

const texts = ['title', 'description', 'assignee', 'entities', 'id'] as const satisfies readonly (keyof IncidentRow)[]

/** The incidents of a tenant. */
export const incidentList: SqlList<IncidentRow, Incident> = {
  entries: 'incidents', fields: incidentFields, columns, texts,
  from: sql`incidents`, select: sql`*`, tenant: 'tenantId', id: 'id',
  parse: parseIncidentRow,
}

const timelineColumns = {
  incident_id: 'incidentId', number: 'number', at: 'at', actor: 'actor', action: 'action',
} as const satisfies { readonly [field in keyof typeof timelineFields]: keyof IncidentTimelineRow }

/** The timelines of a tenant's incidents; a number is an id within one of them. */
export const incidentTimelineList: SqlList<IncidentTimelineRow, TimelineEntry> = {
  entries: 'timeline entries', fields: timelineFields, columns: timelineColumns, texts: ['action', 'actor', 'detail'],
  from: sql`incident_timeline`, select: sql`*`, tenant: 'tenantId', id: 'number',
  parse: parseTimelineRow,
}
