import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@tripline/contract/app-error'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from './limits.ts'

type ImpatientSendersOptions = {
  readonly elapsedMs: () => number
  readonly wait?: (ms: number) => Promise<unknown>
}

/**
 * Holds back senders that do not wait as a refusal asked. The first request of a tenant over its share is refused at once; those
 * that come right after it wait unread, each on its connection, and are tried again before they are refused too. So a flood costs
 * one request per connection and hold, where Node would otherwise read each refused body to its end, as fast as it is sent.
 */
export class ImpatientSenders {
  readonly #elapsedMs: () => number
  readonly #wait: (ms: number) => Promise<unknown>
  /** Until when the requests of tenants are held, by the last refusal that was given at once. */
  readonly #heldUntilMs = new Map<TenantId, number>()
  #heldCount = 0

  constructor({ elapsedMs, wait = sleep }: ImpatientSendersOptions) {
    this.#elapsedMs = elapsedMs
    this.#wait = wait
  }

  /** Admits a request, at once or when it was held. @throws what `admit` does. */
  async admit<Admitted>(tenant: TenantId, admit: () => Admitted): Promise<Admitted> {
    try {
      return admit()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') throw error
      const holdMs = this.#getHoldMs(tenant)
      if (holdMs === 0) throw error
      await this.#hold(holdMs)
      return admit()
    }
  }

  /** How long a request over the share waits; 0 for the first one in a while, and where too many wait. */
  #getHoldMs(tenant: TenantId): number {
    const nowMs = this.#elapsedMs()
    const untilMs = this.#heldUntilMs.get(tenant) ?? 0
    if (untilMs > nowMs) return this.#heldCount < limits.impatient.heldMax ? untilMs - nowMs : 0
    this.#heldUntilMs.delete(tenant)
    this.#heldUntilMs.set(tenant, nowMs + limits.impatient.holdMs)
    const [oldest] = this.#heldUntilMs.keys()
    if (this.#heldUntilMs.size > limits.impatient.tenantsMax && oldest !== undefined) this.#heldUntilMs.delete(oldest)
    return 0
  }

  async #hold(ms: number): Promise<void> {
    this.#heldCount++
    try {
      await this.#wait(ms)
    } finally {
      this.#heldCount--
    }
  }
}
