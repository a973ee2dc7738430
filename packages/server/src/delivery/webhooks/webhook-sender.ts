import type { StateStore } from '@tripline/state/ports/state-store'
import { QueueSender } from '../queue/queue-sender.ts'
import type { QueueSenderOptions, SendQueue } from '../queue/queue-sender.ts'
import { OutcomeRecorder } from './outcome-recorder.ts'
import { sendDelivery } from './send-delivery.ts'
import type { SendDeps } from './send-delivery.ts'

export type WebhookSenderOptions = SendDeps & Omit<QueueSenderOptions, 'queue'> & {
  readonly state: Pick<StateStore, 'transaction' | 'webhooks' | 'webhookDeliveries'>
}

/** Sends what is queued for webhooks. */
export class WebhookSender extends QueueSender {
  constructor(options: WebhookSenderOptions) {
    super({ ...options, queue: createWebhookQueue(options) })
  }
}

function createWebhookQueue(deps: SendDeps & Pick<WebhookSenderOptions, 'state'>): SendQueue {
  const { webhooks, webhookDeliveries } = deps.state
  const recorder = new OutcomeRecorder(deps.state)
  return {
    kind: 'webhook',
    async listWaiting() {
      return (await webhookDeliveries.listWaiting()).map(({ webhookId: receiver, ...rest }) => ({ ...rest, receiver }))
    },
    listPending: (tenant, webhookId, limit) => webhookDeliveries.listPending(tenant, webhookId, limit),
    async open(tenant, webhookId, id) {
      const delivery = await webhookDeliveries.get(tenant, id)
      const webhook = await webhooks.get(tenant, webhookId)
      if (delivery?.status !== 'pending' || webhook === undefined) return undefined
      const { attempt, reason, event } = delivery
      return {
        attempt, reason,
        send: (signal) => sendDelivery(deps, tenant, { webhook, event, signal }),
        record: (outcome) => recorder.record({ tenant, delivery, outcome }),
      }
    },
  }
}
