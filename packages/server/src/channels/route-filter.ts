import type { ChannelRoute } from '@tripline/model/delivery/channel'
import type { Filter } from '@tripline/model/lists/filter'
import { alertFields, incidentFields } from '@tripline/model/lists/list-fields'
import { parseFilter } from '../http/lists/parse-filter.ts'

/** What all events of a route are about, where one list has a filter for it. */
export function findFilteredKind(events: ChannelRoute['events']): 'alert' | 'incident' | undefined {
  return (['alert', 'incident'] as const).find((kind) => events.every((event) => event.startsWith(`${kind}.`)))
}

/**
 * The filter of a route; undefined where it has none.
 *
 * @throws AppError INVALID_PARAMETER or INVALID_QUERY_FIELD for a filter that the list does not take.
 */
export function readRouteFilter({ events, filter }: Pick<ChannelRoute, 'events' | 'filter'>): Filter | undefined {
  return filter === '' ? undefined : parseFilter(findFilteredKind(events) === 'incident' ? incidentFields : alertFields, filter)
}
