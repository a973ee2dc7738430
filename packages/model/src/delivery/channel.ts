import type { PublicSeverity } from '../level.ts'
import type { WebhookEventDetails } from './webhook-event.ts'
import type { WebhookEventType } from './webhook.ts'

/** How mail is secured: `starttls` refuses a server that does not offer it, `none` sends in the clear. */
type MailSecurity = 'tls' | 'starttls' | 'none'

/** Settings of a channel that are no secret, by its type. */
export type ChannelSettings =
  | { readonly type: 'email'; readonly host: string; readonly port: number; readonly security: MailSecurity
    readonly caCertificate: string; readonly username: string; readonly from: string; readonly to: readonly string[] }
  | { readonly type: 'slack' | 'teams' }
  /** A JSON text with placeholders such as `{{title}}`; empty for the usual body. */
  | { readonly type: 'webhook'; readonly template: string }
  | { readonly type: 'pagerduty'; readonly url: string }

/** Secrets of a channel: which it has is visible, their values are sealed. */
export const channelSecretNames = ['url', 'password', 'authorization', 'routing_key'] as const
type ChannelSecretName = (typeof channelSecretNames)[number]
export type ChannelSecrets = { readonly [name in ChannelSecretName]?: string }

/** Secrets that a channel of each type needs, and those that it may have. */
export const secretsOfTypes: {
  readonly [type in ChannelSettings['type']]: {
    readonly needed: readonly ChannelSecretName[]
    readonly optional: readonly ChannelSecretName[]
  }
} = {
  email: { needed: [], optional: ['password'] },
  slack: { needed: ['url'], optional: [] },
  teams: { needed: ['url'], optional: [] },
  webhook: { needed: ['url'], optional: ['authorization'] },
  pagerduty: { needed: ['routing_key'], optional: [] },
}

/** Where notifications of a tenant go. */
export type Channel = {
  readonly id: string
  /** Unique in a tenant. */
  readonly name: string
  readonly settings: ChannelSettings
  /** All secrets as one encrypted JSON object. */
  readonly sealedSecrets: string
  readonly secretNames: readonly ChannelSecretName[]
  /** The language of messages. */
  readonly language: 'en' | 'ko'
  readonly isEnabled: boolean
  readonly lastDeliveryAt: number | undefined
  /** Notifications that found too many waiting. */
  readonly skippedCount: number
  /** Counts the changes of users, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a user may change of a channel. */
export type ChannelChange = Partial<Pick<Channel, 'name' | 'settings' | 'sealedSecrets' | 'secretNames' | 'language' | 'isEnabled'>>

/** Hours of a day, in the time zone of the tenant, in which notifications are held until they end. */
export type QuietHours = {
  /** Minutes since midnight; a range that ends before it begins ends on the next day. */
  readonly from: number
  readonly to: number
  /** Days on which it begins, 1 for Monday to 7 for Sunday. */
  readonly days: readonly number[]
  /** Severities that are sent all the same. */
  readonly exceptSeverities: readonly PublicSeverity[]
}

/** Who else is notified of an alert or incident that is still open after some minutes. */
export type Escalation = { readonly afterMinutes: number; readonly channelIds: readonly string[] }

/** Which events go to which channels, and when. */
export type ChannelRoute = {
  readonly id: string
  /** Unique in a tenant. */
  readonly name: string
  readonly events: readonly WebhookEventType[]
  /** A filter expression of the list of alerts or incidents, as JSON; empty for all. */
  readonly filter: string
  readonly channelIds: readonly string[]
  readonly quietHours: QuietHours | undefined
  /** Minutes after a message in which events are collected for the next one; 0 for none. */
  readonly throttleMinutes: number
  /** Minutes for which events are collected in one message from the first on; 0 for none. */
  readonly digestMinutes: number
  readonly escalation: Escalation | undefined
  readonly isEnabled: boolean
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a user may change of a route. */
export type ChannelRouteChange = Partial<Omit<ChannelRoute, 'id' | 'version' | 'createdAt' | 'updatedAt'>>

/** Why a message was made: an event, one that stayed unacknowledged, a test, a step of a playbook, a scheduled report. */
export const noticeReasons = ['event', 'escalation', 'test', 'playbook', 'report'] as const
export type NoticeReason = (typeof noticeReasons)[number]

/** One thing that a message tells of, as it was when it was queued. */
export type Notice = {
  /** Of one route a channel gets a notice with this id once. */
  readonly id: string
  readonly type: WebhookEventType | 'channel.test' | 'playbook.notify' | 'report.ready' | 'report.failed'
  readonly at: number
  readonly subject: string
  readonly title: string
  readonly severity: PublicSeverity | undefined
  readonly details: WebhookEventDetails
}
