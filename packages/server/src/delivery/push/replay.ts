import type { PushData, PushTopic } from '@tripline/contract/push/push'
import { parseDomainEventId } from '@tripline/model/delivery/domain-event'
import type { TenantId } from '@tripline/model/tenant'
import { z } from 'zod'
import { limits } from '../limits.ts'
import type { EventMessage, ReplayResult } from './event-feed.ts'
import { printPushMessage } from './print-message.ts'

/** The announcement of a new alert, with the id of its domain event unless it was read from the alerts. */
export type AlertNotification = { readonly createdAt: number; readonly data: PushData<'new_alert'>; readonly eventId?: string }

/** The announcement of another change. */
export type ChangeNotification = {
  [Type in 'connector_status_change' | 'alert_updated' | 'incident_updated']: {
    readonly type: Type
    readonly at: number
    readonly data: PushData<Type>
    readonly eventId: string
  }
}['connector_status_change' | 'alert_updated' | 'incident_updated']

/** Where a replay starts: after a domain event, after an alert, or at an instant. The last two are of alerts alone. */
export type ReplayStart = { readonly eventId: string } | AlertReplayStart
type AlertReplayStart = { readonly alertId: string } | { readonly at: number }

/**
 * Reads the first `limit` alerts of a tenant since then, oldest first; undefined if the tenant has no such alert.
 * Alerts stored at the time of the call may be included.
 */
export type ReadAlertsSince = (
  tenant: TenantId, since: AlertReplayStart, limit: number,
) => Promise<readonly AlertNotification[] | undefined>

/** Reads the messages about all changes after a domain event; undefined if there are more, or some are gone. */
export type ReadEventsSince = (tenant: TenantId, eventId: string, limit: number) => Promise<readonly EventMessage[] | undefined>

/** Parses the field `since` of a message: an RFC 3339 instant, the id of a domain event, or else the id of an alert. */
export function parseReplayStart(text: string): ReplayStart {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return { at: Date.parse(text) }
  return parseDomainEventId(text) === undefined ? { alertId: text } : { eventId: text }
}

/** The topics of messages about changes, which a client may miss. */
export function isEventTopic(topic: PushTopic): boolean {
  return topic !== 'metrics' && topic !== 'search'
}

type MissedMessageReaders = { readonly readAlertsSince: ReadAlertsSince; readonly readEventsSince: ReadEventsSince }

/** Reads the missed messages, ready to be sent. */
export async function readMissedMessages(
  { readAlertsSince, readEventsSince }: MissedMessageReaders, tenant: TenantId, since: ReplayStart,
): Promise<ReplayResult> {
  const { replayAlertsMax } = limits.push
  if ('eventId' in since) return (await readEventsSince(tenant, since.eventId, replayAlertsMax)) ?? 'tooMany'
  const news = await readAlertsSince(tenant, since, replayAlertsMax + 1)
  return news === undefined || news.length > replayAlertsMax ? 'tooMany' : news.map(toAlertMessage)
}

/**
 * Converts an alert to its message, which is the same live and replayed: its timestamp is when the alert was created.
 * Very long names are cut; the alert itself has them whole.
 */
export function toAlertMessage({ createdAt, data, eventId }: AlertNotification): EventMessage {
  const cut = (text: string): string => text.slice(0, limits.push.textLengthMax)
  const shown = { ...data, rule_title: cut(data.rule_title), host: cut(data.host) }
  return { topic: 'alerts', key: data.alert_id, bytes: printPushMessage('new_alert', createdAt, shown, eventId) }
}

const topicByType = {
  connector_status_change: 'connector_health',
  alert_updated: 'alert_updates',
  incident_updated: 'incidents',
} as const satisfies { readonly [type in ChangeNotification['type']]: PushTopic }

/** Converts another change to its message. */
export function toChangeMessage({ type, at, data, eventId }: ChangeNotification): EventMessage {
  return { topic: topicByType[type], key: eventId, bytes: printPushMessage(type, at, data, eventId) }
}
