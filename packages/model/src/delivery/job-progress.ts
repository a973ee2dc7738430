import type { TenantId } from '../tenant.ts'

/** How far a job of a tenant is. */
export type JobProgress = {
  readonly job: 'backtest' | 'report' | 'evidence'
  readonly id: string
  /** `removed` where a user stopped it. */
  readonly status: 'running' | 'succeeded' | 'failed' | 'removed'
  /** Percent. */
  readonly progress: number
}

/** Tells those who follow the jobs of a tenant; nothing is kept for those who do not. */
export type AnnounceJob = (tenant: TenantId, progress: JobProgress) => void
