import { z } from 'zod'
import { limits } from '../limits.ts'
import { reportSchema } from './response/report.ts'

const { kind, format, lang } = reportSchema.shape
const { nameLengthMax, recipientsMax, channelsOfRouteMax } = limits.channels
const { cronLengthMax, daysMax } = limits.reports

const fields = {
  /** Unique in the tenant. */
  name: z.string('must be a string').trim().min(1, 'must not be empty').max(nameLengthMax),
  kind,
  /** Of a compliance report. */
  framework: z.string().min(1).max(32).nullable(),
  format,
  lang,
  /** Whole days before the day of a run that an executive or weekly report is about; null for other kinds. */
  days: z.int().min(1).max(daysMax).nullable(),
  /** Minute, hour, day, month and weekday in the time zone of the tenant; at most once an hour. */
  cron: z.string().trim().min(1).max(cronLengthMax),
  /** Where finished reports go: attached to mail, linked elsewhere. */
  channel_ids: z.array(z.string().min(1).max(limits.push.idLengthMax)).max(channelsOfRouteMax),
  /** Who gets mail in place of the recipients of mail channels. */
  recipients: z.array(z.email().max(limits.auth.emailLengthMax)).max(recipientsMax),
  enabled: z.boolean(),
}

/** A report that is made again and again. */
export const reportScheduleSchema = z.strictObject({
  id: z.string(),
  ...fields,
  /** The time zone of the tenant, by which it runs. */
  timezone: z.string(),
  /** The next instants at which it runs; empty while it is paused. */
  next_runs: z.array(z.iso.datetime()),
  last_run_at: z.iso.datetime().nullable(),
  last_report_id: z.string().nullable(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type ReportScheduleBody = z.infer<typeof reportScheduleSchema>

export const reportScheduleListSchema = z.strictObject({ schedules: z.array(reportScheduleSchema) })

/** Without days an executive report is about 30, a weekly one about 7. */
export const newReportScheduleSchema = z.strictObject({
  ...fields, framework: fields.framework.default(null), format: format.default('pdf'), lang: lang.default('en'),
  days: fields.days.default(null), channel_ids: fields.channel_ids.default([]), recipients: fields.recipients.default([]),
  enabled: z.boolean().default(true),
})

export const reportSchedulePatchSchema = z.strictObject(fields).partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')
