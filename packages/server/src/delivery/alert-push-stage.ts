import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { parseEvent } from '@tripline/engine'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { Rejection } from '../detection/stages/dead-letter.ts'
import { getAcceptedEventRef } from '../detection/stages/event-message.ts'
import type { StageOptions } from '../detection/stages/stage.ts'
import type { AcceptedEvent } from '../detection/stages/store-events.ts'
import { consoleLevels } from '../model/level.ts'
import type { TenantId } from '../model/tenant.ts'
import type { PushHub } from './push/hub.ts'
import type { AlertNotification } from './push/replay.ts'

/**
 * Creates the stage that consumes the topic `alerts` and pushes new alerts to clients. Matches added to an existing alert
 * are not pushed. It resolves when everything was sent, which applies backpressure.
 */
export function createAlertPushStage(hub: Pick<PushHub, 'pushAlert'>): StageOptions['handle'] {
  return async (messages) => {
    const refused: Rejection[] = []
    const sent: Promise<void>[] = []
    for (const { offset, tenant, bytes, lostCost } of messages) {
      // The placeholder of a corrupted message: the alert is stored, and clients find it when they read the list.
      if (lostCost !== undefined) continue
      const read = parseAlertMessage(bytes)
      if (read === undefined) refused.push({ offset, reason: 'unreadable', text: 'the message is not an alert' })
      else if (read.outcome === 'created') sent.push(hub.pushAlert(tenant, read.news))
    }
    await Promise.all(sent)
    return { outputs: [], rejected: refused }
  }
}

type LiveTailDeps = {
  readonly hub: Pick<PushHub, 'hasTails' | 'pushEvents'>
  readonly keys: { readonly cursor: Uint8Array }
}

/** Pushes events to the tenant's live tails, as they arrived; free of cost without tails. */
export function pushLiveTailEvents(
  { hub, keys }: LiveTailDeps, tenant: TenantId, events: readonly AcceptedEvent[],
): void {
  if (!hub.hasTails(tenant)) return
  const ids = createEventIds(keys.cursor, tenant)
  hub.pushEvents(tenant, events.flatMap(({ bytes, occurredAt, arrival: { offset } }) => {
    const text = decodeUtf8(bytes).trim()
    const parsed = parseEvent(text)
    const getId = (): string => ids.print(getAcceptedEventRef({ occurredAt, offset }))
    return 'event' in parsed ? [{ event: parsed.event, print: () => ({ id: getId(), text }) }] : []
  }))
}

function parseAlertMessage(bytes: Uint8Array): { readonly outcome: string; readonly news: AlertNotification } | undefined {
  const parsed = tryParseJson(decodeUtf8(bytes))
  if ('problem' in parsed || !isJsonObject(parsed.value)) return undefined
  const { outcome, alert_id, severity: stated, rule_title, host, created_at } = parsed.value
  const severity = Object.values(consoleLevels).find((level) => level === stated)
  const createdAt = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN
  if (typeof outcome !== 'string' || typeof alert_id !== 'string' || Number.isNaN(createdAt)) return undefined
  if (severity === undefined || typeof rule_title !== 'string' || typeof host !== 'string') return undefined
  return { outcome, news: { createdAt, data: { alert_id, severity, rule_title, host } } }
}
