import type { ReportBranding, StoredReport } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'

/** Stores the history of reports, each with its file. */
export type ReportStore = {
  readonly insert: (tenant: TenantId, report: StoredReport) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<StoredReport | undefined>
  /** The newest reports first. */
  readonly list: (tenant: TenantId, limit: number) => Promise<readonly StoredReport[]>
  /** Those that wait or run, oldest first. */
  readonly listUnfinished: (tenant: TenantId) => Promise<readonly StoredReport[]>
  /** Writes what became of a report; returns whether it exists. */
  readonly save: (tenant: TenantId, report: StoredReport) => Promise<boolean>
  /** Stores what a report holds; returns whether the report exists. */
  readonly putContent: (tenant: TenantId, id: string, content: ReportContent) => Promise<boolean>
  readonly getContent: (tenant: TenantId, id: string) => Promise<ReportContent | undefined>
  /** Removes a report with its file; returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
  /** Removes finished reports requested before an instant, and the oldest beyond a number, at most `limit` of each; returns how many. */
  readonly removeOld: (tenant: TenantId, which: OldReports) => Promise<number>
  /** Without a name and a logo, of version 0, where nothing is stored. */
  readonly getBranding: (tenant: TenantId) => Promise<ReportBranding>
  readonly putBranding: (
    tenant: TenantId, branding: Omit<ReportBranding, 'version'>, terms: ChangeTerms,
  ) => Promise<ChangeResult<ReportBranding>>
}

type OldReports = { readonly before: number; readonly keptMax: number; readonly limit: number }

/** What a report holds: its definition as JSON, from which every format is printed, and the file that was asked for. */
export type ReportContent = { readonly definition: string; readonly file: Uint8Array }
