import type { Erasure, KeptDefinition, SubjectText } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'

/** Stores erasures of persons' data, one for each request in the register, and carries them out in the state. */
export type ErasureStore = {
  /** Inserts or replaces the erasure of a request. */
  readonly put: (tenant: TenantId, erasure: Erasure) => Promise<void>
  readonly get: (tenant: TenantId, requestId: string) => Promise<Erasure | undefined>
  /** Those that wait or run, oldest first. */
  readonly listUnfinished: (tenant: TenantId) => Promise<readonly Erasure[]>
  /** The first definitions that still name the person, such as a rule that looks for the name. */
  readonly listKept: (tenant: TenantId, subject: SubjectText) => Promise<readonly KeptDefinition[]>
  /**
   * Replaces the person's texts in alerts, matches, incidents, comments, assets and what was published of them, and deletes
   * identities, bindings, stored responses, reports and backtests that name the person, and addresses among recipients; destroys
   * the keys of texts on the audit trail that do; returns the number of rows. `editRule` removes the person from what describes a
   * rule in the text of one of its versions. The freed bytes of the database are overwritten. It works in small
   * transactions and can be repeated; outside of a transaction only.
   */
  readonly eraseTexts: (tenant: TenantId, subject: SubjectText, editRule: (definition: string) => string) => Promise<number>
}
