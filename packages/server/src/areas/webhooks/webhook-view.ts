import type { WebhookBody, WebhookDeliveryBody } from '@tripline/contract/console/webhook'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { limits } from '../../limits.ts'
import type { WebhookDelivery } from '@tripline/model/delivery/webhook-delivery'
import { printPayload } from '@tripline/model/delivery/webhook-event'
import type { Webhook } from '@tripline/model/delivery/webhook'

/** Prints a webhook without its secret. */
export function printWebhook(webhook: Webhook): WebhookBody {
  const { id, name, url, events, severities, profile, status, createdAt, updatedAt, lastDeliveryAt, failureCount, skippedCount } = webhook
  return {
    id, name, url, events: [...events], filters: { severity: [...severities] }, enabled: status === 'active', profile, status,
    created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt), last_delivery_at: formatTimestamp(lastDeliveryAt),
    failure_count: failureCount, skipped_count: skippedCount,
  }
}

/** Prints a delivery with its payload as it is sent to a webhook of this profile. */
export function printDelivery(
  { id, webhookId, event, reason, status, attempt, dueAt, last, createdAt }: WebhookDelivery,
  { profile, publicUrl }: Pick<Webhook, 'profile'> & { readonly publicUrl: string },
): WebhookDeliveryBody {
  return {
    id, webhook_id: webhookId, event_id: event.id, event: event.type, reason, attempt, status,
    http_status: last?.httpStatus ?? null, duration_ms: last?.durationMs ?? null,
    error: last === undefined || last.error === '' ? null : last.error,
    next_attempt_at: formatTimestamp(dueAt), last_attempt_at: formatTimestamp(last?.at), created_at: formatTimestamp(createdAt),
    request_body: printPayload(event, { profile, publicUrl, bytesMax: limits.webhooks.payloadBytesMax }),
    response_snippet: last?.snippet ?? '',
  }
}
