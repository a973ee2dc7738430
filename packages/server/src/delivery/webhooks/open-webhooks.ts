import { openSecretBox } from '@tripline/model/access/secret-box'
import type { SecretBox } from '@tripline/model/access/secret-box'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { EventConsumer } from '../outbox/event-consumer.ts'
import { createWebhookConsumer } from './webhook-consumer.ts'
import { WebhookSender } from './webhook-sender.ts'
import type { WebhookSenderOptions } from './webhook-sender.ts'

/** The parts that deliver events to webhooks. */
export type Webhooks = {
  readonly consumer: EventConsumer
  readonly sender: WebhookSender
  /** Makes one attempt at once, and needs these to do so. */
  readonly sending: Pick<WebhookSenderOptions, 'egressOf' | 'secrets' | 'publicUrl' | 'clock'>
  readonly secrets: SecretBox
}

type WebhooksOptions = Pick<WebhookSenderOptions, 'egressOf' | 'publicUrl' | 'sleep' | 'onAttempt'> & {
  readonly state: StateStore
  readonly boxKey: Uint8Array
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly log: Log
}

/** Builds what delivers events to webhooks; nothing is sent before `sender.start()`. */
export function openWebhooks({ state, boxKey, io, log, sleep, onAttempt, ...options }: WebhooksOptions): Webhooks {
  const { randomBytes } = io
  const secrets = openSecretBox(boxKey, randomBytes)
  const random = (): number => Buffer.from(randomBytes(4)).readUInt32BE() / 2 ** 32
  const sending = { ...options, secrets, clock: io }
  const sender = new WebhookSender({ ...sending, state, sleep, random, log, ...(onAttempt && { onAttempt }) })
  return { consumer: createWebhookConsumer({ state, sender, clock: io, randomBytes }), sender, sending, secrets }
}
