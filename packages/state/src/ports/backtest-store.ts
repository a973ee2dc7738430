import type { StoredBacktest } from '@tripline/model/backtest'
import type { TenantId } from '@tripline/model/tenant'

/** Stores backtests, each with what it found. */
export type BacktestStore = {
  readonly insert: (tenant: TenantId, backtest: StoredBacktest) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<StoredBacktest | undefined>
  /** The newest first, without what they found. */
  readonly list: (tenant: TenantId, limit: number) => Promise<readonly StoredBacktest[]>
  /** Those that wait or run, oldest first. */
  readonly listUnfinished: (tenant: TenantId) => Promise<readonly StoredBacktest[]>
  /** Writes what became of a backtest; returns whether it exists. */
  readonly save: (tenant: TenantId, backtest: StoredBacktest) => Promise<boolean>
  /** Returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
  /** Removes finished ones requested before an instant, and the oldest beyond a number, at most `limit` of each; returns how many. */
  readonly removeOld: (
    tenant: TenantId, which: { readonly before: number; readonly keptMax: number; readonly limit: number },
  ) => Promise<number>
}
