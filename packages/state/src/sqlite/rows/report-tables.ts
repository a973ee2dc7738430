import type { StoredReport } from '@tripline/model/report'
import type { ReportSchedule } from '@tripline/model/report-schedule'
import type { Flag } from '../query/dialect.ts'

export type ReportRow = Omit<StoredReport, 'from' | 'to' | 'finishedAt'> & {
  readonly tenantId: string
  /** NULL where the range has no bound. */
  readonly fromAt: number | null
  readonly toAt: number | null
  /** 0 while it is unfinished. */
  readonly finishedAt: number
  readonly isUnfinished: Flag
}

export type ReportContentRow = {
  readonly tenantId: string
  readonly id: string
  /** JSON. */
  readonly definition: string
  readonly file: Uint8Array
}

export type ReportBrandingRow = {
  readonly tenantId: string
  readonly name: string
  /** NULL, and a size of 0, without a logo. */
  readonly logo: Uint8Array | null
  readonly width: number
  readonly height: number
  readonly version: number
  readonly updatedAt: number
}

type StoredOtherwise = 'channelIds' | 'recipients' | 'isEnabled' | 'nextRunAt' | 'lastRunAt'
export type ReportScheduleRow = Omit<ReportSchedule, StoredOtherwise> & {
  readonly tenantId: string
  /** JSON lists. */
  readonly channelIds: string
  readonly recipients: string
  readonly isEnabled: Flag
  readonly nextRunAt: number | null
  readonly lastRunAt: number | null
}
