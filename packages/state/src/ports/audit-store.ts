import type { AuditEntry, AuditFacts, AuditPoint } from '@tripline/model/audit'
import type { TenantId } from '@tripline/model/tenant'
import type { TenantList } from './list-query.ts'

/**
 * Stores the audit trails of tenants: append-only, except that old entries are removed from the beginning. The id of an
 * entry is its number.
 */
export type AuditStore = TenantList<AuditEntry> & {
  /** Appends an entry; within a transaction, together with the change that it records. */
  readonly append: (tenant: TenantId, facts: AuditFacts) => Promise<AuditEntry>
  /**
   * Verifies the whole trail: each entry is unmodified and follows the one before, and none is missing, also at the
   * end. `anchor` is an entry that was recorded elsewhere: a trail without it was rolled back with its database.
   */
  readonly verify: (tenant: TenantId, anchor?: AuditPoint) => Promise<AuditReport>
  /** Removes entries older than an instant, from the first on; returns how many. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
}

/** The result of a verification; `brokenAt` is the number of the first modified or missing entry. */
export type AuditReport = {
  readonly entryCount: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly brokenAt: number | undefined
  /** The problem, as a sentence. */
  readonly problem: string | undefined
}
