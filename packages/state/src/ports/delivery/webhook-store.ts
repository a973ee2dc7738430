import type { TenantId } from '@tripline/model/tenant'
import type { AttemptOutcome, WebhookDelivery } from '@tripline/model/delivery/webhook-delivery'
import type { WebhookEvent } from '@tripline/model/delivery/webhook-event'
import type { Webhook, WebhookChange, WebhookEventType, WebhookHealth } from '@tripline/model/delivery/webhook'
import type { ChangeResult, ChangeTerms, Insertion } from '../change.ts'
import type { TenantList } from '../list-query.ts'

/** Stores the webhooks of tenants; their names are unique in a tenant. */
export type WebhookStore = TenantList<Webhook> & {
  /** Inserts a webhook, which gets the events that are published from now on; `taken` for a name that another one has. */
  readonly insert: (tenant: TenantId, webhook: Webhook) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<Webhook | undefined>
  readonly count: (tenant: TenantId) => Promise<number>
  /** All webhooks of a tenant, each with the number of the last domain event that it does not get. */
  readonly listSubscriptions: (tenant: TenantId) => Promise<readonly Subscription[]>
  /** A webhook that becomes active gets the events that are published from now on, and begins without failures. */
  readonly update: (
    tenant: TenantId, id: string, change: WebhookChange & Partial<WebhookSecrets>, terms: ChangeTerms,
  ) => Promise<ChangeResult<Webhook> | { readonly outcome: 'taken' }>
  /** Stores what deliveries change; the version stays. Returns whether the webhook exists. */
  readonly setHealth: (tenant: TenantId, id: string, health: WebhookHealth) => Promise<boolean>
  /** Counts events that found the queue full. */
  readonly addSkipped: (tenant: TenantId, id: string, count: number) => Promise<void>
  /** Removes a webhook with its deliveries; returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

type WebhookSecrets = Pick<Webhook, 'sealedSecret' | 'previousSecret'>

type Subscription = { readonly webhook: Webhook; readonly sinceSeq: number }

/** A delivery to be made. */
export type NewDelivery = Pick<WebhookDelivery, 'id' | 'webhookId' | 'reason' | 'createdAt'> & {
  readonly eventId: string
  readonly dueAt: number
}

/** Stores the events of webhooks and the queue and log of their deliveries. */
export type WebhookDeliveryStore = TenantList<WebhookDelivery> & {
  /**
   * Stores events and queues deliveries of them. Events that are stored already stay as they are, and of one event to one
   * webhook there is one delivery with the reason `event`. Returns the deliveries that are new.
   */
  readonly insert: (
    tenant: TenantId, events: readonly WebhookEvent[], deliveries: readonly NewDelivery[],
  ) => Promise<readonly NewDelivery[]>
  readonly get: (tenant: TenantId, id: string) => Promise<WebhookDelivery | undefined>
  /** Deliveries of a webhook that are pending. */
  readonly countPending: (tenant: TenantId, webhookId: string) => Promise<number>
  /** The ids of pending deliveries of a webhook by the time at which they are due, with that time. */
  readonly listPending: (tenant: TenantId, webhookId: string, limit: number) => Promise<readonly DueDelivery[]>
  /** The webhooks of all tenants with pending deliveries, and when the first of them is due. */
  readonly listWaiting: () => Promise<readonly WaitingWebhook[]>
  /** Records an attempt of a pending delivery; returns false for any other. */
  readonly settle: (tenant: TenantId, id: string, outcome: AttemptOutcome) => Promise<boolean>
  /** Cancels what is pending of a webhook; returns how many. */
  readonly cancelPending: (tenant: TenantId, webhookId: string) => Promise<number>
  /** Events of some types within `[from, to)`, oldest first. */
  readonly listEvents: (tenant: TenantId, range: EventRange) => Promise<readonly WebhookEvent[]>
  /** Removes deliveries that are done, and events, made before an instant, at most `limit` of each; returns how many. */
  readonly removeOld: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
}

type DueDelivery = { readonly id: string; readonly dueAt: number }

type WaitingWebhook = { readonly tenant: TenantId; readonly webhookId: string; readonly dueAt: number }

type EventRange = {
  readonly from: number
  readonly to: number
  readonly types: readonly WebhookEventType[]
  readonly limit: number
}
