import type { BulkPart } from '@tripline/model/bulk-change'
import type { TenantId } from '@tripline/model/tenant'

/** Stores what changes of many alerts replaced, so that they can be taken back. */
export type BulkChangeStore = {
  /** @throws Error if the part is there. */
  readonly insert: (tenant: TenantId, part: BulkPart) => Promise<void>
  /** The parts of a change, in order; none where it is unknown. */
  readonly get: (tenant: TenantId, id: string) => Promise<readonly BulkPart[]>
  /** Removes one part; returns whether it was there. */
  readonly remove: (tenant: TenantId, id: string, part: number) => Promise<boolean>
  /** Removes the parts that expired before an instant; returns how many. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
}
