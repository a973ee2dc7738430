import { z } from 'zod'
import type { PushData } from '../contract/push.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { AlertMessage, ReplayResult } from './alert-feed.ts'
import { printMessage } from './print-message.ts'

/** What is told of an alert when it is made. */
export type AlertNotification = { readonly createdAt: number; readonly data: PushData<'new_alert'> }

/** From where alerts are replayed: those after an alert, or those made at or after an instant. */
export type ReplayStart = { readonly alertId: string } | { readonly at: number }

/**
 * Finds the first `limit` alerts of a tenant since then, oldest first; undefined where the tenant has no such alert.
 * Whatever is stored when it is called may be among them.
 */
export type ReadAlertsSince = (tenant: TenantId, since: ReplayStart, limit: number) => Promise<readonly AlertNotification[] | undefined>

/** Reads the field `since` of a message: an RFC 3339 instant, and else the id of an alert (D-34). */
export function parseReplayStart(text: string): ReplayStart {
  return z.iso.datetime({ offset: true }).safeParse(text).success ? { at: Date.parse(text) } : { alertId: text }
}

/** Reads what was missed since then, ready to be sent. */
export async function readMissedAlerts(alertsSince: ReadAlertsSince, tenant: TenantId, since: ReplayStart): Promise<ReplayResult> {
  const { replayAlertsMax } = limits.push
  const news = await alertsSince(tenant, since, replayAlertsMax + 1)
  return news === undefined || news.length > replayAlertsMax ? 'tooMany' : news.map(toAlertMessage)
}

/**
 * An alert's message is the same live and replayed: its timestamp is when the alert was made. Names that are very long
 * are cut, because the alert itself has them whole.
 */
export function toAlertMessage({ createdAt, data }: AlertNotification): AlertMessage {
  const cut = (text: string): string => text.slice(0, limits.push.textLengthMax)
  const shown = { ...data, rule_title: cut(data.rule_title), host: cut(data.host) }
  return { alertId: data.alert_id, bytes: printMessage('new_alert', createdAt, shown) }
}
