import type { EventRef } from '@tripline/formats/event/event-id'
import type { Alert, AlertChange, AlertStatus, NewAlert } from '@tripline/model/alert'
import type { MatchVerdict } from '@tripline/model/match'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { TenantList } from './list-query.ts'

/** Stores the alerts of tenants. */
export type AlertStore = TenantList<Alert> & {
  /**
   * Inserts matches, in order and all or none: each creates an alert or joins one; a match that is stored already
   * changes nothing, so a batch may be retried. Returns the outcome of each.
   */
  readonly insert: (tenant: TenantId, matches: readonly NewAlert[]) => Promise<readonly AlertInsertion[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Alert | undefined>
  /** Changes an alert and adds a comment, if there is one. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: AlertChange & { readonly comment?: NewComment },
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Alert>>
  /** The comments of an alert, oldest first. */
  readonly comments: (tenant: TenantId, id: string) => Promise<readonly AlertComment[]>
  /** The first and last matches of an alert with their events, in order of arrival. */
  readonly evidence: (tenant: TenantId, id: string) => Promise<readonly AlertEvidence[]>
  /** The alert that a match belongs to. */
  readonly alertOfMatch: (tenant: TenantId, matchId: string) => Promise<string | undefined>
  /**
   * Removes alerts last changed before an instant, oldest first and at most `limit`, with their matches and comments;
   * returns how many.
   */
  readonly removeOld: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
  /** The number of alerts by verdict, of each rule that has any; removed alerts are included. */
  readonly verdicts: (tenant: TenantId, ruleIds: readonly string[]) => Promise<ReadonlyMap<string, AlertVerdicts>>
  /** The same for all rules together. */
  readonly allVerdicts: (tenant: TenantId) => Promise<AlertVerdicts>
  /** The exact number of alerts by status and level, of the stored ones; combinations without any are left out. */
  readonly countByStatus: (tenant: TenantId) => Promise<readonly AlertCount[]>
  /** The exact number of stored alerts that were created at an instant or later. */
  readonly countSince: (tenant: TenantId, createdAt: number) => Promise<number>
}

export type AlertVerdicts = { readonly [verdict in MatchVerdict]: number }

export type AlertCount = { readonly status: AlertStatus; readonly level: Alert['level']; readonly count: number }

export type AlertInsertion = {
  readonly outcome: 'created' | 'grouped' | 'known'
  /** The alert of the match. */
  readonly alertId: string
}

type NewComment = { readonly id: string; readonly author: string; readonly text: string }

export type AlertComment = NewComment & { readonly createdAt: number }

export type AlertEvidence = {
  readonly matchId: string
  readonly matchedAt: number
  readonly event: string
  /** Identifies the stored event; undefined where it is unknown. */
  readonly eventRef: EventRef | undefined
}
