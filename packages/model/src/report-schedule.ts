import type { StoredReport } from './report.ts'

/** A report that is made again and again, and sent to channels. */
export type ReportSchedule = Pick<StoredReport, 'id' | 'kind' | 'framework' | 'format' | 'language'> & {
  /** Unique in a tenant. */
  readonly name: string
  /** Whole days before the day of a run that the report is about; 0 for a kind that has no range. */
  readonly rangeDays: number
  /** Five fields, in local time of the tenant. */
  readonly cron: string
  /** Where finished reports go. */
  readonly channelIds: readonly string[]
  /** Who gets mail in place of the recipients of mail channels; empty for these. */
  readonly recipients: readonly string[]
  readonly isEnabled: boolean
  /** When it runs next, and the time zone by which that was found; undefined while it is paused or has no further run. */
  readonly nextRunAt: number | undefined
  readonly timezone: string
  /** The instant of the last run by the clock, and its report. */
  readonly lastRunAt: number | undefined
  readonly lastReportId: string
  readonly createdBy: string
  /** Counts the changes of users, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a user may change of a schedule; the next run follows from it. */
export type ReportScheduleChange = Partial<Omit<ReportSchedule, 'id' | 'createdBy' | 'version' | 'createdAt' | 'updatedAt'>>
