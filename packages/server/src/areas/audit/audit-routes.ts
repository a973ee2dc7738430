import { auditListQuerySchema, auditListSchema, auditReportSchema } from '@tripline/contract/console/audit'
import type { AuditEntryBody, AuditReportBody } from '@tripline/contract/console/audit'
import type { AuditEntry } from '@tripline/model/audit'
import { listAudit, verifyAudit } from './audit.ts'
import type { AuditDeps, AuditReport } from './audit.ts'
import { respond } from '../../http/respond.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'

const path = '/v1/audit'

/** Routes for the audit trail of a tenant. */
export function auditRoutes(deps: AuditDeps & ListRouteDeps): Route[] {
  return [
    listRoute(deps, {
      path, access: 'read_audit', summary: 'Lists audit entries, newest first', name: 'entries',
      list: lists.audit, query: auditListQuerySchema, response: auditListSchema,
      toWhere: ({ from, to }, c) => toRangeFilter(c, 'at', { from, to }),
      readPage: async (c, request) => {
        const { entries, ...page } = await listAudit(deps, getPrincipal(c).tenant, request)
        return { ...page, entries: entries.map(printEntry) }
      },
    }),
    {
      method: 'GET', path: `${path}/verify`, access: 'read_audit', summary: 'Verifies the integrity of the audit trail',
      responses: { 200: auditReportSchema },
      handle: async (c) => respond(c, printReport(await verifyAudit(deps, getPrincipal(c).tenant))),
    },
  ]
}

function printEntry({ seq, at, actor, action, target, outcome, ...entry }: AuditEntry): AuditEntryBody {
  return {
    seq,
    at: formatTimestamp(at),
    actor: { type: actor.type, id: actor.id, email: actor.email ?? null },
    action,
    target: { type: target.type, id: target.id },
    ip: entry.ip ?? null,
    user_agent: entry.userAgent ?? null,
    request_id: entry.requestId ?? null,
    outcome,
    diff: entry.diff === undefined ? null : { ...entry.diff },
    prev_hash: entry.prevHash,
    hash: entry.hash,
  }
}

function printReport({ entryCount, firstSeq, lastSeq, brokenAt, problem }: AuditReport): AuditReportBody {
  return {
    ok: brokenAt === undefined, entries: entryCount, first_seq: firstSeq, last_seq: lastSeq,
    broken_at: brokenAt ?? null, problem: problem ?? null,
  }
}
