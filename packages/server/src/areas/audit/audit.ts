import type { AuditEntry } from '@tripline/model/audit'
import type { TenantId } from '@tripline/model/tenant'
import type { AuditReport } from '@tripline/state/ports/audit-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'

export type { AuditReport }

/** What reading the audit trail needs of the server. */
export type AuditDeps = CursorDeps & { readonly state: Pick<StateStore, 'audit'> }

/** Lists a tenant's audit trail, page by page. */
export async function listAudit(deps: AuditDeps, tenant: TenantId, request: ListRequest): Promise<ListPage<AuditEntry>> {
  return await readListPage(deps, { tenant, endpoint: 'audit' }, request, deps.state.audit)
}

/** Verifies the whole audit trail of a tenant. */
export function verifyAudit({ state }: Pick<AuditDeps, 'state'>, tenant: TenantId): Promise<AuditReport> {
  return state.audit.verify(tenant)
}
