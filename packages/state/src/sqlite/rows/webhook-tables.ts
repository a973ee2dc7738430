import type { DeliveryReason, DeliveryStatus } from '@tripline/model/delivery/webhook-delivery'
import type { PublicSeverity } from '@tripline/model/level'
import type { SentEventType, Webhook, WebhookStatus } from '@tripline/model/delivery/webhook'

/** The tables of webhooks, part of `Tables`. */
export type WebhookRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly url: string
  /** JSON lists. */
  readonly events: string
  readonly severities: string
  readonly profile: Webhook['profile']
  readonly status: WebhookStatus
  readonly sealedSecret: string
  readonly previousSealedSecret: string | null
  readonly previousSecretUntil: number | null
  /** The number of the last domain event that it does not get. */
  readonly sinceSeq: number
  readonly failureCount: number
  readonly skippedCount: number
  readonly lastDeliveryAt: number | null
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type WebhookEventRow = {
  readonly tenantId: string
  readonly id: string
  readonly type: SentEventType
  readonly at: number
  readonly subjectId: string
  readonly title: string
  readonly severity: PublicSeverity | null
  /** JSON. */
  readonly details: string
}

export type WebhookDeliveryRow = {
  readonly tenantId: string
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly reason: DeliveryReason
  readonly status: DeliveryStatus
  readonly attempt: number
  readonly dueAt: number | null
  readonly lastAt: number | null
  readonly durationMs: number | null
  readonly httpStatus: number | null
  readonly error: string
  readonly snippet: string
  readonly createdAt: number
}
