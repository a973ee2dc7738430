import type { NoticeReason } from '@tripline/model/delivery/channel'
import type { DeliveryStatus } from '@tripline/model/delivery/webhook-delivery'
import type { Flag } from '../query/dialect.ts'

/** The tables of notification channels, part of `Tables`. */
export type ChannelTables = {
  readonly channels: ChannelRow
  readonly channelRoutes: ChannelRouteRow
  readonly channelMessages: ChannelMessageRow
  readonly channelNotices: ChannelNoticeRow
}

export type ChannelRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  /** JSON. */
  readonly settings: string
  readonly sealedSecrets: string
  /** A JSON list. */
  readonly secretNames: string
  readonly language: 'en' | 'ko'
  readonly isEnabled: Flag
  readonly lastDeliveryAt: number | null
  readonly skippedCount: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ChannelRouteRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  /** JSON lists. */
  readonly events: string
  readonly channelIds: string
  readonly filter: string
  /** JSON; empty where there is none. */
  readonly quietHours: string
  readonly escalation: string
  readonly throttleMinutes: number
  readonly digestMinutes: number
  readonly isEnabled: Flag
  /** The number of the last domain event that it does not get. */
  readonly sinceSeq: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ChannelMessageRow = {
  readonly tenantId: string
  readonly id: string
  readonly channelId: string
  readonly routeId: string
  readonly reason: NoticeReason
  readonly status: DeliveryStatus
  /** A JSON list. */
  readonly notices: string
  readonly moreCount: number
  readonly scheduledAt: number
  readonly isBegun: Flag
  readonly attempt: number
  readonly dueAt: number | null
  readonly lastAt: number | null
  readonly durationMs: number | null
  readonly httpStatus: number | null
  readonly error: string
  readonly snippet: string
  readonly createdAt: number
}

type ChannelNoticeRow = {
  readonly tenantId: string
  readonly channelId: string
  readonly routeId: string
  readonly reason: NoticeReason
  readonly noticeId: string
  readonly messageId: string
}
