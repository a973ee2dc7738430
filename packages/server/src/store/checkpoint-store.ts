import type { TenantId } from '../domain/tenant.ts'

/**
 * Keeps what stages of the pipeline know of a tenant, so that a restart goes on from there. It is in parts, by name, so
 * that what did not change is not written again.
 */
export type CheckpointStore = {
  /** Puts parts in the place of those with their names and lets go of others, all or nothing. */
  readonly save: (tenant: TenantId, stage: string, change: CheckpointChange) => Promise<void>
  readonly load: (tenant: TenantId, stage: string, part: string) => Promise<Uint8Array | undefined>
  /** The names of the parts, in the order of their bytes. */
  readonly parts: (tenant: TenantId, stage: string) => Promise<readonly string[]>
}

export type CheckpointChange = {
  readonly put: ReadonlyMap<string, Uint8Array>
  readonly drop?: readonly string[]
}
