import { connectorSamplesSchema, eventDetailSchema, surroundingsQuerySchema, surroundingsSchema } from '@tripline/contract/console/event'
import type { EventDetailBody, SurroundingsBody } from '@tripline/contract/console/event'
import type { Principal } from '@tripline/model/access/principal'
import { limits } from '../../limits.ts'
import { findConnectorSamples } from './connector-samples.ts'
import { getStoredEvent, getSurroundings } from './stored-events.ts'
import type { EventDeps, EventDetail, Surroundings } from './stored-events.ts'
import { formatDuration } from '../../http/round.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { respond } from '../../http/respond.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { printEvent } from './search-routes.ts'
import type { SearchRouteDeps } from './search-routes.ts'

/** Routes for single stored events; those around one are found by a search. */
export function eventRoutes(deps: EventDeps, search: SearchRouteDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/events/:id', access: 'read', summary: 'Returns a stored event, with its text as it arrived',
      headers: ['ETag'], responses: { 200: eventDetailSchema },
      handle: async (c) => {
        const detail = await getStoredEvent(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printDetail(detail), detail.version)
      },
    },
    {
      method: 'GET', path: '/v1/events/:id/around', access: 'read', summary: 'Lists the events around an event on the same host',
      query: surroundingsQuerySchema, responses: { 200: surroundingsSchema },
      handle: async (c) => {
        const { query: { same, minutes, before, after }, warnings } = readQuery(c, surroundingsQuerySchema)
        const id = readIdParam(c)
        const request = { same, rangeMs: minutes * 60_000, beforeMax: before, afterMax: after }
        const found = await getSurroundings(search, getPrincipal(c), id, request)
        return respond(c, printSurroundings(id, found, { tookMs: search.clock.elapsedMs() - c.get('startedMs'), warnings }))
      },
    },
    {
      method: 'GET', path: '/v1/connectors/:id/samples', access: 'read',
      summary: 'Returns the newest events of a connector, as they arrived and as rules see them',
      responses: { 200: connectorSamplesSchema },
      handle: async (c) => {
        const id = readIdParam(c)
        const { events, searchedCount, isAll } = await findConnectorSamples({ ...search, ...deps }, getPrincipal(c), id)
        return respond(c, { connector_id: id, samples: events.map(printDetail), events_searched: searchedCount, complete: isAll })
      },
    },
  ]
}

function printDetail({ summary, receivedAt, connector, logsources, raw }: EventDetail): EventDetailBody {
  return {
    ...printEvent(summary),
    received_at: receivedAt === undefined ? null : formatTimestamp(receivedAt),
    connector_id: connector?.id ?? null,
    connector_name: connector?.name ?? null,
    logsources: logsources.map(({ category = '', product = '', service = '' }) => ({ category, product, service })),
    raw,
  }
}

/** Reads the events around an event as `/around` without parameters does, for a request that began at `startedMs`. */
export function createSurroundingsReader(search: SearchRouteDeps) {
  const { aroundEventsDefault: beforeMax, aroundMinutesDefault } = limits.lists
  const request = { same: undefined, rangeMs: aroundMinutesDefault * 60_000, beforeMax, afterMax: beforeMax }
  return async (caller: Principal, id: string, startedMs: number): Promise<SurroundingsBody> => {
    const found = await getSurroundings(search, caller, id, request)
    return printSurroundings(id, found, { tookMs: search.clock.elapsedMs() - startedMs, warnings: [] })
  }
}

function printSurroundings(
  id: string, found: Surroundings, { tookMs, warnings }: { readonly tookMs: number; readonly warnings: readonly string[] },
): SurroundingsBody {
  return {
    event_id: id,
    same: found.same.kind,
    value: found.same.value,
    data: found.events.map(printEvent),
    more_before: found.hasMoreBefore,
    more_after: found.hasMoreAfter,
    query: found.query,
    from: formatTimestamp(found.from),
    to: formatTimestamp(found.to),
    took_ms: formatDuration(tookMs),
    total_estimate: found.events.length,
    truncated: found.isTruncated,
    query_warnings: [...warnings, ...found.warnings],
  }
}
