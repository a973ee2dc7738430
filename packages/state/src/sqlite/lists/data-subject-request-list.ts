import type { DataSubjectRequest } from '@tripline/model/compliance/data-subject-request'
import { requestFields } from '@tripline/model/lists/request-fields'
import { sql } from 'kysely'
import { parseStoredInstant } from '../rows/asset-row.ts'
import type { DataSubjectRequestRow } from '../rows/compliance-tables.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  due_at: 'dueAt', received_at: 'receivedAt', closed_at: 'closedAt', type: 'type', status: 'status', law: 'law',
} as const satisfies { readonly [field in keyof typeof requestFields]: keyof DataSubjectRequestRow }

export function parseRequestRow({ tenantId: _tenant, ...row }: DataSubjectRequestRow): DataSubjectRequest {
  return { ...row, closedAt: parseStoredInstant(row.closedAt) }
}

/** The register of requests of a tenant. */
export const dataSubjectRequestList: SqlList<DataSubjectRequestRow, DataSubjectRequest> = {
  entries: 'dataSubjectRequests', fields: requestFields, columns, texts: ['subjectRef', 'note', 'id'],
  from: sql`data_subject_requests`, select: sql`*`, tenant: 'tenantId', id: 'id', parse: parseRequestRow,
}
