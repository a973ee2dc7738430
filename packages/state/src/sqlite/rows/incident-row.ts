import type { Level } from '@tripline/engine'
import type { Incident, TimelineDetail, TimelineEntry } from '@tripline/model/incidents/incident'
import { levelRank } from '@tripline/model/level'
import type { IncidentRow, IncidentTimelineRow } from './incident-tables.ts'
import { parseTextList } from './stored-list.ts'

const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const satisfies readonly Level[]

const levelOfRank = new Map<number, Level>(levels.map((level) => [levelRank[level], level]))

/** Parses the row of an incident. @throws Error for an invalid row. */
export function parseIncidentRow(row: IncidentRow): Incident {
  const { tactics, techniques, worstAlert, entities, assignee, mergedInto } = row
  const level = levelOfRank.get(row.level)
  if (level === undefined) throw new Error(`the row of incident '${row.id}' is not valid`)
  return {
    id: row.id, title: row.title, description: row.description, level, isLevelSet: row.isLevelSet === 1, status: row.status,
    assignee: assignee === '' ? undefined : assignee, resolutionNote: row.resolutionNote, origin: row.origin,
    mergedInto: mergedInto === '' ? undefined : mergedInto,
    alertCount: row.alertCount,
    // The server wrote both.
    worst: worstAlert === '' ? undefined : JSON.parse(worstAlert) as Incident['worst'],
    attack: { tactics: parseTextList(tactics), techniques: parseTextList(techniques) },
    entities: JSON.parse(entities) as Incident['entities'],
    firstAlertAt: toInstant(row.firstAlertAt), lastAlertAt: toInstant(row.lastAlertAt),
    firstEventAt: toInstant(row.firstEventAt), lastEventAt: toInstant(row.lastEventAt),
    closedAt: toInstant(row.closedAt), reopenedAt: toInstant(row.reopenedAt),
    timelineLength: row.timelineLength, commentCount: row.commentCount,
    version: row.version, editedVersion: row.editedVersion, createdAt: row.createdAt, updatedAt: row.updatedAt,
  }
}

/** The columns of an incident. */
export function toIncidentColumns(incident: Incident): Omit<IncidentRow, 'tenantId'> {
  const { level, isLevelSet, assignee = '', mergedInto = '', worst, attack, entities, ...rest } = incident
  const { firstAlertAt = 0, lastAlertAt = 0, firstEventAt = 0, lastEventAt = 0, closedAt = 0, reopenedAt = 0, ...plain } = rest
  return {
    ...plain, level: levelRank[level], isLevelSet: Number(isLevelSet), assignee, mergedInto,
    firstAlertAt, lastAlertAt, firstEventAt, lastEventAt, closedAt, reopenedAt,
    worstAlert: worst === undefined ? '' : JSON.stringify(worst),
    tactics: JSON.stringify(attack.tactics), techniques: JSON.stringify(attack.techniques), entities: JSON.stringify(entities),
  }
}

export function parseTimelineRow({ tenantId: _tenant, detail, ...entry }: IncidentTimelineRow): TimelineEntry {
  return { ...entry, detail: JSON.parse(detail) as TimelineDetail }
}

/** 0 stands for none. */
function toInstant(column: number): number | undefined {
  return column === 0 ? undefined : column
}
