import type { EventRef } from '@tripline/formats/event/event-id'
import type { Alert, AlertChange, AlertStatus, NewAlert } from '@tripline/model/alert'
import type { MatchVerdict } from '@tripline/model/match'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { ListSelection, TenantList } from './list-query.ts'

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
  /**
   * The alerts that a stored event is part of, also as one of several that a correlation counted; at most `alertsOfEventMax` of
   * each kind. Those of earlier releases name no event, or the newest of a correlation alone.
   */
  readonly alertsOfEvent: (tenant: TenantId, ref: EventRef) => Promise<readonly string[]>
  /** The alert that a match belongs to. */
  readonly alertOfMatch: (tenant: TenantId, matchId: string) => Promise<string | undefined>
  /**
   * Removes alerts last changed before an instant, oldest first and at most `limit`, with their matches and comments;
   * returns how many.
   */
  readonly removeOld: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
  /**
   * Counts the alerts of a selection by the span of time that they were created in, its severity and status; spans are between
   * neighbouring edges, the upper excluded, and are counted newest first. Between two spans others run, and the signal ends it
   * early: `countedFrom` is then the index of the oldest span that was counted.
   */
  readonly countOverTime: (
    tenant: TenantId, selection: Pick<ListSelection, 'where' | 'text'>, options: CountOptions,
  ) => Promise<AlertTimeCounts>
  /** The newest alerts of a selection, at most `limit`, with what they are counted by; between chunks others run. */
  readonly newest: (
    tenant: TenantId, selection: Pick<ListSelection, 'where' | 'text'>, options: { readonly limit: number },
  ) => Promise<readonly AlertFacts[]>
  /**
   * The alerts that were acknowledged, or closed, in a span of time: how many, and how long each took on average. Of a selection it
   * reads their rows; once the signal aborts, the days that are left are not counted.
   */
  readonly answerTimes: (
    tenant: TenantId, answer: 'acknowledged' | 'closed', span: { readonly from: number; readonly to: number }, options?: AnswerOptions,
  ) => Promise<AnswerTimes>
  /** When the oldest alert was created; undefined if there is none. */
  readonly oldestAt: (tenant: TenantId) => Promise<number | undefined>
  /** The number of alerts by verdict, of each rule that has any; removed alerts are included. */
  readonly verdicts: (tenant: TenantId, ruleIds: readonly string[]) => Promise<ReadonlyMap<string, AlertVerdicts>>
  /** Of stored alerts that changed at an instant or later, how many were judged true and false, of each rule that has any. */
  readonly judgedSince: (tenant: TenantId, ruleIds: readonly string[], since: number) => Promise<ReadonlyMap<string, JudgedAlerts>>
  /** The numbers by verdict of all rules together, with removed alerts. */
  readonly allVerdicts: (tenant: TenantId) => Promise<AlertVerdicts>
  /** The exact number of alerts by status and level, of the stored ones; combinations without any are left out. */
  readonly countByStatus: (tenant: TenantId) => Promise<readonly AlertCount[]>
  /** The exact number of stored alerts that were created at an instant or later. */
  readonly countSince: (tenant: TenantId, createdAt: number) => Promise<number>
}

type AnswerOptions = {
  readonly selection: Pick<ListSelection, 'where' | 'text'>
  readonly signal: Pick<AbortSignal, 'aborted'>
}

type CountOptions = { readonly edges: readonly number[]; readonly signal: Pick<AbortSignal, 'aborted'> }

export type AlertTimeCounts = { readonly counts: readonly AlertTimeCount[]; readonly countedFrom: number }

/** Alerts of one span, level and status: at least one. */
export type AlertTimeCount = {
  readonly span: number
  readonly level: Alert['level']
  readonly status: AlertStatus
  readonly count: number
}

/** Milliseconds from creation to answer, on average; undefined without alerts. */
export type AnswerTimes = { readonly count: number; readonly meanMs: number | undefined }

/** What alerts are counted and grouped by. */
export type AlertFacts = Pick<
  Alert, 'id' | 'ruleId' | 'ruleTitle' | 'level' | 'status' | 'verdict' | 'version' | 'assignee' | 'source' | 'createdAt' | 'lastSeenAt'
> & { readonly host: string; readonly user: string; readonly tactics: readonly string[] }

export type AlertVerdicts = { readonly [verdict in MatchVerdict]: number }

/** Numbers of alerts that people judged true and false. */
export type JudgedAlerts = { readonly truePositives: number; readonly falsePositives: number }

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
