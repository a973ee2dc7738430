import { limits } from '../../limits.ts'
import type { TenantId } from '@tripline/model/tenant'
import type { AttemptOutcome, WebhookDelivery } from '@tripline/model/delivery/webhook-delivery'
import { applyDelivery } from '@tripline/model/delivery/webhook'
import type { WebhookStatus } from '@tripline/model/delivery/webhook'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'

/** The outcome of an attempt, to be stored. */
type RecordedAttempt = {
  readonly tenant: TenantId
  readonly delivery: Pick<WebhookDelivery, 'id' | 'webhookId' | 'reason' | 'event'>
  readonly outcome: AttemptOutcome
}

type Waiting = RecordedAttempt & { readonly resolve: () => void; readonly reject: (reason: unknown) => void }

/**
 * Stores outcomes of attempts by group commit: one is durable when its promise resolves, and those that come while a
 * transaction runs share the next, so that many deliveries cost few syncs.
 */
export class OutcomeRecorder {
  readonly #state: Pick<StateStore, 'transaction'>
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(state: Pick<StateStore, 'transaction'>) {
    this.#state = state
  }

  record(attempt: RecordedAttempt): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ ...attempt, resolve, reject })
    if (!this.#isWriting) void this.#writeAll()
    return promise
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0, limits.webhooks.outcomesAtOnceMax))
    this.#isWriting = false
  }

  /** A group that fails is written one by one: a corrupted row of one webhook must not hold up the others. */
  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#state.transaction(async (stores) => {
        for (const attempt of group) await recordOutcome(stores, attempt)
      })
    } catch (error) {
      if (group.length > 1) {
        for (const attempt of group) await this.#writeGroup([attempt])
        return
      }
      for (const { reject } of group) reject(error)
      return
    }
    for (const { resolve } of group) resolve()
  }
}

/** Stores an outcome with what it means for its webhook; one of a delivery that was canceled or removed changes nothing. */
async function recordOutcome(stores: Stores, { tenant, delivery, outcome }: RecordedAttempt): Promise<void> {
  const isPending = await stores.webhookDeliveries.settle(tenant, delivery.id, outcome)
  if (!isPending || outcome.status === 'pending') return
  const webhook = await stores.webhooks.get(tenant, delivery.webhookId)
  if (webhook === undefined) return
  const at = outcome.last.at + outcome.last.durationMs
  const hasSucceeded = outcome.status === 'delivered'
  await noteOnTimeline(stores, tenant, { delivery, outcome, webhookName: webhook.name, at })
  const health = applyDelivery(webhook, { hasSucceeded, isGone: outcome.isGone, isTest: delivery.reason === 'test', at })
  await stores.webhooks.setHealth(tenant, webhook.id, health)
  if (health.status !== webhook.status) await recordEnd(stores, tenant, { id: webhook.id, status: health.status, at })
}

/** The end of a delivery about an incident is on its timeline; an incident that is gone has none. */
async function noteOnTimeline(
  stores: Stores, tenant: TenantId, { delivery, outcome, webhookName, at }: Omit<RecordedAttempt, 'tenant'> & {
    readonly webhookName: string
    readonly at: number
  },
): Promise<void> {
  const { type, subject } = delivery.event
  if (type !== 'incident.created' && type !== 'incident.updated') return
  const detail = { webhook: webhookName, event: type, status: outcome.status, attempts: outcome.attempt, delivery_id: delivery.id }
  await stores.incidents.note(tenant, subject, { action: 'delivery', detail }, { at, by: 'webhooks', expectedVersion: undefined })
}

type EndedWebhook = { readonly id: string; readonly status: WebhookStatus; readonly at: number }

/** A webhook that deliveries disabled: what waits for it is canceled, and the trail says why. */
async function recordEnd(stores: Stores, tenant: TenantId, { id, status, at }: EndedWebhook): Promise<void> {
  const canceledCount = await stores.webhookDeliveries.cancelPending(tenant, id)
  await stores.audit.append(tenant, {
    at, actor: { type: 'system', id: 'webhooks', email: undefined }, action: 'webhook.disable', target: { type: 'webhook', id },
    outcome: 'success', diff: { status: ['active', status], canceled_deliveries: canceledCount }, ip: undefined, userAgent: undefined,
    requestId: undefined,
  })
}
