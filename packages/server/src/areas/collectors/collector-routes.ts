import {
  collectorDetailSchema, collectorListQuerySchema, collectorListSchema, collectorPatchSchema, enrolledSchema, enrolmentSchema,
  enrolmentTokenSchema, heartbeatReplySchema, heartbeatSchema, newEnrolmentTokenSchema,
} from '@tripline/contract/console/collectors/collector'
import type { HeartbeatBody } from '@tripline/contract/console/collectors/collector'
import { collectorFields } from '@tripline/model/lists/collector-fields'
import { createMemoryList } from '@tripline/state/ports/memory-list'
import {
  createEnrolmentToken, enrolCollector, getCollector, listCollectors, noteHeartbeat, renameCollector, retireCollector,
} from '../../collectors/collectors.ts'
import type { CollectorDeps, CollectorWithTraffic } from '../../collectors/collectors.ts'
import { readIfMatch } from '../../http/etag.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { readRequestInfo } from '../../http/middleware/authorize.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { limits } from '../../limits.ts'
import { printCollector, printCollectorDetail, toPublicCollector } from './collector-view.ts'

const path = '/v1/collectors'
const onePath = `${path}/:id`
const intervalSeconds = limits.collectors.heartbeatMs / 1_000

/** Routes for the collectors of a tenant, and those that collectors call. */
export function collectorRoutes(deps: CollectorDeps & ListRouteDeps & CursorDeps): Route[] {
  const list = createMemoryList((tenant) => listCollectors(deps, tenant), {
    fields: collectorFields, getId: ({ collector }) => collector.id, getTexts: ({ collector: { name, hostname } }) => [name, hostname],
    read: readField,
  })
  return [
    listRoute(deps, {
      path, access: 'read', summary: 'Lists the collectors', name: 'collectors', list: lists.collectors,
      query: collectorListQuerySchema, response: collectorListSchema,
      toWhere: ({ status }) => (status === undefined ? [] : [{ field: 'status', operator: 'in', value: status }]),
      readPage: async (c, request) => {
        const { entries, ...page } = await readListPage(deps, { tenant: getPrincipal(c).tenant, endpoint: 'collectors' }, request, list)
        return { ...page, entries: entries.map(printCollector) }
      },
    }),
    {
      method: 'GET', path: onePath, access: 'read', summary: 'Returns a collector with its sources and its buffer', headers: ['ETag'],
      responses: { 200: collectorDetailSchema },
      handle: async (c) => respondWithCollector(c, await getCollector(deps, getPrincipal(c).tenant, readIdParam(c))),
    },
    {
      method: 'PATCH', path: onePath, access: 'edit_connectors', summary: 'Renames a collector', body: collectorPatchSchema,
      checksVersion: true, headers: ['ETag'], responses: { 200: collectorDetailSchema },
      handle: async (c) => {
        const patch = await readJson(c, collectorPatchSchema)
        return respondWithCollector(c, await renameCollector(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) }))
      },
    },
    {
      method: 'DELETE', path: onePath, access: 'edit_connectors', summary: 'Retires a collector; its credential ends at once',
      checksVersion: true, responses: { 204: null },
      handle: async (c) => {
        await retireCollector(deps, getPrincipal(c), readIdParam(c), readIfMatch(c))
        return c.body(null, 204)
      },
    },
    ...enrolmentRoutes(deps),
  ]
}

function enrolmentRoutes(deps: CollectorDeps): Route[] {
  return [
    {
      method: 'POST', path: `${path}/enrolment-tokens`, access: 'edit_connectors', isIdempotent: true, errors: ['CONFLICT'],
      summary: 'Creates a token that enrols one collector; it is shown once', body: newEnrolmentTokenSchema,
      responses: { 201: enrolmentTokenSchema },
      handle: async (c) => {
        const { name = '' } = await readJson(c, newEnrolmentTokenSchema)
        const { token, expiresAt } = await createEnrolmentToken(deps, getPrincipal(c), name)
        return respond(c, { token, expires_at: formatTimestamp(expiresAt) }, 201)
      },
    },
    {
      method: 'POST', path: `${path}/enrol`, access: 'anyone', summary: 'Enrols a collector with its token and returns its credential',
      body: enrolmentSchema, errors: ['UNAUTHORIZED', 'CONFLICT'], responses: { 201: enrolledSchema },
      handle: async (c) => {
        const { token, hostname, version: release, os, os_family: osFamily } = await readJson(c, enrolmentSchema)
        const { collector, credential } = await enrolCollector(deps, token, { hostname, release, os, osFamily }, readRequestInfo(c))
        const body = { collector_id: collector.id, name: collector.name, credential, heartbeat_interval_seconds: intervalSeconds }
        return respond(c, body, 201)
      },
    },
    {
      method: 'POST', path: `${onePath}/heartbeat`, access: 'collector', summary: 'Tells the server that a collector runs, and how',
      body: heartbeatSchema, responses: { 200: heartbeatReplySchema },
      handle: async (c) => {
        const heard = toHeard(await readJson(c, heartbeatSchema))
        const { status, at, refusedSources } = await noteHeartbeat(deps, getPrincipal(c), readIdParam(c), heard)
        return respond(c, {
          status, server_time: formatTimestamp(at), heartbeat_interval_seconds: intervalSeconds,
          refused_sources: refusedSources.map((name) => ({ name, reason: 'plan' })),
        })
      },
    },
  ]
}

function respondWithCollector(c: RequestContext, shown: CollectorWithTraffic): Response {
  return respondWithEtag(c, printCollectorDetail(shown), shown.collector.version)
}

function readField(shown: CollectorWithTraffic, field: string): string | number {
  const { name, hostname, status, lastSeenAt = 0, createdAt } = shown.collector
  const values: { readonly [name in keyof typeof collectorFields]: string | number } = {
    name, hostname, status, last_seen: lastSeenAt, created_at: createdAt, events_ingested: toPublicCollector(shown).events_ingested,
  }
  return Object.hasOwn(values, field) ? values[field as keyof typeof values] : ''
}

function toHeard(body: HeartbeatBody): Parameters<typeof noteHeartbeat>[3] {
  const { hostname, version: release, os, os_family: osFamily, sent_at: sentAt, uptime_seconds: uptimeSeconds, health, buffer } = body
  return {
    hostname, release, os, osFamily, sentAt,
    report: {
      uptimeSeconds, cpuPercent: health.cpu_percent, memoryMb: health.memory_mb, lastError: health.last_error,
      configVersion: health.config_version,
      sources: body.sources.map(({ events_per_second: eventsPerSecond, last_event_at: lastEventAt, last_error: lastError, ...source }) =>
        ({ ...source, eventsPerSecond, lastEventAt, lastError })),
      buffer: {
        events: buffer.events, bytes: buffer.bytes, capacityBytes: buffer.capacity_bytes, oldestEventAt: buffer.oldest_event_at,
        droppedTotal: buffer.dropped_total,
      },
    },
  }
}
