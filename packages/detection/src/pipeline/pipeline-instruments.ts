import type { Level } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'

/** The instruments that the pipeline records on. */
export type PipelineInstruments = {
  /** The deduplicate stage has handled a batch and published part of it. */
  readonly deduplicated: (tenant: TenantId, batch: BatchTiming & { readonly handedOnCount: number; readonly failedCount: number }) => void
  /** All rules have evaluated a batch; each match names its rule. */
  readonly evaluated: (tenant: TenantId, batch: BatchTiming & { readonly matchedRuleIds: readonly string[] }) => void
  /** New alerts were created. */
  readonly alerted: (tenant: TenantId, alerts: readonly CountedAlert[]) => void
}

/** The parts of a new alert that are counted. */
export type CountedAlert = {
  readonly ruleId: string
  readonly level: Level
  readonly attack: { readonly tactics: readonly string[] }
}

/** A number of events and their total time. */
type BatchTiming = { readonly eventCount: number; readonly durationMs: number }

/** Instruments that record nothing. */
export const noInstruments: PipelineInstruments = { deduplicated: () => {}, evaluated: () => {}, alerted: () => {} }
