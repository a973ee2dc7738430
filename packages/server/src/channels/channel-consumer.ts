import type { Runtime } from '@tripline/common/runtime'
import type { ChannelRoute } from '@tripline/model/delivery/channel'
import type { DomainEvent } from '@tripline/model/delivery/domain-event'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import type { EventConsumer } from '../delivery/outbox/event-consumer.ts'
import type { QueueSender } from '../delivery/queue/queue-sender.ts'
import { describeEvent } from '../delivery/webhooks/describe-event.ts'
import { matchesAlert, matchesIncident } from '../playbooks/subject-fields.ts'
import { queueRouteNotice } from './queue-notice.ts'
import type { DueChannel } from './queue-notice.ts'
import { readRouteFilter } from './route-filter.ts'

type ChannelConsumerDeps = {
  readonly state: Pick<StateStore, 'transaction' | 'channelRoutes' | 'alerts' | 'connectors'>
  readonly settingDefaults: TenantSettings
  readonly sender: Pick<QueueSender, 'wake'>
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/**
 * Creates the consumer that queues domain events for channels, by the routes of the tenant. All of a batch is one transaction,
 * under ids that follow from the domain events: what comes again after a kill is queued once.
 */
export function createChannelConsumer({ state, settingDefaults, sender, clock, randomBytes }: ChannelConsumerDeps): EventConsumer {
  return {
    name: 'channels',
    topic: 'channels',
    async handle(tenant, events) {
      const subscriptions = (await state.channelRoutes.list(tenant)).filter(({ route }) => route.isEnabled)
      if (subscriptions.length === 0) return
      const at = clock.now()
      const due = await state.transaction(async (stores) => {
        const known = await stores.tenants.get(tenant)
        const { timezone } = known === undefined ? settingDefaults : resolveSettings(known, settingDefaults)
        const queued: DueChannel[] = []
        for (const event of events) {
          const notice = await describeEvent(stores, tenant, event)
          if (notice === undefined) continue
          for (const { route, sinceSeq } of subscriptions) {
            if (event.seq <= sinceSeq || !route.events.includes(notice.type)) continue
            if (!await matchesRoute(stores, tenant, { route, event })) continue
            queued.push(...await queueRouteNotice(stores, tenant, { route, notice, at, timezone, randomBytes }))
          }
        }
        return queued
      })
      for (const { channelId, dueAt } of due) sender.wake(tenant, channelId, dueAt)
    },
  }
}

/** Whether the subject of an event matches the filter of a route; one that is gone does not. */
async function matchesRoute(
  { alerts, incidents }: Stores, tenant: TenantId,
  { route, event: { type, subject } }: { readonly route: ChannelRoute; readonly event: DomainEvent },
): Promise<boolean> {
  const filter = readRouteFilter(route)
  if (filter === undefined) return true
  if (type.startsWith('alert.')) {
    const alert = await alerts.get(tenant, subject)
    return alert !== undefined && matchesAlert(filter, alert)
  }
  const incident = await incidents.get(tenant, subject)
  return incident !== undefined && matchesIncident(filter, incident)
}
