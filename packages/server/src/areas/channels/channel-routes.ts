import {
  channelDeliveryListQuerySchema, channelDeliveryListSchema, channelDeliverySchema, channelListSchema, channelPatchSchema,
  channelRouteListSchema, channelRoutePatchSchema, channelRouteSchema, channelSchema, newChannelRouteSchema, newChannelSchema,
} from '@tripline/contract/console/channel'
import { omitUndefined } from '@tripline/common/omit-undefined'
import type { Filter } from '@tripline/model/lists/filter'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { printChannel, printChannelDelivery, printRoute, readNewRoute, readRoute, readSettings } from './channel-view.ts'
import { changeChannel, createChannel, getChannel, removeChannel } from './channels.ts'
import type { ChannelDeps } from './channels.ts'
import { changeRoute, createRoute, getRoute, removeRoute } from './routes.ts'
import { testChannel } from './test-channel.ts'

const path = '/v1/channels'
const onePath = `${path}/:id`
const routesPath = '/v1/channel-routes'
const oneRoutePath = `${routesPath}/:id`

/** Routes for the notification channels of a tenant, and what is routed to them. */
export function channelRoutes(deps: ChannelDeps & ListRouteDeps & CursorDeps): Route[] {
  return [
    {
      method: 'GET', path, access: 'read_webhooks', summary: 'Lists notification channels', responses: { 200: channelListSchema },
      handle: async (c) => respond(c, { channels: (await deps.state.channels.list(getPrincipal(c).tenant)).map(printChannel) }),
    },
    {
      method: 'POST', path, access: 'edit_webhooks', isIdempotent: true,
      summary: 'Creates a notification channel; its secrets are never shown', body: newChannelSchema, headers: ['ETag', 'Location'],
      errors: ['CONFLICT'], responses: { 201: channelSchema },
      handle: async (c) => {
        const { settings, secrets, enabled: isEnabled, ...rest } = await readJson(c, newChannelSchema)
        const stated = { ...rest, settings: readSettings(settings), secrets: omitUndefined(secrets), isEnabled }
        const channel = await createChannel(deps, getPrincipal(c), stated)
        c.header('Location', `${path}/${channel.id}`)
        return respondWithEtag(c, printChannel(channel), channel.version, 201)
      },
    },
    {
      method: 'GET', path: onePath, access: 'read_webhooks', summary: 'Returns a notification channel', headers: ['ETag'],
      responses: { 200: channelSchema },
      handle: async (c) => {
        const channel = await getChannel(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printChannel(channel), channel.version)
      },
    },
    {
      method: 'PATCH', path: onePath, access: 'edit_webhooks', summary: 'Changes a notification channel; omitted secrets are kept',
      body: channelPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'], responses: { 200: channelSchema },
      handle: async (c) => {
        const { settings, secrets, enabled, ...rest } = await readJson(c, channelPatchSchema)
        const patch = omitUndefined({
          ...rest, settings: settings && readSettings(settings), secrets: secrets && omitUndefined(secrets), isEnabled: enabled,
        })
        const channel = await changeChannel(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printChannel(channel), channel.version)
      },
    },
    {
      method: 'DELETE', path: onePath, access: 'edit_webhooks', summary: 'Deletes a notification channel with its delivery log',
      checksVersion: true, errors: ['CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        await removeChannel(deps, getPrincipal(c), readIdParam(c), readIfMatch(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${onePath}/test`, access: 'edit_webhooks', summary: 'Sends a test message and returns what came of it',
      responses: { 200: channelDeliverySchema },
      handle: async (c) => {
        const message = await testChannel(deps, getPrincipal(c), readIdParam(c))
        const { language } = await getChannel(deps, getPrincipal(c).tenant, readIdParam(c))
        return respond(c, printChannelDelivery(message, language))
      },
    },
    listRoute(deps, {
      path: `${onePath}/deliveries`, access: 'read_webhooks', summary: 'Lists messages of a notification channel, newest first',
      name: 'deliveries', list: lists.channelMessages, query: channelDeliveryListQuerySchema, response: channelDeliveryListSchema,
      toWhere: ({ status, reason }, c) =>
        [{ field: 'channel_id', operator: 'eq', value: readIdParam(c) }, ...isAny('status', status), ...isAny('reason', reason)],
      readPage: async (c, request) => {
        const { tenant } = getPrincipal(c)
        const { language } = await getChannel(deps, tenant, readIdParam(c))
        const name = { tenant, endpoint: `deliveries of channel ${readIdParam(c)}` }
        const { entries, ...page } = await readListPage(deps, name, request, deps.state.channelMessages)
        return { ...page, entries: entries.map((message) => printChannelDelivery(message, language)) }
      },
    }),
    ...routingRoutes(deps),
  ]
}

function routingRoutes(deps: ChannelDeps): Route[] {
  const errors = ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_QUERY_FIELD'] as const
  return [
    {
      method: 'GET', path: routesPath, access: 'read_webhooks', summary: 'Lists which events go to which channels',
      responses: { 200: channelRouteListSchema },
      handle: async (c) => {
        const routes = await deps.state.channelRoutes.list(getPrincipal(c).tenant)
        return respond(c, { routes: routes.map(({ route }) => printRoute(route)) })
      },
    },
    {
      method: 'POST', path: routesPath, access: 'edit_webhooks', isIdempotent: true, summary: 'Routes events to channels',
      body: newChannelRouteSchema, headers: ['ETag', 'Location'], errors: [...errors], responses: { 201: channelRouteSchema },
      handle: async (c) => {
        const body = await readJson(c, newChannelRouteSchema)
        const route = await createRoute(deps, getPrincipal(c), readNewRoute(body))
        c.header('Location', `${routesPath}/${route.id}`)
        return respondWithEtag(c, printRoute(route), route.version, 201)
      },
    },
    {
      method: 'GET', path: oneRoutePath, access: 'read_webhooks', summary: 'Returns a route to channels', headers: ['ETag'],
      responses: { 200: channelRouteSchema },
      handle: async (c) => {
        const route = await getRoute(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printRoute(route), route.version)
      },
    },
    {
      method: 'PATCH', path: oneRoutePath, access: 'edit_webhooks', summary: 'Changes a route to channels; omitted attributes are kept',
      body: channelRoutePatchSchema, checksVersion: true, headers: ['ETag'], errors: [...errors], responses: { 200: channelRouteSchema },
      handle: async (c) => {
        const patch = readRoute(omitUndefined(await readJson(c, channelRoutePatchSchema)))
        const route = await changeRoute(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printRoute(route), route.version)
      },
    },
    {
      method: 'DELETE', path: oneRoutePath, access: 'edit_webhooks', summary: 'Deletes a route to channels', checksVersion: true,
      responses: { 204: null },
      handle: async (c) => {
        await removeRoute(deps, getPrincipal(c), readIdParam(c), readIfMatch(c))
        return c.body(null, 204)
      },
    },
  ]
}

/** The filter of a parameter that names several values; none without it. */
export function isAny(field: string, values: readonly string[] | undefined): readonly Filter[] {
  return values === undefined ? [] : [{ field, operator: 'in', value: values }]
}
