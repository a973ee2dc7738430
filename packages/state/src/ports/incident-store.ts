import type { Alert } from '@tripline/model/alert'
import type { JoinableIncident } from '@tripline/model/incidents/grouping'
import type {
  Incident, IncidentActor, IncidentChange, IncidentComment, NewIncident, NewTimelineEntry, TimelineAction,
} from '@tripline/model/incidents/incident'
import type { Entity } from '@tripline/model/incidents/incident-facts'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { TenantList } from './list-query.ts'

/** The terms of a change of an incident: who makes it is on its timeline. */
export type IncidentTerms = ChangeTerms & { readonly by: IncidentActor }

/**
 * Stores incidents. Each change writes the timeline of the incident, and what the incident knows of its alerts, in its own
 * transaction. An alert is in one incident at most: callers check that, and the limits, before.
 */
export type IncidentStore = TenantList<Incident> & {
  /** Opens an incident with alerts that are in none. */
  readonly insert: (
    tenant: TenantId, incident: NewIncident, alerts: readonly Alert[], terms: Pick<IncidentTerms, 'at' | 'by'>,
  ) => Promise<Incident>
  readonly get: (tenant: TenantId, id: string) => Promise<Incident | undefined>
  readonly update: (tenant: TenantId, id: string, change: IncidentChange, terms: IncidentTerms) => Promise<ChangeResult<Incident>>
  readonly addComment: (
    tenant: TenantId, id: string, comment: Pick<IncidentComment, 'id' | 'text'>, terms: IncidentTerms,
  ) => Promise<ChangeResult<Incident>>
  /** The comments of an incident, oldest first. */
  readonly comments: (tenant: TenantId, id: string) => Promise<readonly IncidentComment[]>
  /** Adds alerts that are in no incident; those that are in this one change nothing. */
  readonly addAlerts: (tenant: TenantId, id: string, alerts: readonly Alert[], terms: IncidentTerms) => Promise<ChangeResult<Incident>>
  /** Removes alerts; those that are not in the incident change nothing. */
  readonly removeAlerts: (
    tenant: TenantId, id: string, alertIds: readonly string[], terms: IncidentTerms,
  ) => Promise<ChangeResult<Incident>>
  /** Opens an incident with alerts of another one, and says so in both timelines. */
  readonly split: (
    tenant: TenantId, incident: NewIncident, origin: { readonly from: string; readonly alerts: readonly Alert[] },
    terms: Pick<IncidentTerms, 'at' | 'by'>,
  ) => Promise<Incident>
  /** Moves alerts between two incidents, and says so in both timelines. */
  readonly moveAlerts: (tenant: TenantId, move: AlertMove, terms: Pick<IncidentTerms, 'at' | 'by'>) => Promise<void>
  /** Closes an incident as merged into another, which gets copies of its comments. */
  readonly markMerged: (tenant: TenantId, id: string, into: string, terms: Pick<IncidentTerms, 'at' | 'by'>) => Promise<void>
  /** Adds an entry to a timeline, such as a delivery. */
  readonly note: (tenant: TenantId, id: string, entry: NewTimelineEntry, terms: IncidentTerms) => Promise<ChangeResult<Incident>>
  /** The alerts of an incident, newest first. */
  readonly alerts: (tenant: TenantId, id: string, limit: number) => Promise<readonly Alert[]>
  /** Which of some alerts are in an incident, or were once. */
  readonly findGrouped: (tenant: TenantId, alertIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** The active incidents that one of the entities was seen in, in a range of time, with those of the entities. */
  readonly findJoinable: (
    tenant: TenantId, entities: readonly Entity[], range: { readonly from: number; readonly to: number },
  ) => Promise<readonly JoinableIncident[]>
  /** The number of active incidents. */
  readonly countActive: (tenant: TenantId) => Promise<number>
  /** Removes incidents last changed before an instant, oldest first and at most `limit`, with all of theirs; returns how many. */
  readonly removeOld: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
}

type AlertMove = {
  readonly from: string
  readonly to: string
  readonly alerts: readonly Alert[]
  /** What the timelines of both call it. */
  readonly fromAction: Extract<TimelineAction, 'merged_into' | 'split_into'>
  readonly toAction: Extract<TimelineAction, 'merged_from' | 'split_from'>
}
