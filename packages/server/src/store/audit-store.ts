import type { AuditEntry, AuditFacts, AuditPoint } from '../domain/audit.ts'
import type { ListTotal, SortKey } from '../domain/filter.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { ListQuery } from './list-query.ts'

/** Keeps the audit trails of tenants. Entries are added at the end and, once old, taken away at the beginning; nothing else. */
export type AuditStore = {
  /** Adds an entry. In the transaction of what it tells, both are kept or neither is. */
  readonly append: (tenant: TenantId, facts: AuditFacts) => Promise<AuditEntry>
  readonly list: (tenant: TenantId, query: AuditQuery) => Promise<readonly AuditEntry[]>
  /** How many entries there are on all pages of a list. */
  readonly count: (tenant: TenantId, query: Omit<AuditQuery, 'limit'>) => Promise<ListTotal>
  /**
   * Checks the whole trail: that each entry is what was added, follows the one before, and that none is missing,
   * at the end neither. `anchor` is an entry that was noted elsewhere earlier: a trail that does not hold it is not
   * the one of then, which finds a database that was put back.
   */
  readonly verify: (tenant: TenantId, anchor?: AuditPoint) => Promise<AuditReport>
  /** Removes entries from before an instant, from the first on up to one that is not, and says how many. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
}

/** Which entries; without a sort by their numbers, the newest first, which then are the places of pages. */
export type AuditQuery = Omit<ListQuery, 'sort'> & { readonly sort?: readonly SortKey[] }

/** What became of a check; `brokenAt` is the number of the first entry that is not as it was, or is missing. */
export type AuditReport = {
  readonly entryCount: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly brokenAt: number | undefined
  /** What is wrong there, as a sentence. */
  readonly problem: string | undefined
}
