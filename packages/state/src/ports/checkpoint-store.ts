import type { TenantId } from '@tripline/model/tenant'

/**
 * Stores the state of pipeline stages by tenant, so that a restart continues from there. It consists of named parts, so
 * unchanged parts are not written again.
 */
export type CheckpointStore = {
  /** Replaces and removes parts, all or nothing. */
  readonly save: (tenant: TenantId, stage: string, change: CheckpointChange) => Promise<void>
  readonly load: (tenant: TenantId, stage: string, part: string) => Promise<Uint8Array | undefined>
  /** The names of the parts, in byte order. */
  readonly parts: (tenant: TenantId, stage: string) => Promise<readonly string[]>
}

export type CheckpointChange = {
  readonly put: ReadonlyMap<string, Uint8Array>
  readonly drop?: readonly string[]
}
