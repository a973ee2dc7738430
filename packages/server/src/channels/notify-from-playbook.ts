import type { Runtime } from '@tripline/common/runtime'
import { toPublicSeverity } from '@tripline/model/level'
import type { NotifyChannel } from '../playbooks/take-step.ts'
import { queueNotice } from './queue-notice.ts'

/** Creates what queues the notification of a playbook's step, once however often the step is taken. */
export function createPlaybookNotifier(randomBytes: Runtime['randomBytes']): NotifyChannel {
  return async (stores, tenant, { channelId, id, at, by, kind, subjectId, title, level }) => {
    const channel = await stores.channels.get(tenant, channelId)
    if (channel === undefined) return { status: 'failed', result: 'the notification channel does not exist any more' }
    if (!channel.isEnabled) return { status: 'failed', result: `the notification channel '${channel.name}' is disabled` }
    const notice = {
      id, type: 'playbook.notify', at, subject: subjectId, title, severity: toPublicSeverity(level),
      details: { sourceType: kind, updatedBy: by },
    } as const
    const place = { channelId, routeId: '', reason: 'playbook' } as const
    const isQueued = await queueNotice(stores, tenant, { place, notice, scheduledAt: at, at, randomBytes })
    if (isQueued) return { status: 'succeeded', result: `queued for '${channel.name}'` }
    return { status: 'failed', result: `too many notifications wait for '${channel.name}'` }
  }
}
