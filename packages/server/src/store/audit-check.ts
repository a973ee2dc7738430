import { auditHash, auditOrigin } from '../domain/audit.ts'
import type { AuditEnds, AuditPoint } from '../domain/audit.ts'
import { limits } from '../limits.ts'
import type { AuditReport } from './audit-store.ts'
import type { AuditEntryRow } from './tables.ts'

/** The ends of a trail, and whether their seal is that of the server. */
export type StoredEnds = { readonly ends: AuditEnds; readonly isSealed: boolean }

/** A trail as it is stored. */
export type StoredTrail = {
  readonly tenant: string
  /** An entry that was noted elsewhere. */
  readonly anchor: AuditPoint | undefined
  readonly ends: () => Promise<StoredEnds>
  /** The next entries after a number, in the order of numbers. */
  readonly rowsAfter: (seq: number, limit: number) => Promise<readonly AuditEntryRow[]>
}

/** Reads a trail from its first entry to its last and stops at the first that is not as it has to be. */
export async function checkTrail({ tenant, anchor, ends: read, rowsAfter }: StoredTrail): Promise<AuditReport> {
  const { ends, isSealed } = await read()
  let last: AuditPoint = ends.first
  let entryCount = 0
  let isAnchored = anchor === undefined || isSame(anchor, ends.first) || anchor.seq < ends.first.seq
  const report = (brokenAt?: number, problem?: string): AuditReport => ({
    entryCount, firstSeq: entryCount === 0 ? last.seq : ends.first.seq + 1, lastSeq: last.seq, brokenAt, problem,
  })
  if (!isSealed) return report(ends.first.seq + 1, 'the ends of the trail were changed from outside')

  // From before the first one, so that an entry that was put there is seen too.
  for (let after = auditOrigin.seq - 1; ;) {
    const rows = await rowsAfter(after, limits.state.auditPageMax)
    for (const row of rows) {
      const problem = problemOf(tenant, row, last, ends)
      if (problem !== undefined) return report(Math.min(row.seq, last.seq + 1), problem)
      last = { seq: row.seq, hash: row.hash }
      isAnchored ||= anchor !== undefined && isSame(anchor, last)
      entryCount++
    }
    const end = rows.at(-1)
    if (end === undefined) break
    after = end.seq
  }
  if (last.seq !== ends.last.seq) return report(last.seq + 1, 'entries are missing at the end')
  if (last.hash !== ends.last.hash) return report(last.seq, `entry ${last.seq} is not the last that was added`)
  if (!isAnchored && anchor !== undefined) return report(anchor.seq, 'the trail does not hold the entry that was noted elsewhere')
  return report()
}

function problemOf(tenant: string, row: AuditEntryRow, before: AuditPoint, { last }: AuditEnds): string | undefined {
  if (row.seq <= before.seq) return `entry ${row.seq} stands before the first`
  if (row.seq !== before.seq + 1) return 'entries are missing'
  if (row.seq > last.seq) return `entry ${row.seq} was not added by the server`
  if (row.prevHash !== before.hash) return `entry ${row.seq} does not follow the one before`
  const { seq, prevHash, at, action, outcome } = row
  const hash = auditHash(tenant, {
    seq, prevHash, at, action, outcome,
    actor: { type: row.actorType, id: row.actorId, email: row.actorEmail ?? undefined },
    target: { type: row.targetType, id: row.targetId },
    ip: row.ip ?? undefined,
    userAgent: row.userAgent ?? undefined,
    requestId: row.requestId ?? undefined,
    diff: row.diff ?? undefined,
  })
  return hash === row.hash ? undefined : `entry ${row.seq} is not what was added`
}

function isSame(a: AuditPoint, b: AuditPoint): boolean {
  return a.seq === b.seq && a.hash === b.hash
}
