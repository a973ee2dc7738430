import type { AuditPoint } from '@tripline/model/audit'
import type { TenantId } from '@tripline/model/tenant'
import type { AuditReport } from '@tripline/state/ports/audit-store'
import { notFound } from '@tripline/state/ports/version-conflict'
import type { AdminDeps } from '../shared/admin-deps.ts'

/** The result of verifying an audit trail, and its newest entry: note it down to check for truncation later. */
export type TrailReport = AuditReport & { readonly tenant: TenantId; readonly head: AuditPoint | undefined }

/** The trails to verify, and an entry that one of them must contain. */
type TrailCheckRequest = { readonly tenant: TenantId | undefined; readonly anchor: AuditPoint | undefined }

/** Verifies the audit trail of one tenant or of all. @throws AppError NOT_FOUND for an unknown tenant. */
export async function verifyTrails(
  { state }: Pick<AdminDeps, 'state'>, { tenant, anchor }: TrailCheckRequest,
): Promise<readonly TrailReport[]> {
  const ids = (await state.tenants.list()).map(({ id }) => id).filter((id) => tenant === undefined || id === tenant)
  if (tenant !== undefined && ids.length === 0) throw notFound('tenant')
  const reports: TrailReport[] = []
  // Sequentially: each reads a whole trail.
  for (const id of ids) {
    const report = await state.audit.verify(id, anchor)
    const { entries: [newest] } = await state.audit.list(id, { limit: 1 })
    reports.push({ ...report, tenant: id, head: newest && { seq: newest.seq, hash: newest.hash } })
  }
  return reports
}
