import type { Readings } from '@tripline/compliance/signals/snapshot'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { GatherTerms } from './gather-terms.ts'
import { limits } from './limits.ts'

const { acknowledgeMs, closedRangeMs, heardRangeMs, requestRangeMs } = limits

/** Counts alerts of level high and critical whose time to answer has passed, and those answered in it. */
export async function readAcknowledgement(
  { alerts }: Pick<StateStore, 'alerts'>, tenant: TenantId, { at, from, to, signal }: GatherTerms,
): Promise<Readings['acknowledgement']> {
  const where: Filter[] = [
    { field: 'severity', operator: 'in', value: ['high', 'critical'] },
    { field: 'created_at', operator: 'between', value: [from, to] },
  ]
  let [due, inTime] = [0, 0]
  for await (const chunk of alerts.scan(tenant, { where }, { signal })) {
    for (const { level, status, createdAt, updatedAt, reviewed } of chunk) {
      const dueAt = createdAt + (level === 'critical' ? acknowledgeMs.critical : acknowledgeMs.high)
      // When it was taken up is not kept: its last change is the latest that it can have been.
      const answeredAt = status === 'open' ? reviewed?.at : Math.min(updatedAt, reviewed?.at ?? updatedAt)
      if (answeredAt === undefined && dueAt > at) continue
      due++
      if (answeredAt !== undefined && answeredAt <= dueAt) inTime++
    }
  }
  return { due, inTime }
}

/** Counts closed incidents, and those with more on their timeline than opening and closing, and a resolution note. */
export async function readIncidents(
  { incidents }: Pick<StateStore, 'incidents'>, tenant: TenantId, { at, signal }: GatherTerms,
): Promise<Readings['incidents']> {
  const where: Filter[] = [
    { field: 'status', operator: 'eq', value: 'closed' }, { field: 'updated_at', operator: 'gte', value: at - closedRangeMs },
  ]
  let [closed, complete] = [0, 0]
  for await (const chunk of incidents.scan(tenant, { where }, { signal })) {
    for (const { mergedInto, closedAt, resolutionNote, timelineLength } of chunk) {
      if (mergedInto !== undefined || closedAt === undefined || closedAt < at - closedRangeMs) continue
      closed++
      if (resolutionNote !== '' && timelineLength > 2) complete++
    }
  }
  return { closed, complete }
}

/** Finds when a webhook or a channel last delivered a test. */
export async function readNotifications(
  { webhooks, channels, notifications }: Pick<StateStore, 'webhooks' | 'channels' | 'notifications'>, tenant: TenantId,
): Promise<Readings['notifications']> {
  const { entries: [newest] } = await notifications.list(tenant, {
    where: [{ field: 'reason', operator: 'eq', value: 'test' }, { field: 'status', operator: 'eq', value: 'delivered' }],
    order: [{ field: 'created_at', direction: 'desc' }], limit: 1,
  })
  return { channels: await webhooks.count(tenant) + (await channels.list(tenant)).length, lastTestedAt: newest?.createdAt }
}

/** Counts requests of persons that fell due within a year, and those of them that were closed in time. */
export async function readSubjectRequests(
  { dataSubjectRequests }: Pick<StateStore, 'dataSubjectRequests'>, tenant: TenantId, { at, signal }: GatherTerms,
): Promise<Readings['subjectRequests']> {
  const where: Filter[] = [{ field: 'due_at', operator: 'between', value: [at - requestRangeMs, at] }]
  let [due, inTime] = [0, 0]
  for await (const chunk of dataSubjectRequests.scan(tenant, { where }, { signal })) {
    due += chunk.length
    inTime += chunk.filter(({ closedAt, dueAt }) => closedAt !== undefined && closedAt <= dueAt).length
  }
  return { due, inTime }
}

/** Counts collectors that were heard within a day, and those whose clock was within a second of that of the server. */
export async function readClocks(
  { collectors }: Pick<StateStore, 'collectors'>, tenant: TenantId, { at }: GatherTerms,
): Promise<Readings['clocks']> {
  const skews = (await collectors.list(tenant)).flatMap(({ lastSeenAt, report }) => {
    const skew = report?.clockSkewMs ?? undefined
    return skew === undefined || lastSeenAt === undefined || lastSeenAt < at - heardRangeMs ? [] : [skew]
  })
  return { compared: skews.length, withinSecond: skews.filter((skew) => Math.abs(skew) < 1_000).length }
}
