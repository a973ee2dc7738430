import type { RuleCost, RuleHealth } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import type { EventAccounting } from './compute-accounting.ts'
import type { RuleTotals } from '../tenants/day-totals.ts'
import type { RawEvent } from '../stages/event-message.ts'
import type { RuleStorm } from '../stages/alert-storm-limit.ts'
import type { ActiveRules } from '../tenants/tenant-engine.ts'

/** The progress of a consumer of a topic. */
export type ConsumerProgress = {
  readonly topic: string
  readonly consumer: string
  /** Grows with each message that it has handled, committed or not. */
  readonly handledCount: number
  /** Messages by tenant that it has not handled; tenants without any are left out. */
  readonly lag: ReadonlyMap<TenantId, number>
}

/** What the rules of a tenant have done. */
type TenantRuleTotals = {
  readonly getTotals: (ruleId: string) => RuleTotals
  /** The same for the last 24 clock hours, to the hour. */
  readonly getLastDay: (ruleId: string, nowMs: number) => RuleTotals
  /** The matches in each of these hours, oldest first. */
  readonly getHourlyMatches: (ruleId: string, nowMs: number) => readonly number[]
}

/** A body that was admitted; both calls end that it counts, and may be repeated. */
export type AnnouncedBody = {
  /** Its events were read, and are about to be ingested. */
  readonly wasRead: (body: { readonly eventCount: number; readonly byteCount: number }) => void
  readonly end: () => void
}

/** The way of events from ingest to alerts. */
export type Pipeline = {
  /**
   * Accepts events of a tenant; resolves when they are durable, with the offset of the last.
   *
   * @throws AppError RATE_LIMITED when the tenant's queue or its share of the work is full, UNAVAILABLE when the whole queue
   *   is; then part of a very large batch may have been accepted. OUTCOME_UNKNOWN when the disk failed meanwhile.
   */
  readonly ingest: (tenant: TenantId, events: readonly RawEvent[]) => Promise<{ readonly lastOffset: number }>
  /**
   * Refuses a body of events before it is read, or counts it, as large as its length says, until it was read: of a burst of
   * bodies only those are read that fit into the tenant's share. `byteCount` is undefined where the length is not stated.
   *
   * @throws AppError RATE_LIMITED when the tenant has queued its share of the work while other tenants send.
   */
  readonly announceBody: (tenant: TenantId, byteCount: number | undefined) => AnnouncedBody
  /**
   * Swaps the rules of a tenant: events before the offset were evaluated by the old rules, that one and all behind it
   * by the new ones. `store` runs in between to store the rules; if it throws, the old ones stay.
   *
   * @throws AppError UNAVAILABLE when detection is stalled; then nothing has changed.
   */
  readonly useRules: (
    tenant: TenantId, rules: ActiveRules, store?: (effectiveFromOffset: number) => Promise<void>,
  ) => Promise<{ readonly effectiveFromOffset: number }>
  readonly ruleTotals: (tenant: TenantId) => Promise<TenantRuleTotals>
  /**
   * Returns a function that reports how far events came with each running rule of a tenant, by id, since its engine was
   * opened; correlations are not included.
   */
  readonly ruleHealth: (tenant: TenantId) => Promise<() => ReadonlyMap<string, RuleHealth>>
  /** The correlations that lost state lately, so that matches may be missing, by id. */
  readonly getDegradedRules: (tenant: TenantId) => ReadonlySet<string>
  /** The cost of each rule of a tenant; empty before its first event. */
  readonly ruleCosts: (tenant: TenantId) => readonly RuleCost[]
  /** The rules of a tenant that are in an alert storm (docs/reference/limits.md). */
  readonly getStorms: (tenant: TenantId) => readonly RuleStorm[]
  /** The accounting of a tenant's events; it balances at any moment, and after a kill. */
  readonly accounting: (tenant: TenantId) => EventAccounting
  /** What each consumer of each topic has handled, and what waits for it. */
  readonly getProgress: () => readonly ConsumerProgress[]
  /** Accepted events of a tenant that searches do not find yet. */
  readonly countNotSearchable: (tenant: TenantId) => number
  /** Milliseconds for which handled messages have waited for a checkpoint, by stage. */
  readonly getCheckpointAges: () => ReadonlyMap<string, number>
  /** Resolves when all events accepted so far are evaluated and stored, or when the pipeline has failed. */
  readonly untilIdle: () => Promise<void>
  /** Call it about every second: ends windows during silence. */
  readonly tick: (nowMs: number) => Promise<void>
  /** Finishes the batches in hand and stores a last checkpoint. Unhandled messages are delivered again. */
  readonly close: () => Promise<void>
}
