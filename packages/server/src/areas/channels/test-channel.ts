import type { Principal } from '@tripline/model/access/principal'
import type { Notice } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import { judgeAttempt } from '@tripline/model/delivery/webhook-delivery'
import { createUuidV7 } from '@tripline/model/ids'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import { recordMessage } from '../../channels/channel-queue.ts'
import { sendMessage } from '../../channels/send-message.ts'
import { limits } from '../../limits.ts'
import { getChannel } from './channels.ts'
import type { ChannelDeps } from './channels.ts'

/**
 * Sends a test message to a channel, enabled or not, and waits for its one attempt, which is in the delivery log.
 *
 * @throws AppError NOT_FOUND.
 */
export async function testChannel(deps: ChannelDeps, caller: Principal, id: string): Promise<ChannelMessage> {
  const { tenant } = caller
  const channel = await getChannel(deps, tenant, id)
  const at = deps.clock.now()
  const notice: Notice = {
    id: createUuidV7(at, deps.randomBytes), type: 'channel.test', at, subject: id, title: channel.name, severity: 'info', details: {},
  }
  const messageId = createUuidV7(at, deps.randomBytes)
  // A crash during the attempt leaves a message that is tried once more.
  const scheduledAt = at + limits.channels.mailMs * 2
  const message = await deps.state.transaction(async (stores) => {
    const queued = { id: messageId, channelId: id, routeId: '', reason: 'test', scheduledAt, createdAt: at } as const
    await stores.channelMessages.insert(tenant, queued, notice)
    await recordAudit(stores, caller, { at, action: 'channel.test', target: { type: 'channel', id } })
    return requireFound(await stores.channelMessages.begin(tenant, messageId), 'delivery')
  })
  const result = await sendMessage(deps.channels.sending, tenant, { channel, message, signal: new AbortController().signal })
  const outcome = judgeAttempt({ attempt: 0, reason: 'test' }, result, 0)
  await recordMessage(deps.state, tenant, { message, outcome })
  return requireFound(await deps.state.channelMessages.get(tenant, messageId), 'delivery')
}
