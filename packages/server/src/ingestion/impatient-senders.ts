import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@tripline/contract/app-error'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from './limits.ts'

type ImpatientSendersOptions = {
  readonly elapsedMs: () => number
  readonly wait?: (ms: number) => Promise<unknown>
}

/** A request that waits. */
type HeldRequest = {
  readonly untilMs: number
  /** Tries to admit it, and settles it unless it is over the share. Returns that error. */
  readonly retry: () => AppError | undefined
  readonly refuse: (error: AppError) => void
}

/**
 * Holds back senders that do not wait as a refusal asked. The first request of a tenant over its share is refused at once; those
 * that come right after it wait unread, each on its connection, and are taken in their order as soon as there is room. So a
 * flood costs one request per connection and hold, where Node would otherwise read each refused body to its end, as fast as it is
 * sent.
 */
export class ImpatientSenders {
  readonly #elapsedMs: () => number
  readonly #wait: (ms: number) => Promise<unknown>
  /** When a request of each tenant was refused last; the oldest first. */
  readonly #refusedAtMs = new Map<TenantId, number>()
  /** The requests of each tenant that wait, the oldest first. */
  readonly #held = new Map<TenantId, HeldRequest[]>()
  #heldCount = 0
  #isRetrying = false

  constructor({ elapsedMs, wait = sleep }: ImpatientSendersOptions) {
    this.#elapsedMs = elapsedMs
    this.#wait = wait
  }

  /** Admits a request, at once or when it was held. @throws what `admit` does. */
  async admit<Admitted>(tenant: TenantId, admit: () => Admitted): Promise<Admitted> {
    const { withinMs, heldMax } = limits.impatient
    const mayWait = this.#heldCount < heldMax
    // Those that wait already come first.
    if (mayWait && this.#held.has(tenant)) return await this.#hold(tenant, admit)
    try {
      return admit()
    } catch (error) {
      if (!isOverShare(error)) throw error
      if (mayWait && this.#elapsedMs() - (this.#refusedAtMs.get(tenant) ?? -Infinity) < withinMs) return await this.#hold(tenant, admit)
      this.#noteRefusal(tenant)
      throw error
    }
  }

  #hold<Admitted>(tenant: TenantId, admit: () => Admitted): Promise<Admitted> {
    const { promise, resolve, reject } = Promise.withResolvers<Admitted>()
    const retry = (): AppError | undefined => {
      try {
        resolve(admit())
      } catch (error) {
        if (isOverShare(error)) return error
        reject(error)
      }
      return undefined
    }
    const held = this.#held.get(tenant) ?? []
    held.push({ untilMs: this.#elapsedMs() + limits.impatient.holdMs, retry, refuse: reject })
    this.#held.set(tenant, held)
    this.#heldCount++
    if (!this.#isRetrying) void this.#retryAll()
    return promise
  }

  /** Tries those that wait, time and again, until none does. */
  async #retryAll(): Promise<void> {
    this.#isRetrying = true
    while (this.#heldCount > 0) {
      await this.#wait(limits.impatient.retryMs)
      for (const [tenant, held] of this.#held) this.#retryTenant(tenant, held)
    }
    this.#isRetrying = false
  }

  /** Takes the requests of a tenant for which there is room, and refuses those that have waited long enough. */
  #retryTenant(tenant: TenantId, held: HeldRequest[]): void {
    const nowMs = this.#elapsedMs()
    for (let [first] = held; first !== undefined; [first] = held) {
      const refusal = first.retry()
      if (refusal !== undefined) {
        if (nowMs < first.untilMs) return
        first.refuse(refusal)
        this.#noteRefusal(tenant)
      }
      held.shift()
      this.#heldCount--
    }
    this.#held.delete(tenant)
  }

  #noteRefusal(tenant: TenantId): void {
    this.#refusedAtMs.delete(tenant)
    this.#refusedAtMs.set(tenant, this.#elapsedMs())
    const [oldest] = this.#refusedAtMs.keys()
    if (this.#refusedAtMs.size > limits.impatient.tenantsMax && oldest !== undefined) this.#refusedAtMs.delete(oldest)
  }
}

function isOverShare(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'RATE_LIMITED'
}
