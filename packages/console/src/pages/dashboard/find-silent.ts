import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import { unitMs } from '../../lib/time-range.ts'

/** A source that is well may have nothing to send for so long. */
const quietMs = 24 * unitMs.h
/** One that is not well is missed sooner. */
const missedMs = unitMs.h / 4

/** A source that sent events and does no more, since when. */
type SilentSource = { readonly id: string; readonly name: string; readonly lastEventAt: string }

/** The connectors that went silent, the longest silence first. */
export function findSilent(connectors: readonly ConnectorBody[], nowMs: number): readonly SilentSource[] {
  return connectors
    .flatMap(({ id, name, status, enabled, stats: { last_event_at: at } }) => {
      if (!enabled || at === null) return []
      const silentMs = nowMs - Date.parse(at)
      return silentMs > (status === 'healthy' ? quietMs : missedMs) ? [{ id, name, lastEventAt: at }] : []
    })
    .toSorted((one, other) => (one.lastEventAt < other.lastEventAt ? -1 : 1))
}
