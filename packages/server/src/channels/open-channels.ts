import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { openSecretBox } from '@tripline/model/access/secret-box'
import type { SecretBox } from '@tripline/model/access/secret-box'
import type { DeliveryStatus } from '@tripline/model/delivery/webhook-delivery'
import type { TenantId } from '@tripline/model/tenant'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { EventConsumer } from '../delivery/outbox/event-consumer.ts'
import { QueueSender } from '../delivery/queue/queue-sender.ts'
import { createChannelConsumer } from './channel-consumer.ts'
import { createChannelQueue } from './channel-queue.ts'
import type { ChannelSendDeps } from './send-message.ts'

/** The parts that deliver notifications to channels. */
export type Channels = {
  readonly consumer: EventConsumer
  readonly sender: QueueSender
  /** Makes one attempt at once, and needs these to do so. */
  readonly sending: ChannelSendDeps
  readonly secrets: SecretBox
}

type ChannelsOptions = Pick<ChannelSendDeps, 'networkOf' | 'readAttachments' | 'publicUrl'> & {
  readonly state: StateStore
  readonly settingDefaults: TenantSettings
  readonly boxKey: Uint8Array
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly sleep: (lengthMs: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
  readonly onAttempt?: (tenant: TenantId, status: DeliveryStatus) => void
}

/** Builds what delivers notifications to channels; nothing is sent before `sender.start()`. */
export function openChannels({ state, settingDefaults, boxKey, io, sleep, log, onAttempt, ...options }: ChannelsOptions): Channels {
  const { randomBytes } = io
  const secrets = openSecretBox(boxKey, randomBytes)
  const random = (): number => Buffer.from(randomBytes(4)).readUInt32BE() / 2 ** 32
  const sending = { ...options, secrets, clock: io }
  const sender = new QueueSender({
    queue: createChannelQueue({ ...sending, state }), clock: io, sleep, random, log, ...(onAttempt && { onAttempt }),
  })
  return { consumer: createChannelConsumer({ state, settingDefaults, sender, clock: io, randomBytes }), sender, sending, secrets }
}
