import type { DataSubjectRequest, DataSubjectRequestFacts } from '@tripline/model/compliance/data-subject-request'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { TenantList } from './list-query.ts'

/** Stores the registers of requests that persons made about their data. */
export type DataSubjectRequestStore = TenantList<DataSubjectRequest> & {
  readonly insert: (tenant: TenantId, request: DataSubjectRequest) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<DataSubjectRequest | undefined>
  /** Sets `closedAt` as the status says. */
  readonly update: (
    tenant: TenantId, id: string, change: Partial<DataSubjectRequestFacts>, terms: ChangeTerms,
  ) => Promise<ChangeResult<DataSubjectRequest>>
  /** Returns whether the request existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
