import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { getAcceptedEventRef } from '@tripline/detection/stages/event-message'
import type { AcceptedEvent } from '@tripline/detection/stages/store-events'
import { parseEvent } from '@tripline/engine'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { TenantId } from '@tripline/model/tenant'
import type { PushHub } from './push/hub.ts'

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
