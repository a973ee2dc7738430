import type { IncidentOrigin, TimelineAction } from '@tripline/model/incidents/incident'
import type { EntityKind } from '@tripline/model/incidents/incident-facts'
import type { IncidentStatus } from '@tripline/model/incidents/incident-status'
import type { Flag } from '../query/dialect.ts'

// The tables of incidents, part of `Tables`.

export type IncidentRow = {
  readonly tenantId: string
  readonly id: string
  readonly title: string
  readonly description: string
  /** The rank of the level, so that lists sort by severity. */
  readonly level: number
  readonly isLevelSet: Flag
  readonly status: IncidentStatus
  readonly assignee: string
  readonly resolutionNote: string
  readonly origin: IncidentOrigin
  readonly mergedInto: string
  readonly alertCount: number
  /** JSON; empty without alerts. */
  readonly worstAlert: string
  readonly tactics: string
  readonly techniques: string
  /** JSON: the entities of most alerts. */
  readonly entities: string
  readonly firstAlertAt: number
  readonly lastAlertAt: number
  readonly firstEventAt: number
  readonly lastEventAt: number
  readonly closedAt: number
  readonly reopenedAt: number
  readonly timelineLength: number
  readonly commentCount: number
  readonly version: number
  readonly editedVersion: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type IncidentEntityRow = {
  readonly tenantId: string
  readonly incidentId: string
  readonly kind: EntityKind
  readonly value: string
  readonly alertCount: number
  readonly firstAt: number
  readonly lastAt: number
  readonly firstEventAt: number
  readonly lastEventAt: number
}

/** An alert that is of an incident, or was once: then it is not grouped again. */
export type IncidentAlertRow = {
  readonly tenantId: string
  readonly alertId: string
  readonly incidentId: string
  readonly addedAt: number
  readonly isMember: Flag
}

export type IncidentCommentRow = {
  readonly tenantId: string
  readonly incidentId: string
  readonly id: string
  readonly author: string
  readonly text: string
  readonly createdAt: number
}

export type IncidentTimelineRow = {
  readonly tenantId: string
  readonly incidentId: string
  readonly number: number
  readonly at: number
  readonly actor: string
  readonly action: TimelineAction
  /** JSON. */
  readonly detail: string
}
