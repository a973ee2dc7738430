import { sql } from 'kysely'
import { deliveryFields, webhookFields } from '@tripline/model/lists/webhook-fields'
import type { WebhookDelivery } from '@tripline/model/delivery/webhook-delivery'
import type { WebhookEvent, WebhookEventDetails } from '@tripline/model/delivery/webhook-event'
import type { Webhook } from '@tripline/model/delivery/webhook'
import type { WebhookDeliveryRow, WebhookEventRow, WebhookRow } from '../rows/webhook-tables.ts'
import type { SqlList } from './list-page.ts'

const webhookColumns = {
  name: 'name', url: 'url', status: 'status', failure_count: 'failureCount', created_at: 'createdAt', updated_at: 'updatedAt',
} as const satisfies { readonly [field in keyof typeof webhookFields]: keyof WebhookRow }

/** The webhooks of a tenant. */
export const webhookList: SqlList<WebhookRow, Webhook> = {
  entries: 'webhooks', fields: webhookFields, columns: webhookColumns, texts: ['name', 'url'],
  from: sql`webhooks`, select: sql`*`, tenant: 'tenantId', id: 'id', parse: parseWebhookRow,
}

export function parseWebhookRow(row: WebhookRow): Webhook {
  const { id, name, url, profile, status, sealedSecret, previousSealedSecret, previousSecretUntil, failureCount, skippedCount } = row
  const { lastDeliveryAt, version, createdAt, updatedAt } = row
  return {
    id, name, url, profile, status, sealedSecret, failureCount, skippedCount, version, createdAt, updatedAt,
    events: JSON.parse(row.events) as Webhook['events'],
    severities: JSON.parse(row.severities) as Webhook['severities'],
    previousSecret: previousSealedSecret === null ? undefined : { sealed: previousSealedSecret, until: previousSecretUntil ?? 0 },
    lastDeliveryAt: lastDeliveryAt ?? undefined,
  }
}

/** A delivery with its event. */
export type JoinedDeliveryRow = Omit<WebhookDeliveryRow, 'tenantId'> & {
  readonly type: WebhookEventRow['type']
  readonly eventAt: number
  readonly subjectId: string
  readonly title: string
  readonly severity: WebhookEventRow['severity']
  readonly details: string
}

/** The join of deliveries with their events, and its columns. */
export const joinedDeliveries = sql`webhook_deliveries d join webhook_events e on e.tenant_id = d.tenant_id and e.id = d.event_id`
export const joinedDeliveryColumns = sql`d.id, d.webhook_id, d.event_id, d.reason, d.status, d.attempt, d.due_at, d.last_at,
  d.duration_ms, d.http_status, d.error, d.snippet, d.created_at, e.type, e.at as event_at, e.subject_id, e.title, e.severity, e.details`

const deliveryColumns = {
  webhook_id: 'd.webhookId', event: 'e.type', status: 'd.status', reason: 'd.reason', attempt: 'd.attempt', created_at: 'd.createdAt',
} as const satisfies { readonly [field in keyof typeof deliveryFields]: string }

/** The deliveries of a tenant's webhooks. */
export const deliveryList: SqlList<JoinedDeliveryRow, WebhookDelivery> = {
  entries: 'deliveries', fields: deliveryFields, columns: deliveryColumns, texts: ['e.title', 'e.subjectId', 'd.error'],
  from: joinedDeliveries, select: joinedDeliveryColumns, tenant: 'd.tenantId', id: 'd.id', parse: parseDeliveryRow,
}

export function parseDeliveryRow(row: JoinedDeliveryRow): WebhookDelivery {
  const { id, webhookId, reason, status, attempt, dueAt, lastAt, durationMs, httpStatus, error, snippet, createdAt } = row
  const { eventId, type, eventAt: at, subjectId, title, severity, details } = row
  return {
    id, webhookId, reason, status, attempt, createdAt,
    event: parseEventRow({ id: eventId, type, at, subjectId, title, severity, details }),
    dueAt: dueAt ?? undefined,
    last: lastAt === null ? undefined : {
      at: lastAt, durationMs: durationMs ?? 0, httpStatus: httpStatus ?? undefined, error, snippet,
      retryAfterMs: undefined,
    },
  }
}

export function parseEventRow({ subjectId: subject, severity, details, ...event }: Omit<WebhookEventRow, 'tenantId'>): WebhookEvent {
  const { id, type, at, title } = event
  return { id, type, at, subject, title, severity: severity ?? undefined, details: JSON.parse(details) as WebhookEventDetails }
}
