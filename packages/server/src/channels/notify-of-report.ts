import type { Runtime } from '@tripline/common/runtime'
import type { Notice } from '@tripline/model/delivery/channel'
import type { NotifyOfReport } from '../reports/report-maker.ts'
import { queueNotice } from './queue-notice.ts'

/** Creates what queues a finished report for the channels of its schedule, once however often it is made. */
export function createReportNotifier(randomBytes: Runtime['randomBytes']): NotifyOfReport {
  return async (stores, tenant, { id, scheduleId, status, title, error, requestedBy }, at) => {
    const schedule = scheduleId === '' ? undefined : await stores.reportSchedules.get(tenant, scheduleId)
    if (schedule === undefined) return []
    const notice: Notice = {
      id, type: status === 'succeeded' ? 'report.ready' : 'report.failed', at, subject: id, severity: undefined,
      title: status === 'succeeded' ? title : `${requestedBy}: ${error}`,
      details: { ...(schedule.recipients.length > 0 && { recipients: schedule.recipients }) },
    }
    const woken: string[] = []
    for (const channelId of schedule.channelIds) {
      const place = { channelId, routeId: '', reason: 'report' } as const
      if (await queueNotice(stores, tenant, { place, notice, scheduledAt: at, at, randomBytes })) woken.push(channelId)
    }
    return woken
  }
}
