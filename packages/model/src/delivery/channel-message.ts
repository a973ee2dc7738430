import type { Notice, NoticeReason } from './channel.ts'
import type { AttemptResult, DeliveryStatus } from './webhook-delivery.ts'

/** One message on its way to one channel. */
export type ChannelMessage = {
  readonly id: string
  readonly channelId: string
  /** Empty for a message that no route made. */
  readonly routeId: string
  readonly reason: NoticeReason
  readonly status: DeliveryStatus
  /** What it tells of, in the order in which that came. */
  readonly notices: readonly Notice[]
  /** Notices beyond those, which are counted only. */
  readonly moreCount: number
  /** When it is to be sent; until then it collects. */
  readonly scheduledAt: number
  /** Whether an attempt began, after which it collects nothing more. */
  readonly isBegun: boolean
  /** Attempts made so far. */
  readonly attempt: number
  /** When the next attempt is due; undefined unless pending. */
  readonly dueAt: number | undefined
  /** The outcome of the last attempt; undefined before the first. */
  readonly last: AttemptResult | undefined
  readonly createdAt: number
}
