import type { Channel, Notice, NoticeReason } from './channel.ts'
import type { ChannelMessage } from './channel-message.ts'
import type { DeliveryReason } from './webhook-delivery.ts'

/** The kinds of receivers: webhooks for programs, channels for people. A channel of type `webhook` is `webhook_template`. */
export const notificationChannels = ['webhook', 'email', 'slack', 'teams', 'pagerduty', 'webhook_template'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** What was sent, or is to be sent, to a webhook or a channel. */
export type Notification = Pick<ChannelMessage, 'id' | 'status' | 'moreCount' | 'attempt' | 'dueAt' | 'last' | 'createdAt'> & {
  readonly channel: NotificationChannel
  /** The webhook or channel that it goes to, and its name. */
  readonly targetId: string
  readonly targetName: string
  readonly reason: DeliveryReason | NoticeReason
  /** What it tells of; one event for a webhook. */
  readonly notices: readonly Notice[]
  readonly language: Channel['language']
}
