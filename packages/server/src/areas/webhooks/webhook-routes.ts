import {
  newWebhookBodySchema, webhookDeliveryListQuerySchema, webhookDeliveryListSchema, webhookDeliverySchema, webhookListQuerySchema,
  webhookListSchema, webhookPatchSchema, webhookReplayBodySchema, webhookReplaySchema, webhookSchema, webhookWithSecretSchema,
} from '@tripline/contract/console/webhook'
import { omitUndefined } from '@tripline/common/omit-undefined'
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
import type { RequestContext, Route } from '../../http/route.ts'
import type { Filter } from '@tripline/model/lists/filter'
import { getDelivery, redeliver, replayEvents, testWebhook } from './send-again.ts'
import { printDelivery, printWebhook } from './webhook-view.ts'
import { changeWebhook, createWebhook, getWebhook, removeWebhook, rotateWebhookSecret } from './webhooks.ts'
import type { WebhookDeps, WebhookWithSecret } from './webhooks.ts'

const path = '/v1/webhooks'
const onePath = `${path}/:id`
const deliveriesPath = `${onePath}/deliveries`

/** Routes for the webhooks of a tenant. */
export function webhookRoutes(deps: WebhookDeps & ListRouteDeps & CursorDeps): Route[] {
  return [
    listRoute(deps, {
      path, access: 'read_webhooks', summary: 'Lists webhooks', name: 'webhooks', list: lists.webhooks,
      query: webhookListQuerySchema, response: webhookListSchema,
      toWhere: ({ status }) => isAny('status', status),
      readPage: async (c, request) => {
        const name = { tenant: getPrincipal(c).tenant, endpoint: 'webhooks' }
        const { entries, ...page } = await readListPage(deps, name, request, deps.state.webhooks)
        return { ...page, entries: entries.map(printWebhook) }
      },
    }),
    {
      method: 'POST', path, access: 'edit_webhooks', isIdempotent: true, summary: 'Creates a webhook; its secret is shown only once',
      body: newWebhookBodySchema, headers: ['ETag', 'Location'], errors: ['CONFLICT'], responses: { 201: webhookWithSecretSchema },
      handle: async (c) => {
        const { filters, enabled: isEnabled, profile, ...stated } = await readJson(c, newWebhookBodySchema)
        const severities = filters?.severity ?? []
        const created = await createWebhook(deps, getPrincipal(c), { ...stated, severities, profile, isEnabled })
        c.header('Location', `${path}/${created.webhook.id}`)
        return respondWithSecret(c, created, 201)
      },
    },
    {
      method: 'GET', path: onePath, access: 'read_webhooks', summary: 'Returns a webhook', headers: ['ETag'],
      responses: { 200: webhookSchema },
      handle: async (c) => {
        const webhook = await getWebhook(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printWebhook(webhook), webhook.version)
      },
    },
    {
      method: 'PATCH', path: onePath, access: 'edit_webhooks', summary: 'Changes, enables or disables a webhook',
      body: webhookPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'], responses: { 200: webhookSchema },
      handle: async (c) => {
        const { filters, enabled, ...stated } = await readJson(c, webhookPatchSchema)
        const severities = filters && (filters.severity ?? [])
        const patch = omitUndefined({ ...stated, severities, isEnabled: enabled })
        const webhook = await changeWebhook(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printWebhook(webhook), webhook.version)
      },
    },
    {
      method: 'DELETE', path: onePath, access: 'edit_webhooks', summary: 'Deletes a webhook with its delivery log',
      checksVersion: true, responses: { 204: null },
      handle: async (c) => {
        await removeWebhook(deps, getPrincipal(c), readIdParam(c), readIfMatch(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${onePath}/rotate-secret`, access: 'edit_webhooks', isIdempotent: true, checksVersion: true,
      summary: 'Replaces the secret; the old one signs too for a day', headers: ['ETag'], responses: { 200: webhookWithSecretSchema },
      handle: async (c) => respondWithSecret(c, await rotateWebhookSecret(deps, getPrincipal(c), readIdParam(c), readIfMatch(c)), 200),
    },
    ...sendingRoutes(deps),
  ]
}

/** Routes that send something, and the log of what was sent. */
function sendingRoutes(deps: WebhookDeps & ListRouteDeps & CursorDeps): Route[] {
  const { publicUrl } = deps.webhooks.sending
  return [
    {
      method: 'POST', path: `${onePath}/test`, access: 'edit_webhooks', summary: 'Sends a test event and returns what came of it',
      responses: { 200: webhookDeliverySchema },
      handle: async (c) => {
        const delivery = await testWebhook(deps, getPrincipal(c), readIdParam(c))
        const { profile } = await getWebhook(deps, getPrincipal(c).tenant, readIdParam(c))
        return respond(c, printDelivery(delivery, { profile, publicUrl }))
      },
    },
    listRoute(deps, {
      path: deliveriesPath, access: 'read_webhooks', summary: 'Lists deliveries of a webhook, newest first', name: 'deliveries',
      list: lists.deliveries, query: webhookDeliveryListQuerySchema, response: webhookDeliveryListSchema,
      toWhere: ({ status, event }, c) =>
        [{ field: 'webhook_id', operator: 'eq', value: readIdParam(c) }, ...isAny('status', status), ...isAny('event', event)],
      readPage: async (c, request) => {
        const { tenant } = getPrincipal(c)
        const { profile } = await getWebhook(deps, tenant, readIdParam(c))
        const name = { tenant, endpoint: `deliveries of ${readIdParam(c)}` }
        const { entries, ...page } = await readListPage(deps, name, request, deps.state.webhookDeliveries)
        return { ...page, entries: entries.map((delivery) => printDelivery(delivery, { profile, publicUrl })) }
      },
    }),
    {
      method: 'GET', path: `${deliveriesPath}/:delivery`, access: 'read_webhooks', summary: 'Returns a delivery of a webhook',
      responses: { 200: webhookDeliverySchema },
      handle: async (c) => {
        const { tenant } = getPrincipal(c)
        const delivery = await getDelivery(deps, tenant, readIdParam(c), readIdParam(c, 'delivery'))
        const { profile } = await getWebhook(deps, tenant, delivery.webhookId)
        return respond(c, printDelivery(delivery, { profile, publicUrl }))
      },
    },
    {
      method: 'POST', path: `${deliveriesPath}/:delivery/redeliver`, access: 'edit_webhooks', isIdempotent: true,
      summary: 'Sends the event of a delivery again', errors: ['CONFLICT'], responses: { 202: webhookDeliverySchema },
      handle: async (c) => {
        const caller = getPrincipal(c)
        const delivery = await redeliver(deps, caller, readIdParam(c), readIdParam(c, 'delivery'))
        const { profile } = await getWebhook(deps, caller.tenant, delivery.webhookId)
        return respond(c, printDelivery(delivery, { profile, publicUrl }), 202)
      },
    },
    {
      method: 'POST', path: `${onePath}/replay`, access: 'edit_webhooks', isIdempotent: true,
      summary: 'Sends the events of a time range again', body: webhookReplayBodySchema, errors: ['CONFLICT'],
      responses: { 202: webhookReplaySchema },
      handle: async (c) => {
        const { from, to, events } = await readJson(c, webhookReplayBodySchema)
        return respond(c, { queued: await replayEvents(deps, getPrincipal(c), readIdParam(c), { from, to, events }) }, 202)
      },
    },
  ]
}

function respondWithSecret(c: RequestContext, { webhook, secret }: WebhookWithSecret, status: 200 | 201): Response {
  return respondWithEtag(c, { ...printWebhook(webhook), secret }, webhook.version, status)
}

function isAny(field: string, values: readonly string[] | undefined): readonly Filter[] {
  return values === undefined ? [] : [{ field, operator: 'in', value: values }]
}
