import type { Channel, ChannelChange, ChannelRoute, ChannelRouteChange, Notice } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import type { AttemptOutcome } from '@tripline/model/delivery/webhook-delivery'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms, Insertion } from '../change.ts'
import type { TenantList } from '../list-query.ts'

/** Stores the notification channels of tenants; their names are unique in a tenant. */
export type ChannelStore = {
  readonly insert: (tenant: TenantId, channel: Channel) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<Channel | undefined>
  /** All channels of a tenant, by name. */
  readonly list: (tenant: TenantId) => Promise<readonly Channel[]>
  readonly update: (
    tenant: TenantId, id: string, change: ChannelChange, terms: ChangeTerms,
  ) => Promise<ChangeResult<Channel> | { readonly outcome: 'taken' }>
  /** Stores when a message arrived; the version stays. Returns whether the channel exists. */
  readonly noteDelivery: (tenant: TenantId, id: string, at: number) => Promise<boolean>
  /** Counts notices that found too many waiting; returns whether the channel exists. */
  readonly addSkipped: (tenant: TenantId, id: string, count: number) => Promise<boolean>
  /** Removes a channel with its messages; returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

/** Stores the routes of tenants; their names are unique in a tenant. */
export type ChannelRouteStore = {
  /** Inserts a route, which gets the events that are published from now on. */
  readonly insert: (tenant: TenantId, route: ChannelRoute) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<ChannelRoute | undefined>
  /** All routes of a tenant by name, each with the number of the last domain event that it does not get. */
  readonly list: (tenant: TenantId) => Promise<readonly RouteSubscription[]>
  /** A route that is enabled gets the events that are published from now on. */
  readonly update: (
    tenant: TenantId, id: string, change: ChannelRouteChange, terms: ChangeTerms,
  ) => Promise<ChangeResult<ChannelRoute> | { readonly outcome: 'taken' }>
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

type RouteSubscription = { readonly route: ChannelRoute; readonly sinceSeq: number }

/** A message to be made. */
export type NewChannelMessage = Pick<ChannelMessage, 'id' | 'channelId' | 'routeId' | 'reason' | 'scheduledAt' | 'createdAt'>

/** Where a notice goes: which route to which channel. */
export type NoticePlace = Pick<ChannelMessage, 'channelId' | 'routeId' | 'reason'>

/** Stores the queue and log of the messages of channels: the same rows, pending and done. */
export type ChannelMessageStore = TenantList<ChannelMessage> & {
  readonly get: (tenant: TenantId, id: string) => Promise<ChannelMessage | undefined>
  /** Whether a place has a notice already. */
  readonly hasNotice: (tenant: TenantId, place: NoticePlace, noticeId: string) => Promise<boolean>
  /** When the last message of a place was scheduled that was due until an instant. */
  readonly lastScheduledAt: (tenant: TenantId, place: NoticePlace, until: number) => Promise<number | undefined>
  /** A message that still collects, scheduled later than `after` and not later than `until`. */
  readonly findCollecting: (
    tenant: TenantId, place: NoticePlace, range: { readonly after: number; readonly until: number },
  ) => Promise<string | undefined>
  /** Queues a message with its first notice. */
  readonly insert: (tenant: TenantId, message: NewChannelMessage, notice: Notice) => Promise<void>
  /** Adds a notice to a message that collects. */
  readonly addNotice: (tenant: TenantId, messageId: string, place: NoticePlace, notice: Notice) => Promise<void>
  /** Messages of a channel that are pending. */
  readonly countPending: (tenant: TenantId, channelId: string) => Promise<number>
  /** The ids of pending messages of a channel by the time at which they are due, with that time. */
  readonly listPending: (
    tenant: TenantId, channelId: string, limit: number,
  ) => Promise<readonly { readonly id: string; readonly dueAt: number }[]>
  /** The channels of all tenants with pending messages, and when the first of them is due. */
  readonly listWaiting: () => Promise<readonly WaitingChannel[]>
  /** Marks a pending message as begun, so that it collects nothing more; returns it, or undefined for any other. */
  readonly begin: (tenant: TenantId, id: string) => Promise<ChannelMessage | undefined>
  /** Records an attempt of a pending message; returns false for any other. */
  readonly settle: (tenant: TenantId, id: string, outcome: AttemptOutcome) => Promise<boolean>
  /** Cancels what is pending of a channel; returns how many. */
  readonly cancelPending: (tenant: TenantId, channelId: string) => Promise<number>
  /** Removes messages that are done, made before an instant, at most `limit`; returns how many. */
  readonly removeOld: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
}

type WaitingChannel = { readonly tenant: TenantId; readonly channelId: string; readonly dueAt: number }
