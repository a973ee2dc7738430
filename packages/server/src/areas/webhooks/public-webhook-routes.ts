import { AppError } from '@tripline/contract/app-error'
import { omitUndefined } from '@tripline/common/omit-undefined'
import {
  deliveryParameters, newPublicWebhook, publicDelivery, publicReplay, publicReplayResult, publicWebhook, publicWebhookChange,
  publicWebhookWithSecret,
} from '@tripline/contract/public/webhook'
import type { PublicDelivery, PublicWebhook } from '@tripline/contract/public/webhook'
import type { WebhookDelivery } from '@tripline/model/delivery/webhook-delivery'
import { printPayload } from '@tripline/model/delivery/webhook-event'
import type { Webhook } from '@tripline/model/delivery/webhook'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import { isAnyOf, publicList, toPublicRange } from '../../http/public/public-list.ts'
import { nothing, one, publicRoute } from '../../http/public/public-route.ts'
import type { PublicRoute } from '../../http/public/public-route.ts'
import { limits } from '../../limits.ts'
import { getDelivery, redeliver, replayEvents, testWebhook } from './send-again.ts'
import { changeWebhook, createWebhook, getWebhook, removeWebhook, rotateWebhookSecret } from './webhooks.ts'
import type { WebhookDeps } from './webhooks.ts'

type PublicWebhookDeps = WebhookDeps & CursorDeps

const path = '/webhooks'
const onePath = `${path}/:id`
const reading = { resource: 'webhooks', permission: 'read_webhooks' } as const
const changing = { resource: 'webhooks', permission: 'edit_webhooks' } as const

/** Webhooks in the public API. */
export function publicWebhookRoutes(deps: PublicWebhookDeps): PublicRoute[] {
  return [...recordRoutes(deps), ...deliveryRoutes(deps)]
}

function recordRoutes(deps: PublicWebhookDeps): PublicRoute[] {
  const change = (method: 'PATCH' | 'PUT'): PublicRoute => publicRoute({
    ...changing, method, path: onePath, summary: 'Changes, enables or disables a webhook', body: publicWebhookChange,
    response: one(publicWebhook), hasVersion: true, errors: ['CONFLICT', 'INVALID_BODY'],
    async handle({ caller, id, body, versions }) {
      if (Object.keys(body).length === 0) {
        throw new AppError('INVALID_PARAMETER', 'the body must contain at least one change', { parameter: 'body', value: '{}' })
      }
      const { filters, enabled: isEnabled, ...stated } = body
      const patch = omitUndefined({ ...stated, severities: filters && (filters.severity ?? []), isEnabled })
      const webhook = await changeWebhook(deps, caller, id, { patch, versions })
      return { body: toPublicWebhook(webhook), version: webhook.version }
    },
  })
  return [
    publicList({
      ...reading, path, summary: 'Lists webhooks', parameters: {}, entry: publicWebhook,
      sorting: { sort: { created_at: 'created_at', name: 'name' }, sortDefault: { field: 'created_at', direction: 'desc' } },
      toWhere: () => [],
      readPage: async ({ tenant }, request) => {
        const { entries, ...page } = await readListPage(deps, { tenant, endpoint: 'webhooks' }, request, deps.state.webhooks)
        return { ...page, entries: entries.map(toPublicWebhook) }
      },
    }),
    publicRoute({
      ...changing, method: 'POST', path, summary: 'Registers a webhook; its secret is shown only once', isIdempotent: true,
      body: newPublicWebhook, response: one(publicWebhookWithSecret, 201), errors: ['CONFLICT', 'INVALID_BODY'],
      async handle({ caller, body: { filters, enabled: isEnabled = true, profile, ...stated } }) {
        const severities = filters?.severity ?? []
        const { webhook, secret } = await createWebhook(deps, caller, { ...stated, profile, isEnabled, severities })
        return { body: { ...toPublicWebhook(webhook), secret }, headers: { Location: `/api/v1${path}/${webhook.id}` } }
      },
    }),
    publicRoute({
      ...reading, method: 'GET', path: onePath, summary: 'Returns a webhook', response: one(publicWebhook), hasVersion: true,
      async handle({ caller: { tenant }, id }) {
        const webhook = await getWebhook(deps, tenant, id)
        return { body: toPublicWebhook(webhook), version: webhook.version }
      },
    }),
    change('PATCH'),
    change('PUT'),
    publicRoute({
      ...changing, method: 'DELETE', path: onePath, summary: 'Deletes a webhook with its delivery log', response: nothing,
      checksVersion: true,
      async handle({ caller, id, versions }) {
        await removeWebhook(deps, caller, id, versions)
        return { body: undefined }
      },
    }),
    publicRoute({
      ...changing, method: 'POST', path: `${onePath}/rotate-secret`, summary: 'Replaces the secret; the old one signs too for a day',
      response: one(publicWebhookWithSecret), isIdempotent: true, checksVersion: true,
      async handle({ caller, id, versions }) {
        const { webhook, secret } = await rotateWebhookSecret(deps, caller, id, versions)
        return { body: { ...toPublicWebhook(webhook), secret } }
      },
    }),
  ]
}

function deliveryRoutes(deps: PublicWebhookDeps): PublicRoute[] {
  const print = async (tenant: string, delivery: WebhookDelivery): Promise<PublicDelivery> => {
    const { profile } = await getWebhook(deps, tenant, delivery.webhookId)
    return toPublicDelivery(delivery, { profile, publicUrl: deps.webhooks.sending.publicUrl })
  }
  return [
    publicRoute({
      ...changing, method: 'POST', path: `${onePath}/test`, summary: 'Sends a test event and returns what came of it',
      response: one(publicDelivery),
      handle: async ({ caller, id }) => ({ body: await print(caller.tenant, await testWebhook(deps, caller, id)) }),
    }),
    publicRoute({
      ...changing, method: 'POST', path: `${onePath}/replay`, summary: 'Sends the events of a time range again', body: publicReplay,
      response: one(publicReplayResult, 202), isIdempotent: true, errors: ['CONFLICT', 'INVALID_BODY'],
      handle: async ({ caller, id, body: { from, to, events } }) =>
        ({ body: { queued: await replayEvents(deps, caller, id, { from, to, events }) } }),
    }),
    publicList({
      ...reading, path: `${onePath}/deliveries`, summary: 'Lists deliveries of a webhook', parameters: deliveryParameters,
      entry: publicDelivery,
      sorting: { sort: { created_at: 'created_at' }, sortDefault: { field: 'created_at', direction: 'desc' } },
      toWhere: ({ status, from, to }) => [...isAnyOf('status', status), ...toPublicRange('created_at', { from, to })],
      async readPage({ tenant }, request, id) {
        const { profile } = await getWebhook(deps, tenant, id)
        const where = [...request.where, { field: 'webhook_id', operator: 'eq', value: id } as const]
        const name = { tenant, endpoint: `deliveries of ${id}` }
        const { entries, ...page } = await readListPage(deps, name, { ...request, where }, deps.state.webhookDeliveries)
        const { publicUrl } = deps.webhooks.sending
        return { ...page, entries: entries.map((delivery) => toPublicDelivery(delivery, { profile, publicUrl })) }
      },
    }),
    publicRoute({
      ...changing, method: 'POST', path: `${onePath}/deliveries/:deliveryId/redeliver`, summary: 'Sends the event of a delivery again',
      response: one(publicDelivery, 202), isIdempotent: true, errors: ['CONFLICT'],
      async handle({ caller, id, getParam }) {
        const { id: deliveryId } = await getDelivery(deps, caller.tenant, id, getParam('deliveryId').toLowerCase())
        return { body: await print(caller.tenant, await redeliver(deps, caller, id, deliveryId)) }
      },
    }),
  ]
}

function toPublicWebhook(webhook: Webhook): PublicWebhook {
  const { id, name, url, events, severities, profile, status, createdAt, updatedAt, lastDeliveryAt, failureCount, skippedCount } = webhook
  return {
    id, name, url, events, filters: { severity: severities }, enabled: status === 'active', profile, status, created_at: createdAt,
    updated_at: updatedAt, last_delivery_at: lastDeliveryAt ?? null, failure_count: failureCount, skipped_count: skippedCount,
  }
}

function toPublicDelivery(
  { id, webhookId, event, reason, status, attempt, dueAt, last, createdAt }: WebhookDelivery,
  { profile, publicUrl }: Pick<Webhook, 'profile'> & { readonly publicUrl: string },
): PublicDelivery {
  return {
    id, webhook_id: webhookId, event_id: event.id, event: event.type, reason, attempt, status, http_status: last?.httpStatus ?? null,
    duration_ms: last?.durationMs ?? null, error: last === undefined || last.error === '' ? null : last.error,
    next_attempt_at: dueAt ?? null, last_attempt_at: last?.at ?? null, created_at: createdAt,
    request_body: printPayload(event, { profile, publicUrl, bytesMax: limits.webhooks.payloadBytesMax }),
    response_snippet: last?.snippet ?? '',
  }
}
