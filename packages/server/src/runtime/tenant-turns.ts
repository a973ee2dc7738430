import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'

type TurnsOptions = {
  /** Does the work of a tenant, or a part of it: true where more of it waits. */
  readonly serve: (tenant: string, signal: AbortSignal) => Promise<boolean>
  /** The message of the log when a turn failed; the work waits until the tenant is woken again. */
  readonly failure: string
  readonly log: Pick<Log, 'warn'>
}

/** Round-robin over tenants that have work, one turn at a time, so that a tenant with much of it delays the others by one turn. */
export class TenantTurns {
  readonly #options: TurnsOptions
  readonly #waiting = new Set<string>()
  readonly #stop = new AbortController()
  #busy: Promise<void> = Promise.resolve()

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /** Aborts when no further turn begins. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Gives a tenant a turn after those that wait, unless it has one already. */
  wake(tenant: string): void {
    if (this.signal.aborted || this.#waiting.has(tenant)) return
    this.#waiting.add(tenant)
    this.#busy = this.#busy.then(() => this.#take(tenant))
  }

  /** Waits until no tenant has work. */
  async untilIdle(): Promise<void> {
    let seen: Promise<void> | undefined
    while (seen !== this.#busy) {
      seen = this.#busy
      await seen
    }
  }

  /** Ends after the turn in hand, which sees the signal abort; what waits is not begun. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.untilIdle()
  }

  /** It never throws: the turns of other tenants come after it. */
  async #take(tenant: string): Promise<void> {
    this.#waiting.delete(tenant)
    if (this.signal.aborted) return
    const { serve, failure, log } = this.#options
    try {
      if (await serve(tenant, this.signal)) this.wake(tenant)
    } catch (error) {
      log.warn(failure, { tenant, error: getErrorMessage(error) })
    }
  }
}
