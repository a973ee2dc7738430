import type { Notice } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import type { AttemptOutcome } from '@tripline/model/delivery/webhook-delivery'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import type { SendQueue } from '../delivery/queue/queue-sender.ts'
import { sendMessage } from './send-message.ts'
import type { ChannelSendDeps } from './send-message.ts'

type ChannelQueueDeps = ChannelSendDeps & {
  readonly state: Pick<StateStore, 'transaction' | 'channels' | 'channelMessages'>
}

/** The queue of messages to channels. */
export function createChannelQueue(deps: ChannelQueueDeps): SendQueue {
  const { state, clock } = deps
  return {
    kind: 'channel',
    async listWaiting() {
      return (await state.channelMessages.listWaiting()).map(({ channelId: receiver, ...rest }) => ({ ...rest, receiver }))
    },
    listPending: (tenant, channelId, limit) => state.channelMessages.listPending(tenant, channelId, limit),
    async open(tenant, channelId, id) {
      const opened = await state.transaction(async (stores) => {
        const channel = await stores.channels.get(tenant, channelId)
        // From here on the message collects nothing more, so each attempt says the same.
        const message = channel === undefined ? undefined : await stores.channelMessages.begin(tenant, id)
        if (channel === undefined || message === undefined) return undefined
        if (message.reason !== 'escalation' || message.attempt > 0) return { channel, message }
        if (await isUnacknowledged(stores, tenant, message.notices[0])) return { channel, message }
        await stores.channelMessages.settle(tenant, id, describeCancelation(message, clock.now()))
        return undefined
      })
      if (opened === undefined) return undefined
      const { channel, message } = opened
      return {
        attempt: message.attempt, reason: message.reason === 'test' ? 'test' : 'event',
        send: (signal) => sendMessage(deps, tenant, { channel, message, signal }),
        record: (outcome) => recordMessage(state, tenant, { message, outcome }),
      }
    },
  }
}

/** Stores the outcome of an attempt, and when the channel last received something. */
export async function recordMessage(
  state: Pick<StateStore, 'transaction'>, tenant: TenantId,
  { message, outcome }: { readonly message: ChannelMessage; readonly outcome: AttemptOutcome },
): Promise<void> {
  await state.transaction(async ({ channelMessages, channels }) => {
    const isPending = await channelMessages.settle(tenant, message.id, outcome)
    if (!isPending || outcome.status !== 'delivered') return
    await channels.noteDelivery(tenant, message.channelId, outcome.last.at + outcome.last.durationMs)
  })
}

/** Whether what a notice tells of is open still: an alert or incident that is worked on is acknowledged. */
async function isUnacknowledged({ alerts, incidents }: Stores, tenant: TenantId, notice: Notice | undefined): Promise<boolean> {
  if (notice === undefined) return false
  const isAlert = notice.type.startsWith('alert.')
  const subject = isAlert ? await alerts.get(tenant, notice.subject) : await incidents.get(tenant, notice.subject)
  return subject?.status === 'open'
}

function describeCancelation({ attempt }: ChannelMessage, at: number): AttemptOutcome {
  const error = 'not sent: it was acknowledged before'
  const last = { at, durationMs: 0, httpStatus: undefined, error, snippet: '', retryAfterMs: undefined }
  return { status: 'canceled', attempt, dueAt: undefined, last, isGone: false }
}
