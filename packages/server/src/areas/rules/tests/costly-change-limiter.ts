import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { TenantId } from '@tripline/model/tenant'
import { SlidingWindowLog } from '../../../access/rate-window.ts'
import { limits } from '../../../limits.ts'

/**
 * Limits how often a tenant stores or runs costly rules: compiling one and giving it to the tenant's stream takes some tens
 * of milliseconds of the thread that serves everybody.
 */
export class CostlyChangeLimiter {
  readonly #elapsedMs: Runtime['elapsedMs']
  readonly #window = new SlidingWindowLog({
    requestsMax: limits.rules.costlyChangesMax, windowMs: limits.rules.costlyChangesMs, keysMax: limits.rate.countedMax,
  })

  constructor({ elapsedMs }: Pick<Runtime, 'elapsedMs'>) {
    this.#elapsedMs = elapsedMs
  }

  /** Counts a change. @throws AppError RATE_LIMITED at the limit. */
  record(tenant: TenantId): void {
    const nowMs = this.#elapsedMs()
    const { count, oldestEndsInMs } = this.#window.peek(tenant, nowMs)
    const { costlyChangesMax: max } = limits.rules
    if (count >= max) {
      const message = `the tenant has used ${max} costly rules within a minute; retry later, or use fewer values`
      throw new AppError('RATE_LIMITED', message, { retry_after_seconds: Math.ceil(oldestEndsInMs / 1_000) })
    }
    this.#window.add(tenant, nowMs)
  }
}
