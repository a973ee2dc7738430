import { isJsonObject } from '@tripline/common/json'
import type { Level } from '@tripline/engine'
import type { EventRef } from '@tripline/formats/event/event-id'
import type { Alert } from '@tripline/model/alert'
import { levelRank } from '@tripline/model/level'
import { parseTextList } from './stored-list.ts'
import type { AlertMatchRow, AlertRow } from './tables.ts'

const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const satisfies readonly Level[]

/** The level of each rank. */
export const levelOfRank: ReadonlyMap<number, Level> = new Map<number, Level>(levels.map((level) => [levelRank[level], level]))

/** Parses the row of an alert. @throws Error for an invalid row. */
export function parseAlertRow(row: AlertRow): Alert {
  const { host, userName: user, processName, commandLine, statedTime, tactics, techniques } = row
  const enrichment: unknown = JSON.parse(row.enrichment)
  if (!isJsonObject(enrichment)) throw new Error(`the row of alert '${row.id}' is not valid`)
  return {
    id: row.id,
    ruleId: row.ruleId,
    ruleTitle: row.ruleTitle,
    ruleVersion: row.ruleVersion === 0 ? undefined : row.ruleVersion,
    level: parseLevelRank(row.level),
    status: row.status,
    verdict: row.verdict,
    assignee: row.assignee === '' ? undefined : row.assignee,
    event: { processName, commandLine, user, host, statedTime },
    source: row.source,
    sourceIp: row.sourceIp,
    product: row.product,
    description: row.description,
    dedupKey: row.dedupKey,
    attack: { tactics: parseTextList(tactics), techniques: parseTextList(techniques) },
    enrichment,
    assetCriticality: row.assetCriticality,
    incidentId: row.incidentId === '' ? undefined : row.incidentId,
    eventCount: row.eventCount,
    lastSeenAt: row.lastSeenAt,
    firstEventAt: row.firstEventAt, lastEventAt: row.lastEventAt,
    reopenedCount: row.reopenedCount,
    acknowledgedAt: row.acknowledgedAt === 0 ? undefined : row.acknowledgedAt,
    closedAt: row.closedAt === 0 ? undefined : row.closedAt,
    reviewed: row.reviewedAt === 0 ? undefined : { by: row.reviewedBy, at: row.reviewedAt },
    version: row.version, editedVersion: row.editedVersion,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** The level of a rank. @throws Error for a rank that is none. */
export function parseLevelRank(rank: number): Level {
  const level = levelOfRank.get(rank)
  if (level === undefined) throw new Error(`${rank} is not the rank of a level`)
  return level
}

/** The columns of an alert. */
export function toAlertColumns(alert: Alert): Omit<AlertRow, 'tenantId'> {
  const { level, ruleVersion = 0, assignee = '', incidentId = '', event, attack, enrichment, reviewed, ...others } = alert
  const { acknowledgedAt = 0, closedAt = 0, ...rest } = others
  const { user: userName, host, processName, commandLine, statedTime } = event
  return {
    ...rest,
    level: levelRank[level],
    ruleVersion,
    assignee,
    incidentId,
    userName,
    host,
    processName,
    commandLine,
    statedTime,
    tactics: JSON.stringify(attack.tactics),
    techniques: JSON.stringify(attack.techniques),
    enrichment: JSON.stringify(enrichment),
    acknowledgedAt,
    closedAt,
    reviewedBy: reviewed?.by ?? '',
    reviewedAt: reviewed?.at ?? 0,
  }
}

type EventRefColumns = Pick<AlertMatchRow, 'eventAt' | 'eventOffset'>

/** The reference of a match to its stored event; undefined where it is unknown. */
export function parseEventRef({ eventAt, eventOffset }: EventRefColumns): EventRef | undefined {
  if (eventAt === null || eventOffset === null) return undefined
  return { occurredAt: eventAt, by: 'offset', number: eventOffset }
}

export function toEventRefColumns(ref: EventRef | undefined): EventRefColumns {
  return ref?.by === 'offset' ? { eventAt: ref.occurredAt, eventOffset: ref.number } : { eventAt: null, eventOffset: null }
}
