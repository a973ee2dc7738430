import { attestErasedEntry, auditOrigin, hashAuditEntry } from '@tripline/model/audit'
import type { AuditEnds, AuditPoint } from '@tripline/model/audit'
import { limits } from '../limits.ts'
import type { AuditReport } from '../ports/audit-store.ts'
import { isKeySealed, listKeyIds } from './audit-keys.ts'
import type { AuditEntryRow, AuditKeyRow } from './rows/audit-tables.ts'

/** The ends of a trail, and whether their seal is valid. */
export type StoredEnds = { readonly ends: AuditEnds; readonly isSealed: boolean }

/** A trail as it is stored. */
export type StoredTrail = {
  readonly tenant: string
  /** The key of seals. */
  readonly key: Uint8Array
  /** An entry that was recorded elsewhere. */
  readonly anchor: AuditPoint | undefined
  readonly ends: () => Promise<StoredEnds>
  /** The next entries after a number, ascending. */
  readonly rowsAfter: (seq: number, limit: number) => Promise<readonly AuditEntryRow[]>
  /** The keys of the texts of entries, by id. */
  readonly keysOf: (rows: readonly AuditEntryRow[]) => Promise<ReadonlyMap<string, AuditKeyRow>>
}

/**
 * Verifies a hash-chained audit trail. Most of it is read while changes go on; entries added meanwhile, and a trail
 * that looks broken because of a concurrent change, are read by `stillTrail` while nothing changes.
 */
export async function checkTrail(
  trail: StoredTrail,
  stillTrail: (check: (trail: StoredTrail) => Promise<TrailScan>) => Promise<TrailScan>,
): Promise<AuditReport> {
  const first = await scanTrail(trail, 'growing', undefined)
  const known = first.problem === undefined ? first : undefined
  const { start, last, entryCount, brokenAt, problem } = await stillTrail((still) => scanTrail(still, 'still', known))
  return { entryCount, firstSeq: entryCount === 0 ? last.seq : start.seq + 1, lastSeq: last.seq, brokenAt, problem }
}

/** How far a trail was verified, and the problem there. */
type TrailScan = {
  /** The entry before the first one, and the last valid one. */
  readonly start: AuditPoint
  readonly last: AuditPoint
  readonly entryCount: number
  readonly isAnchored: boolean
  readonly brokenAt: number | undefined
  readonly problem: string | undefined
}

/** Verifies the entries from a known point, or from the first, and stops at the first invalid one. */
async function scanTrail(trail: StoredTrail, use: 'growing' | 'still', known: TrailScan | undefined): Promise<TrailScan> {
  const { anchor, rowsAfter } = trail
  const { ends, isSealed } = await trail.ends()
  const start = ends.first
  const from = known !== undefined && isSame(known.start, start) ? known : undefined
  let last = from?.last ?? start
  let entryCount = from?.entryCount ?? 0
  let isAnchored = from?.isAnchored === true || anchor === undefined || isSame(anchor, start) || anchor.seq < start.seq
  const end = (brokenAt?: number, problem?: string): TrailScan => ({ start, last, entryCount, isAnchored, brokenAt, problem })
  if (!isSealed) return end(start.seq + 1, 'the ends of the trail were modified from outside')

  // Starts before the first one, to notice an entry inserted there.
  for (let after = from?.last.seq ?? auditOrigin.seq - 1; ;) {
    const rows = await rowsAfter(after, limits.state.auditPageMax)
    const keys = await trail.keysOf(rows)
    for (const row of rows) {
      if (use === 'growing' && row.seq > ends.last.seq) return end()
      const problem = findProblem(trail, row, last, ends) ?? findLostKey(trail, row, keys)
      if (problem !== undefined) return end(Math.min(row.seq, last.seq + 1), problem)
      last = { seq: row.seq, hash: row.hash }
      isAnchored ||= anchor !== undefined && isSame(anchor, last)
      entryCount++
    }
    const newest = rows.at(-1)
    if (newest === undefined) break
    after = newest.seq
  }
  if (use === 'growing') return end()
  if (last.seq !== ends.last.seq) return end(last.seq + 1, 'entries are missing at the end')
  if (last.hash !== ends.last.hash) return end(last.seq, `entry ${last.seq} is not the last that was added`)
  if (!isAnchored && anchor !== undefined) return end(anchor.seq, 'the trail does not contain the entry recorded elsewhere')
  return end()
}

function findProblem(
  { tenant, key }: StoredTrail, row: AuditEntryRow, before: AuditPoint, { last }: AuditEnds,
): string | undefined {
  if (row.seq <= before.seq) return `entry ${row.seq} comes before the first`
  if (row.seq !== before.seq + 1) return 'entries are missing'
  if (row.seq > last.seq) return `entry ${row.seq} was not appended by the server`
  if (row.prevHash !== before.hash) return `entry ${row.seq} does not follow the one before`
  const hash = hashRow(tenant, row)
  const isIntact = row.attestation === null ? hash === row.hash : attestErasedEntry(key, row.hash, hash) === row.attestation
  return isIntact ? undefined : `entry ${row.seq} was modified`
}

/** The hash of an entry as it is stored. */
export function hashRow(tenant: string, row: AuditEntryRow): string {
  const { version, seq, prevHash, at, action, outcome } = row
  return hashAuditEntry(tenant, {
    version, seq, prevHash, at, action, outcome,
    actor: { type: row.actorType, id: row.actorId, email: row.actorEmail ?? undefined },
    target: { type: row.targetType, id: row.targetId },
    ip: row.ip ?? undefined,
    userAgent: row.userAgent ?? undefined,
    requestId: row.requestId ?? undefined,
    diff: row.diff ?? undefined,
  })
}

/** Only the server destroys keys, and what is left of them attests it. */
function findLostKey({ tenant, key }: StoredTrail, row: AuditEntryRow, keys: ReadonlyMap<string, AuditKeyRow>): string | undefined {
  if (row.version === 1) return undefined
  const isLost = listKeyIds(row).some((id) => {
    const found = keys.get(id)
    return found === undefined || !isKeySealed({ tenant, auditKey: key }, found)
  })
  return isLost ? `entry ${row.seq} has lost the key of a text` : undefined
}

function isSame(a: AuditPoint, b: AuditPoint): boolean {
  return a.seq === b.seq && a.hash === b.hash
}
