import type { Level } from '@tripline/engine'
import { addToFacts } from './incident-facts.ts'
import type { IncidentAlert, IncidentEntity, IncidentFacts } from './incident-facts.ts'
import { isBackwards } from './incident-status.ts'
import type { IncidentStatus } from './incident-status.ts'
import { levelDefault } from '../level.ts'

/** What opened an incident: a user, a program through the public API, a correlation rule, or alerts with something in common. */
export const incidentOrigins = ['user', 'api', 'rule', 'grouping'] as const
export type IncidentOrigin = (typeof incidentOrigins)[number]

/** A case of a tenant: alerts that belong together, and what is done about them. */
export type Incident = IncidentFacts & {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The highest of its alerts, unless a user set another. */
  readonly level: Level
  readonly isLevelSet: boolean
  readonly status: IncidentStatus
  /** Email of the assigned user. */
  readonly assignee: string | undefined
  readonly resolutionNote: string
  readonly origin: IncidentOrigin
  /** The incident that has its alerts since a merge. */
  readonly mergedInto: string | undefined
  /** The entities of most alerts. */
  readonly entities: readonly IncidentEntity[]
  readonly closedAt: number | undefined
  readonly reopenedAt: number | undefined
  /** Entries of its timeline, and comments. */
  readonly timelineLength: number
  readonly commentCount: number
  /** Counts the changes, from 1; and the version that the last edit made, which is older if the system has added to it since. */
  readonly version: number
  readonly editedVersion: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** An incident that is opened; without a level it has that of its alerts. */
export type NewIncident = Pick<Incident, 'id' | 'title' | 'description' | 'origin' | 'assignee'> & { readonly level: Level | undefined }

/** Changeable attributes of an incident; null removes the assignee, and lets the alerts decide about the level. */
export type IncidentChange = {
  readonly title?: string
  readonly description?: string
  readonly status?: IncidentStatus
  readonly level?: Level | null
  readonly assignee?: string | null
  readonly resolutionNote?: string
}

/** Who did something, as a timeline shows it: the email of a user, `apikey:<name>`, or the name of a part of the server. */
export type IncidentActor = string

/** What happened to an incident. */
export const timelineActions = [
  'created', 'title_changed', 'description_changed', 'status_changed', 'severity_changed', 'assignee_changed', 'resolution_noted',
  'commented', 'alert_added', 'alert_removed', 'merged_from', 'merged_into', 'split_from', 'split_into', 'response_action', 'delivery',
] as const
export type TimelineAction = (typeof timelineActions)[number]

export type TimelineEntry = {
  readonly incidentId: string
  /** The number among the entries of its incident, from 1. */
  readonly number: number
  readonly at: number
  readonly actor: IncidentActor
  readonly action: TimelineAction
  readonly detail: TimelineDetail
}

export type NewTimelineEntry = Pick<TimelineEntry, 'action' | 'detail'>

/** Facts about an entry, such as `from` and `to` of a change. */
export type TimelineDetail = { readonly [name: string]: string | number | null | readonly string[] }

export type IncidentComment = { readonly id: string; readonly author: IncidentActor; readonly text: string; readonly createdAt: number }

/** Opens an incident without alerts. */
export function openIncident({ level, ...stated }: NewIncident, at: number): Incident {
  return {
    ...stated, level: level ?? levelDefault, isLevelSet: level !== undefined, status: 'open', resolutionNote: '', mergedInto: undefined,
    alertCount: 0, worst: undefined, attack: { tactics: [], techniques: [] }, firstAlertAt: undefined, lastAlertAt: undefined,
    firstEventAt: undefined, lastEventAt: undefined, entities: [], closedAt: undefined, reopenedAt: undefined,
    timelineLength: 0, commentCount: 0, version: 1, editedVersion: 1, createdAt: at, updatedAt: at,
  }
}

/** An incident with other facts about its alerts, which decide about its level unless a user has. */
export function withFacts(incident: Incident, facts: IncidentFacts): Incident {
  const level = incident.isLevelSet ? incident.level : (facts.worst?.level ?? incident.level)
  return { ...incident, ...facts, level }
}

export function withAlerts(incident: Incident, alerts: readonly IncidentAlert[]): Incident {
  return withFacts(incident, addToFacts(incident, alerts))
}

/** Changes an incident, and says what happened for its timeline. Without entries nothing changed. */
export function changeIncident(
  incident: Incident, change: IncidentChange, at: number,
): { readonly next: Incident; readonly entries: readonly NewTimelineEntry[] } {
  const entries: NewTimelineEntry[] = []
  const note = (action: TimelineAction, from: string | null, to: string | null): void => {
    if (from !== to) entries.push({ action, detail: { from, to } })
  }
  const { title = incident.title, description = incident.description, resolutionNote = incident.resolutionNote } = change
  const { status = incident.status } = change
  const assignee = change.assignee === undefined ? incident.assignee : (change.assignee ?? undefined)
  const levelled = changeLevel(incident, change.level)
  note('title_changed', incident.title, title)
  note('description_changed', incident.description, description)
  note('severity_changed', printLevel(incident), printLevel(levelled))
  note('assignee_changed', incident.assignee ?? null, assignee ?? null)
  note('resolution_noted', incident.resolutionNote, resolutionNote)
  note('status_changed', incident.status, status)
  if (entries.length === 0) return { next: incident, entries }
  const closedAt = status === 'closed' ? (incident.closedAt ?? at) : undefined
  const reopenedAt = isBackwards(incident.status, status) ? at : incident.reopenedAt
  return { next: { ...levelled, title, description, assignee, resolutionNote, status, closedAt, reopenedAt }, entries }
}

function changeLevel(incident: Incident, level: IncidentChange['level']): Incident {
  if (level === undefined) return incident
  if (level === null) return { ...incident, isLevelSet: false, level: incident.worst?.level ?? incident.level }
  return { ...incident, isLevelSet: true, level }
}

function printLevel({ level, isLevelSet }: Pick<Incident, 'level' | 'isLevelSet'>): string {
  return isLevelSet ? `${level}, set by hand` : level
}
