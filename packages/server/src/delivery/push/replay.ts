import type { PushData } from '@tripline/contract/push/push'
import { z } from 'zod'
import { limits } from '../../limits.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { AlertMessage, ReplayResult } from './alert-feed.ts'
import { printPushMessage } from './print-message.ts'

/** The announcement of a new alert. */
export type AlertNotification = { readonly createdAt: number; readonly data: PushData<'new_alert'> }

/** Where a replay starts: after an alert, or at an instant. */
export type ReplayStart = { readonly alertId: string } | { readonly at: number }

/**
 * Reads the first `limit` alerts of a tenant since then, oldest first; undefined if the tenant has no such alert.
 * Alerts stored at the time of the call may be included.
 */
export type ReadAlertsSince = (tenant: TenantId, since: ReplayStart, limit: number) => Promise<readonly AlertNotification[] | undefined>

/** Parses the field `since` of a message: an RFC 3339 instant, or else the id of an alert. */
export function parseReplayStart(text: string): ReplayStart {
  return z.iso.datetime({ offset: true }).safeParse(text).success ? { at: Date.parse(text) } : { alertId: text }
}

/** Reads the missed alerts, ready to be sent. */
export async function readMissedAlerts(alertsSince: ReadAlertsSince, tenant: TenantId, since: ReplayStart): Promise<ReplayResult> {
  const { replayAlertsMax } = limits.push
  const news = await alertsSince(tenant, since, replayAlertsMax + 1)
  return news === undefined || news.length > replayAlertsMax ? 'tooMany' : news.map(toAlertMessage)
}

/**
 * Converts an alert to its message, which is the same live and replayed: its timestamp is when the alert was created.
 * Very long names are cut; the alert itself has them whole.
 */
export function toAlertMessage({ createdAt, data }: AlertNotification): AlertMessage {
  const cut = (text: string): string => text.slice(0, limits.push.textLengthMax)
  const shown = { ...data, rule_title: cut(data.rule_title), host: cut(data.host) }
  return { alertId: data.alert_id, bytes: printPushMessage('new_alert', createdAt, shown) }
}
