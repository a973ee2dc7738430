import type { Alert, AlertChange, NewAlert } from '../domain/alert.ts'
import type { MatchVerdict, RuleMatch } from '../domain/match.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { ListPageInfo, ListQuery } from './list-query.ts'

/** Keeps the alerts of tenants. */
export type AlertStore = {
  /**
   * Makes alerts of matches, in order and all or none, or adds them to the alert they belong to; a match that was
   * taken in before changes nothing, so a batch may be handed over again. For each it says what became of it.
   */
  readonly insert: (tenant: TenantId, matches: readonly NewAlert[]) => Promise<readonly AlertInsertion[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Alert | undefined>
  readonly list: (tenant: TenantId, query: AlertQuery) => Promise<AlertPage>
  /** Changes an alert and adds a comment to it, where there is one. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: AlertChange & { readonly comment?: NewComment },
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Alert>>
  /** The comments of an alert, oldest first. */
  readonly comments: (tenant: TenantId, id: string) => Promise<readonly AlertComment[]>
  /** The first and last matches of an alert, in the order in which they came, with their events. */
  readonly evidence: (tenant: TenantId, id: string) => Promise<readonly AlertEvidence[]>
  /** The matches of a rule, with what their alerts say of them. */
  readonly matches: (tenant: TenantId, ruleId: string, query: ListQuery) => Promise<RuleMatchPage>
  /** The alert that a match came to. */
  readonly alertOfMatch: (tenant: TenantId, matchId: string) => Promise<string | undefined>
  /**
   * Removes alerts that changed last before an instant, oldest first and at most so many, with their matches and
   * comments, and says how many.
   */
  readonly removeOld: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
  /** How many alerts of a rule have had each verdict, those that were removed included. */
  readonly verdicts: (tenant: TenantId, ruleId: string) => Promise<{ readonly [verdict in MatchVerdict]: number }>
  /** The same of all rules together. */
  readonly allVerdicts: (tenant: TenantId) => Promise<{ readonly [verdict in MatchVerdict]: number }>
}

export type AlertInsertion = {
  readonly outcome: 'created' | 'grouped' | 'known'
  /** The alert that the match is in. */
  readonly alertId: string
}

export type NewComment = { readonly id: string; readonly author: string; readonly text: string }

export type AlertComment = NewComment & { readonly createdAt: number }

export type AlertEvidence = { readonly matchId: string; readonly matchedAt: number; readonly event: string }

/** Which alerts, in which order, and which of them: `limit` after a place, or after so many. */
export type AlertQuery = ListQuery

export type AlertPage = ListPageInfo & { readonly alerts: readonly Alert[] }

/** A page of the matches of a rule. */
export type RuleMatchPage = ListPageInfo & { readonly matches: readonly RuleMatch[] }
