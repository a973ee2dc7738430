import type { Runtime } from '@tripline/common/runtime'
import type { ChannelRoute, Notice } from '@tripline/model/delivery/channel'
import { scheduleNotice } from '@tripline/model/delivery/schedule-notice'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import type { NoticePlace } from '@tripline/state/ports/delivery/channel-store'
import { limits } from '../limits.ts'

/** When something of a channel is due. */
export type DueChannel = { readonly channelId: string; readonly dueAt: number }

type Queueing = {
  readonly at: number
  readonly timezone: string
  readonly randomBytes: Runtime['randomBytes']
}

/**
 * Queues a notice for the channels of a route: a message of its own, or a part of one that still collects. What a channel has
 * of a route already is not queued again. The caller's transaction holds all of it.
 */
export async function queueRouteNotice(
  stores: Pick<Stores, 'channels' | 'channelMessages'>, tenant: TenantId,
  { route, notice, ...queueing }: Queueing & { readonly route: ChannelRoute; readonly notice: Notice },
): Promise<readonly DueChannel[]> {
  const due: DueChannel[] = []
  const { at, timezone } = queueing
  let firstDueAt = Infinity
  for (const channelId of route.channelIds) {
    const place: NoticePlace = { channelId, routeId: route.id, reason: 'event' }
    const lastAt = await stores.channelMessages.lastScheduledAt(tenant, place, at)
    const scheduledAt = scheduleNotice(route, at, { lastAt, severity: notice.severity, timezone })
    if (!await queueNotice(stores, tenant, { ...queueing, place, notice, scheduledAt })) continue
    due.push({ channelId, dueAt: scheduledAt })
    firstDueAt = Math.min(firstDueAt, scheduledAt)
  }
  const { escalation } = route
  const isEscalated = notice.type === 'alert.created' || notice.type === 'incident.created'
  if (escalation === undefined || !isEscalated || firstDueAt === Infinity) return due
  const scheduledAt = firstDueAt + escalation.afterMinutes * 60_000
  for (const channelId of escalation.channelIds) {
    const place: NoticePlace = { channelId, routeId: route.id, reason: 'escalation' }
    if (await queueNotice(stores, tenant, { ...queueing, place, notice, scheduledAt })) due.push({ channelId, dueAt: scheduledAt })
  }
  return due
}

/** Queues a notice for a channel; returns whether it is new there, and was not skipped. */
export async function queueNotice(
  stores: Pick<Stores, 'channels' | 'channelMessages'>, tenant: TenantId,
  { place, notice, scheduledAt, at, randomBytes }: Pick<Queueing, 'at' | 'randomBytes'> & {
    readonly place: NoticePlace
    readonly notice: Notice
    readonly scheduledAt: number
  },
): Promise<boolean> {
  const { channelMessages, channels } = stores
  const { channelId } = place
  if ((await channels.get(tenant, channelId))?.isEnabled !== true) return false
  if (await channelMessages.hasNotice(tenant, place, notice.id)) return false
  // An escalation is about one alert or incident, and stops when that one is acknowledged.
  const collecting = scheduledAt > at && place.reason === 'event'
    ? await channelMessages.findCollecting(tenant, place, { after: at, until: scheduledAt })
    : undefined
  if (collecting !== undefined) {
    await channelMessages.addNotice(tenant, collecting, place, notice)
    return true
  }
  if (await channelMessages.countPending(tenant, channelId) >= limits.webhooks.pendingMax) {
    await channels.addSkipped(tenant, channelId, 1)
    return false
  }
  await channelMessages.insert(tenant, { id: createUuidV7(at, randomBytes), ...place, scheduledAt, createdAt: at }, notice)
  return true
}
