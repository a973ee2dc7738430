import type { Playbook, PlaybookChange, PlaybookRun, PlaybookSubject } from '@tripline/model/playbooks/playbook'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms, Insertion } from './change.ts'
import type { TenantList } from './list-query.ts'

/** Stores playbooks and their runs. */
export type PlaybookStore = {
  /** Inserts a playbook, unless its name is taken. */
  readonly insert: (tenant: TenantId, playbook: Playbook) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<Playbook | undefined>
  /** All playbooks of a tenant, by name. */
  readonly list: (tenant: TenantId) => Promise<readonly Playbook[]>
  /** `taken` if another playbook of the tenant has the name. */
  readonly update: (
    tenant: TenantId, id: string, change: PlaybookChange, terms: ChangeTerms,
  ) => Promise<ChangeResult<Playbook> | { readonly outcome: 'taken' }>
  /** Removes a playbook; its runs stay. Returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
  /** Stores a run that begins, and counts it; `taken` if it started by itself and the playbook did so for this subject before. */
  readonly insertRun: (tenant: TenantId, run: PlaybookRun) => Promise<Insertion>
  readonly getRun: (tenant: TenantId, id: string) => Promise<PlaybookRun | undefined>
  /** Writes what became of a run. */
  readonly saveRun: (tenant: TenantId, run: PlaybookRun) => Promise<void>
  /** Runs that have not ended, oldest first. */
  readonly unfinishedRuns: (tenant: TenantId, limit: number) => Promise<readonly PlaybookRun[]>
  /** The runs about an alert or incident, oldest first. */
  readonly runsAbout: (tenant: TenantId, subject: PlaybookSubject, subjectId: string, limit: number) => Promise<readonly PlaybookRun[]>
  /** Removes runs that began before an instant, at most `limit`; returns how many. */
  readonly removeOldRuns: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
}

/** The runs of a tenant's playbooks. */
export type PlaybookRunList = TenantList<PlaybookRun>
