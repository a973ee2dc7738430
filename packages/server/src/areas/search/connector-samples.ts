import type { Principal } from '@tripline/model/access/principal'
import { requireFound } from '@tripline/state/ports/version-conflict'
import type { EventPosition, StoredEvent } from '@tripline/storage/events/event-store'
import { limits } from '../../limits.ts'
import { searchEvents } from './search-events.ts'
import { describeStoredEvent } from './stored-events.ts'
import type { EventDeps, EventDetail } from './stored-events.ts'
import type { EventSearchDeps } from './tenant-search.ts'

/** The newest events of a connector, and how many of the tenant's newest events were read for them. */
type ConnectorSamples = { readonly events: readonly EventDetail[]; readonly searchedCount: number; readonly isAll: boolean }

/**
 * Finds the newest events that came through a connector, among the newest ones of its tenant: the store has no index of connectors.
 * It is recorded as a search.
 *
 * @throws AppError NOT_FOUND.
 */
export async function findConnectorSamples(
  deps: EventDeps & Pick<EventSearchDeps, 'clock' | 'recordSearch'>, caller: Principal, connectorId: string,
): Promise<ConnectorSamples> {
  const { tenant } = caller
  const { id } = requireFound(await deps.state.connectors.get(tenant, connectorId), 'connector')
  const { samplesMax, searchedMax, pageEventsMax } = limits.connectorSamples
  const now = deps.clock.now()
  const [from, to] = [now - limits.lists.searchRangeMs, now + 1]
  const found: StoredEvent[] = []
  let searchedCount = 0
  let after: EventPosition | undefined
  do {
    const page = await searchEvents(deps.events, {
      tenant, query: '', from, to, now, limit: pageEventsMax, extent: 'page', ...(after !== undefined && { after }),
    })
    searchedCount += page.events.length
    found.push(...page.events.filter(({ arrival }) => arrival?.connectorId === id))
    after = page.cursor
  } while (after !== undefined && found.length < samplesMax && searchedCount < searchedMax)
  const newest = found.slice(0, samplesMax)
  await deps.recordSearch(caller, { query: '', from: new Date(from).toISOString(), to: new Date(to).toISOString(), found: newest.length })
  const events: EventDetail[] = []
  for (const event of newest) events.push(await describeStoredEvent(deps, tenant, event))
  return { events, searchedCount, isAll: after === undefined }
}
