import { auditListQuerySchema, auditListSchema, auditReportSchema } from '@tripline/contract/console/audit'
import type { AuditEntryBody, AuditListBody, AuditReportBody } from '@tripline/contract/console/audit'
import { listAudit, verifyAudit } from './audit.ts'
import type { AuditDeps, AuditReport } from './audit.ts'
import type { AuditEntry } from '../../model/audit.ts'
import type { Clock } from '../../runtime/runtime.ts'
import { respond } from '../../http/respond.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { printList } from '../../http/lists/print-list.ts'
import { toRangeFilter, readList } from '../../http/lists/read-list.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'

const path = '/v1/audit'

type AuditRouteDeps = AuditDeps & { readonly clock: Clock }

/** Routes for the audit trail of a tenant. */
export function auditRoutes(app: AuditRouteDeps): Route[] {
  return [
    {
      method: 'GET', path, access: 'read_audit', summary: 'Lists audit entries, newest first',
      query: auditListQuerySchema, list: lists.audit, responses: { 200: auditListSchema }, handle: (c) => handleList(app, c),
    },
    {
      method: 'GET', path: `${path}/verify`, access: 'read_audit', summary: 'Verifies the integrity of the audit trail',
      responses: { 200: auditReportSchema },
      handle: async (c) => respond(c, printReport(await verifyAudit(app, getPrincipal(c).tenant))),
    },
  ]
}

async function handleList(app: AuditRouteDeps, c: RequestContext): Promise<Response> {
  const { query, warnings } = readQuery(c, auditListQuerySchema)
  const { from, to, ...paging } = query
  const listed = readList(lists.audit, paging, toRangeFilter(c, 'at', { from, to }))
  const { entries, ...page } = await listAudit(app, getPrincipal(c).tenant, listed.request)
  const body: AuditListBody = {
    entries: entries.map(printEntry),
    ...printList(page, { tookMs: app.clock.elapsedMs() - c.get('startedMs'), warnings: [...warnings, ...listed.warnings] }),
  }
  return respond(c, body)
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
