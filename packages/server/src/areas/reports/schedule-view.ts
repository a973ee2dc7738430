import type { ReportScheduleBody } from '@tripline/contract/console/report-schedule'
import { omitUndefined } from '@tripline/common/omit-undefined'
import type { ReportSchedule } from '@tripline/model/report-schedule'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { listNextRuns } from '../../reports/report-schedules.ts'
import type { ScheduleSettings } from '../../reports/report-schedules.ts'

type Fields = Pick<
  ReportScheduleBody,
  'name' | 'kind' | 'framework' | 'format' | 'lang' | 'days' | 'cron' | 'channel_ids' | 'recipients' | 'enabled'
>

/** A schedule as the console shows it. */
export function printSchedule(schedule: ReportSchedule): ReportScheduleBody {
  const { framework, rangeDays, lastReportId } = schedule
  return {
    id: schedule.id, name: schedule.name, kind: schedule.kind, framework: framework === '' ? null : framework, format: schedule.format,
    lang: schedule.language, days: rangeDays === 0 ? null : rangeDays, cron: schedule.cron, channel_ids: [...schedule.channelIds],
    recipients: [...schedule.recipients], enabled: schedule.isEnabled, timezone: schedule.timezone,
    next_runs: listNextRuns(schedule).map((at) => formatTimestamp(at)), last_run_at: formatTimestamp(schedule.lastRunAt),
    last_report_id: lastReportId === '' ? null : lastReportId, created_by: schedule.createdBy,
    created_at: formatTimestamp(schedule.createdAt), updated_at: formatTimestamp(schedule.updatedAt),
  }
}

/** A new schedule as its body states it. */
export function readNewSchedule({ framework, days, ...body }: Fields): ScheduleSettings {
  const { name, kind, format, lang: language, cron, enabled: isEnabled } = body
  return {
    name, kind, format, language, cron, isEnabled, framework: framework ?? undefined, days: days ?? undefined,
    channelIds: [...new Set(body.channel_ids)], recipients: [...new Set(body.recipients)],
  }
}

/** What a change states of a schedule, without what it omits. */
export function readScheduleChange(body: { readonly [name in keyof Fields]?: Fields[name] | undefined }): Partial<ScheduleSettings> {
  const { name, kind, format, lang: language, cron, enabled: isEnabled, channel_ids: channelIds, recipients, framework, days } = body
  return {
    ...omitUndefined({
      name, kind, format, language, cron, isEnabled, channelIds: channelIds && [...new Set(channelIds)],
      recipients: recipients && [...new Set(recipients)],
    }),
    // Null removes what an omission keeps.
    ...(framework !== undefined && { framework: framework ?? undefined }), ...(days !== undefined && { days: days ?? undefined }),
  }
}
