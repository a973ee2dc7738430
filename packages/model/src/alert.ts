import type { Level } from '@tripline/engine'
import type { EventRef } from '@tripline/formats/event/event-id'
import type { Attack } from './attack.ts'
import { nextEdit } from './edited-version.ts'
import type { MatchEvent } from './match-event.ts'
import type { MatchVerdict } from './match.ts'

/** The status of an alert; every transition is allowed. */
const alertStatuses = ['open', 'in_progress', 'resolved', 'false_positive'] as const
export type AlertStatus = (typeof alertStatuses)[number]

/** What a correlation found when it raised an alert, and how far to trust it. */
export type AlertCorrelation = {
  /** `correlation: event_count 5>=5 by user=alice in 10m`. */
  readonly condition: string
  /** Whether state of the rule was evicted shortly before: there may be more to this. */
  readonly isDegraded: boolean
  /** Whether its rule says that its alerts open incidents. */
  readonly opensIncident: boolean
  /** How far the compared number may be off; undefined where it is exact. */
  readonly approximate: { readonly relativeError: number; readonly windowErrorMs: number } | undefined
}

/** The part of an alert's enrichment that names the alert which caused it; undefined where none did. */
export function getCauseId({ enrichment: { exposure } }: Pick<Alert, 'enrichment'>): string | undefined {
  const cause = typeof exposure === 'object' && exposure !== null && 'causeId' in exposure ? exposure.causeId : undefined
  return typeof cause === 'string' ? cause : undefined
}

/** An alert: matches of one rule that belong together. */
export type Alert = {
  /** The id of its first match. */
  readonly id: string
  readonly ruleId: string
  readonly ruleTitle: string
  /** The version of the rule that raised it; undefined where it was not recorded. */
  readonly ruleVersion: number | undefined
  readonly level: Level
  readonly status: AlertStatus
  readonly verdict: MatchVerdict
  /** Email of the assigned user. */
  readonly assignee: string | undefined
  /** Summary of the first match's event. */
  readonly event: MatchEvent
  /** Log source of that event, and its source address; empty if unknown. */
  readonly source: string
  readonly sourceIp: string
  /** Product of that log source; empty if unknown. */
  readonly product: string
  /** The description of the rule, as it was then; empty for alerts that were made before it was kept. */
  readonly description: string
  /** Matches with the same key belong together. */
  readonly dedupKey: string
  readonly attack: Attack
  /** Known facts about user, host and addresses at the time the alert was created; `correlation` as `AlertCorrelation`. */
  readonly enrichment: { readonly [name: string]: unknown }
  readonly assetCriticality: string
  readonly incidentId: string | undefined
  /** Number of matches, at least 1. */
  readonly eventCount: number
  /** When its last match arrived. */
  readonly lastSeenAt: number
  /** The times of its first and last event, or of arrival where a match names no stored event. */
  readonly firstEventAt: number
  readonly lastEventAt: number
  /** How often it was reopened after being closed. */
  readonly reopenedCount: number
  /** When it left the status `open`, and when it was closed; undefined before, and again once it is reopened. */
  readonly acknowledgedAt: number | undefined
  readonly closedAt: number | undefined
  /** Who set the verdict, and when; undefined if unreviewed. */
  readonly reviewed: { readonly by: string; readonly at: number } | undefined
  /** Counts changes including added matches, from 1; and the version that the last edit made. */
  readonly version: number
  readonly editedVersion: number
  /** When its first match arrived. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A match that creates an alert or is added to one. */
export type NewAlert = Omit<
  Alert,
  | 'status' | 'verdict' | 'assignee' | 'incidentId' | 'eventCount' | 'lastSeenAt' | 'firstEventAt' | 'lastEventAt'
  | 'reopenedCount' | 'reviewed' | 'version' | 'editedVersion' | 'acknowledgedAt' | 'closedAt' | 'createdAt' | 'updatedAt'
> & {
  readonly matchedAt: number
  /** How long after the first match of an alert others are added to it, while it is open. */
  readonly dedupMs: number
  /** The whole event, as JSON. */
  readonly evidence: string
  /** Identifies the stored event; undefined where the match shows none. */
  readonly eventRef: EventRef | undefined
  /** The other stored events that a correlation counted, oldest first, as far as they are known; empty for a detection rule. */
  readonly memberRefs: readonly EventRef[]
}

/** Changeable attributes of an alert; null removes the assignee. */
export type AlertChange = {
  readonly status?: AlertStatus
  readonly assignee?: string | null
  readonly verdict?: MatchVerdict
  /** Email of the user who makes the change. */
  readonly by?: string
  /** What a change that is taken back restores beside. */
  readonly restored?: Pick<Alert, 'reviewed' | 'reopenedCount'>
}

/** What tells alerts of one rule apart. */
type DedupScope = Pick<MatchEvent, 'host' | 'user'> & {
  /** The cloud account, tenant or cluster; it stands for the host where there is none. */
  readonly account: string
}

/**
 * Builds the deduplication key of a match: matches of one rule, host and user make one alert. Names of hosts and users
 * compare without case. A match whose host and account are unknown has a key of its own, because two unknown hosts are
 * not one host.
 */
export function buildDedupKey(ruleId: string, { host, user, account }: DedupScope, matchId: string): string {
  if (host === '' && account === '') return JSON.stringify([ruleId, '', '', matchId])
  const place = host === '' ? ['account', account] : [host]
  return JSON.stringify([ruleId, ...place, user].map((part) => part.toLowerCase()))
}

/** Creates an alert from its first match. */
export function createAlert(match: NewAlert): Alert {
  const { matchedAt, dedupMs: _length, evidence: _event, eventRef: _ref, memberRefs: _refs, ...facts } = match
  const eventAt = getEventTime(match)
  const work = {
    status: 'open', verdict: 'unreviewed', assignee: undefined, incidentId: undefined, reopenedCount: 0, reviewed: undefined,
    acknowledgedAt: undefined, closedAt: undefined,
  } as const
  const versions = { version: 1, editedVersion: 1, createdAt: matchedAt, updatedAt: matchedAt }
  return { ...facts, ...work, eventCount: 1, lastSeenAt: matchedAt, firstEventAt: eventAt, lastEventAt: eventAt, ...versions }
}

/** Adds a match to an alert. */
export function addMatch(alert: Alert, match: NewAlert): Alert {
  const eventAt = getEventTime(match)
  return {
    ...alert,
    eventCount: alert.eventCount + 1,
    lastSeenAt: Math.max(alert.lastSeenAt, match.matchedAt),
    firstEventAt: Math.min(alert.firstEventAt, eventAt),
    lastEventAt: Math.max(alert.lastEventAt, eventAt),
    updatedAt: Math.max(alert.updatedAt, match.matchedAt),
    version: alert.version + 1,
  }
}

/** The time of a match's event; the time of arrival where the match names no stored event. */
function getEventTime({ eventRef, matchedAt }: NewAlert): number {
  return eventRef?.occurredAt ?? matchedAt
}

/** Changes an alert. Closing it sets the verdict, unless the change contains one. Returns the same alert if nothing changes. */
export function changeAlert(alert: Alert, change: AlertChange, at: number): Alert {
  const status = change.status ?? alert.status
  const verdict = change.verdict ?? (status === alert.status ? alert.verdict : deriveVerdict(status, alert.verdict))
  const assignee = change.assignee === undefined ? alert.assignee : (change.assignee ?? undefined)
  if (status === alert.status && verdict === alert.verdict && assignee === alert.assignee) return alert
  const isReopened = isClosed(alert.status) && !isClosed(status)
  const reopenedCount = alert.reopenedCount + Number(isReopened)
  const reviewed = verdict === alert.verdict ? alert.reviewed : createReview(verdict, change.by, at)
  const changed = { status, verdict, assignee, reopenedCount, reviewed, ...change.restored, ...getAnswerTimes(alert, status, at) }
  return { ...alert, ...changed, ...nextEdit(alert), updatedAt: at }
}

/** An alert that is open again waits for an answer as a new one does. */
function getAnswerTimes(before: Alert, status: AlertStatus, at: number): Pick<Alert, 'acknowledgedAt' | 'closedAt'> {
  return {
    acknowledgedAt: status === 'open' ? undefined : (before.acknowledgedAt ?? at),
    closedAt: isClosed(status) ? (before.closedAt ?? at) : undefined,
  }
}

/** Whether a status is closed. */
function isClosed(status: AlertStatus): boolean {
  return status === 'resolved' || status === 'false_positive'
}

function createReview(verdict: MatchVerdict, by: string | undefined, at: number): Alert['reviewed'] {
  return verdict === 'unreviewed' ? undefined : { by: by ?? '', at }
}

function deriveVerdict(status: AlertStatus, before: MatchVerdict): MatchVerdict {
  if (status === 'false_positive') return 'false_positive'
  return status === 'resolved' ? 'true_positive' : before
}
