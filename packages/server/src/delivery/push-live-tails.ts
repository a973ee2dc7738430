import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { getAcceptedEventRef } from '@tripline/detection/stages/event-message'
import type { AcceptedEvent } from '@tripline/detection/stages/store-events'
import type { DetectedMatch } from '@tripline/detection/tenants/tenant-engine'
import { parseEvent } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/evaluate'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from './limits.ts'
import type { PushHub } from './push/hub.ts'

type TailDeps<Call extends keyof PushHub> = {
  readonly hub: Pick<PushHub, 'hasTails' | Call>
  readonly keys: { readonly cursor: Uint8Array }
}

/** What a live tail tells of a match. */
type NamedMatch = Pick<DetectedMatch, 'eventRef'> & { readonly rule: Pick<DetectedMatch['rule'], 'id' | 'title'> }

/** Pushes events to the tenant's live tails, as they arrived; free of cost without tails. */
export function pushLiveTailEvents(
  { hub, keys }: TailDeps<'pushEvents'>, tenant: TenantId, events: readonly AcceptedEvent[],
): void {
  if (!hub.hasTails(tenant)) return
  const ids = createEventIds(keys.cursor, tenant)
  hub.pushEvents(tenant, events.flatMap(({ bytes, occurredAt, arrival: { offset } }) => {
    const text = decodeUtf8(bytes).trim()
    const parsed = parseEvent(text)
    const getId = (): string => ids.print(getAcceptedEventRef({ occurredAt, offset }))
    if (!('event' in parsed)) return []
    const { event } = parsed
    return [{ event, print: () => ({ id: getId(), text, source: findProduct(event) }) }]
  }))
}

/** The product that an event is of, as searches name it; empty where that is unknown. */
function findProduct(event: EventObject): string {
  return normalizeEvent(event, 'auto').logsources.find(({ product }) => product !== undefined)?.product ?? ''
}

/** Pushes the newest matches to the tenant's live tails, which name the rules beside their events; free of cost without tails. */
export function pushLiveTailMatches(
  { hub, keys }: TailDeps<'pushMatches'>, tenant: TenantId, matches: readonly NamedMatch[],
): void {
  if (!hub.hasTails(tenant)) return
  const ids = createEventIds(keys.cursor, tenant)
  hub.pushMatches(tenant, matches.slice(-limits.push.tailEventsKnownMax).flatMap(({ eventRef, rule: { id, title } }) => {
    return eventRef === undefined ? [] : [{ eventId: ids.print(eventRef), ruleId: id, ruleTitle: title }]
  }))
}
