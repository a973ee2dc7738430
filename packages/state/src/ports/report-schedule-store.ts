import type { ReportSchedule, ReportScheduleChange } from '@tripline/model/report-schedule'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms, Insertion } from './change.ts'

/** Stores the schedules of reports; their names are unique in a tenant. */
export type ReportScheduleStore = {
  readonly insert: (tenant: TenantId, schedule: ReportSchedule) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<ReportSchedule | undefined>
  /** All schedules of a tenant, by name. */
  readonly list: (tenant: TenantId) => Promise<readonly ReportSchedule[]>
  /** The schedules of all tenants that are not paused, those that are due first in front. */
  readonly listEnabled: () => Promise<readonly EnabledSchedule[]>
  readonly update: (
    tenant: TenantId, id: string, change: ReportScheduleChange, terms: ChangeTerms,
  ) => Promise<ChangeResult<ReportSchedule> | { readonly outcome: 'taken' }>
  /** Stores when it ran and runs next; the version stays. Returns whether it exists. */
  readonly noteRuns: (tenant: TenantId, id: string, runs: ScheduleRuns) => Promise<boolean>
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

type EnabledSchedule = { readonly tenant: TenantId; readonly schedule: ReportSchedule }

type ScheduleRuns = Pick<ReportSchedule, 'nextRunAt' | 'timezone' | 'lastRunAt' | 'lastReportId'>
