import type { ApiProfile } from '../access/api-key.ts'
import type { PublicSeverity } from '../level.ts'
import type { Plan } from '../tenant-settings.ts'

/**
 * The events that webhooks subscribe to. Those of collectors can be registered before a collector exists; they are sent once
 * one reports.
 */
export const webhookEventTypes = [
  'alert.created', 'alert.updated', 'incident.created', 'incident.updated', 'collector.disconnected', 'collector.connected',
  'connector.unhealthy', 'rule.disabled',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** What a delivery carries: an event, or the test that a user starts. */
export type SentEventType = WebhookEventType | 'webhook.test'

/**
 * `disabled`: by a user; `disabled_by_failures`: events in a row used up their attempts; `gone`: the receiver answered 410.
 */
export const webhookStatuses = ['active', 'disabled', 'disabled_by_failures', 'gone'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** A subscription of a tenant to events, delivered to a URL. */
export type Webhook = {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly events: readonly WebhookEventType[]
  /** Severities of alerts and incidents; all where it is empty. */
  readonly severities: readonly PublicSeverity[]
  /** Whose words and key case payloads have. */
  readonly profile: Exclude<ApiProfile, 'auto'>
  readonly status: WebhookStatus
  /** The encrypted signing secret; after a rotation the one before signs too, until an instant. */
  readonly sealedSecret: string
  readonly previousSecret: { readonly sealed: string; readonly until: number } | undefined
  /** Events in a row whose attempts were used up; a delivered one resets it. */
  readonly failureCount: number
  readonly lastDeliveryAt: number | undefined
  /** Events that found the queue of waiting deliveries full. */
  readonly skippedCount: number
  /** Counts the changes of users, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a user may change. */
export type WebhookChange = Partial<Pick<Webhook, 'name' | 'url' | 'events' | 'severities' | 'profile' | 'status'>>

/** Webhooks of a tenant, by its plan. */
export const webhooksMax: { readonly [plan in Plan]: number } = { free: 2, mdr: 10, pro: 50, custom: 200 }

/** Whether a webhook subscribes to an event; severities narrow only alerts and incidents. */
export function isSubscribed(
  { events, severities }: Pick<Webhook, 'events' | 'severities'>,
  { type, severity }: { readonly type: WebhookEventType; readonly severity: PublicSeverity | undefined },
): boolean {
  if (!events.includes(type)) return false
  const isNarrowed = type.startsWith('alert.') || type.startsWith('incident.')
  return !isNarrowed || severities.length === 0 || (severity !== undefined && severities.includes(severity))
}

/** Events in a row that use up their attempts before a webhook is disabled. */
const failuresMax = 5

/** What deliveries change of a webhook, without a new version. */
export type WebhookHealth = Pick<Webhook, 'status' | 'failureCount' | 'lastDeliveryAt'>

type EndedDelivery = { readonly hasSucceeded: boolean; readonly isGone: boolean; readonly isTest: boolean; readonly at: number }

/** The health of a webhook after a delivery that ended; a test does not count as an event. */
export function applyDelivery(
  { status, failureCount, lastDeliveryAt }: WebhookHealth,
  { hasSucceeded, isGone, isTest, at }: EndedDelivery,
): WebhookHealth {
  if (hasSucceeded) return { status, failureCount: 0, lastDeliveryAt: at }
  const count = failureCount + Number(!isTest)
  if (status !== 'active') return { status, failureCount: count, lastDeliveryAt }
  if (isGone) return { status: 'gone', failureCount: count, lastDeliveryAt }
  return { status: count >= failuresMax ? 'disabled_by_failures' : status, failureCount: count, lastDeliveryAt }
}
