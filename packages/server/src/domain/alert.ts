import type { Level } from '@tripline/engine'
import type { Attack } from './attack.ts'
import type { MatchEvent } from './match-event.ts'
import type { MatchVerdict } from './match.ts'

/** Where the work on an alert stands (section 1.3); any may follow any. */
const alertStatuses = ['open', 'in_progress', 'resolved', 'false_positive'] as const
export type AlertStatus = (typeof alertStatuses)[number]

/** Matches of one rule that belong together, for somebody to look at. */
export type Alert = {
  /** That of its first match. */
  readonly id: string
  readonly ruleId: string
  readonly ruleTitle: string
  readonly level: Level
  readonly status: AlertStatus
  readonly verdict: MatchVerdict
  /** Email of the user who works on it. */
  readonly assignee: string | undefined
  /** What the first match shows of its event. */
  readonly event: MatchEvent
  /** Where that event came from, and the address in it; empty where nothing says. */
  readonly source: string
  readonly sourceIp: string
  readonly attack: Attack
  /** What else is known of user, host and addresses, as it was when the alert was made. */
  readonly enrichment: { readonly [name: string]: unknown }
  readonly assetCriticality: string
  readonly incidentId: string | undefined
  /** Matches in it, from 1. */
  readonly eventCount: number
  readonly lastSeenAt: number
  /** How often it was taken up again after it was closed. */
  readonly reopenedCount: number
  /** Who gave the verdict, and when; undefined where nobody has. */
  readonly reviewed: { readonly by: string; readonly at: number } | undefined
  /** Counts the changes, matches that came to it included, from 1. */
  readonly version: number
  /** When its first match was made. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a match tells of the alert that it makes or comes to. */
export type NewAlert = Omit<
  Alert,
  | 'status' | 'verdict' | 'assignee' | 'incidentId' | 'eventCount' | 'lastSeenAt' | 'reopenedCount' | 'reviewed' | 'version'
  | 'createdAt' | 'updatedAt'
> & {
  readonly matchedAt: number
  /** Matches of one key come to one alert, for so many milliseconds from its first, while nobody has closed it. */
  readonly dedupKey: string
  readonly dedupMs: number
  /** The whole event, as JSON. */
  readonly evidence: string
}

/** What can be changed of an alert; null takes an assignee away. */
export type AlertChange = {
  readonly status?: AlertStatus
  readonly assignee?: string | null
  readonly verdict?: MatchVerdict
  /** Who changes it, as a reviewer is shown: their email. */
  readonly by?: string
}

/** What tells alerts of one rule apart. */
export type DedupScope = Pick<MatchEvent, 'host' | 'user'> & {
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

/** Makes the first version of an alert. */
export function createAlert(match: NewAlert): Alert {
  const { matchedAt, dedupKey: _key, dedupMs: _length, evidence: _event, ...facts } = match
  const work = {
    status: 'open', verdict: 'unreviewed', assignee: undefined, incidentId: undefined, reopenedCount: 0, reviewed: undefined,
  } as const
  return { ...facts, ...work, eventCount: 1, lastSeenAt: matchedAt, version: 1, createdAt: matchedAt, updatedAt: matchedAt }
}

/**
 * Changes an alert (section 1.3, D-19). Closing it says what it was, unless the change itself does. Gives the same
 * alert where nothing changes.
 */
export function changeAlert(alert: Alert, change: AlertChange, at: number): Alert {
  const status = change.status ?? alert.status
  const verdict = change.verdict ?? (status === alert.status ? alert.verdict : deriveVerdict(status, alert.verdict))
  const assignee = change.assignee === undefined ? alert.assignee : (change.assignee ?? undefined)
  if (status === alert.status && verdict === alert.verdict && assignee === alert.assignee) return alert
  const isReopened = isClosed(alert.status) && !isClosed(status)
  const reopenedCount = alert.reopenedCount + Number(isReopened)
  const reviewed = verdict === alert.verdict ? alert.reviewed : createReview(verdict, change.by, at)
  return { ...alert, status, verdict, assignee, reopenedCount, reviewed, version: alert.version + 1, updatedAt: at }
}

/** Whether nobody works on an alert of that status any more. */
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
