import { AppError } from '@tripline/contract/app-error'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../../../limits.ts'

/** Limits concurrent backtests per tenant: each one scans a range of events in the process that also ingests. */
export class BacktestLimiter {
  readonly #running = new Map<TenantId, number>()

  /** @throws AppError UNAVAILABLE at the limit; any error of `work`. */
  async run<Result>(tenant: TenantId, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(tenant) ?? 0
    const limit = limits.rules.backtestsAtOnceMax
    if (running >= limit) throw new AppError('UNAVAILABLE', `the tenant already runs ${limit} backtests; retry when one has finished`)
    this.#running.set(tenant, running + 1)
    try {
      return await work()
    } finally {
      const left = this.#running.get(tenant)! - 1
      if (left === 0) this.#running.delete(tenant)
      else this.#running.set(tenant, left)
    }
  }
}
