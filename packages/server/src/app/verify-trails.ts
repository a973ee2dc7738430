import type { AuditPoint } from '../domain/audit.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { AuditReport } from '../store/audit-store.ts'
import type { AdminApp } from './admin-app.ts'
import { notFound } from './version-conflict.ts'

/** What became of the check of a trail, and the entry that it ends with: whoever notes it can ask for it later. */
export type TrailReport = AuditReport & { readonly tenant: TenantId; readonly head: AuditPoint | undefined }

/** Which trails, and an entry that one of them has to hold. */
export type TrailCheckRequest = { readonly tenant: TenantId | undefined; readonly anchor: AuditPoint | undefined }

/** Checks the trail of a tenant, or of all of them. @throws AppError NOT_FOUND for no such tenant. */
export async function verifyTrails(
  { state }: Pick<AdminApp, 'state'>, { tenant, anchor }: TrailCheckRequest,
): Promise<readonly TrailReport[]> {
  const ids = (await state.tenants.list()).map(({ id }) => id).filter((id) => tenant === undefined || id === tenant)
  if (tenant !== undefined && ids.length === 0) throw notFound('tenant')
  const reports: TrailReport[] = []
  // One after the other: each reads a whole trail.
  for (const id of ids) {
    const report = await state.audit.verify(id, anchor)
    const [newest] = await state.audit.list(id, { limit: 1 })
    reports.push({ ...report, tenant: id, head: newest && { seq: newest.seq, hash: newest.hash } })
  }
  return reports
}
