import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'
import type { FairTurns } from './fair-turns.ts'

/** Divides long work for a tenant into turns, each as long as it was granted. */
export class TurnSlices {
  readonly #turns: Pick<FairTurns, 'next' | 'elapsedMs'>
  readonly #tenant: TenantId
  #turnEndsMs = -Infinity

  constructor(turns: Pick<FairTurns, 'next' | 'elapsedMs'>, tenant: TenantId) {
    this.#turns = turns
    this.#tenant = tenant
  }

  /** Begins within a turn that the caller has, so that short work needs no other one. */
  continueTurn(): this {
    this.#turnEndsMs = this.#turns.elapsedMs() + limits.fairness.sharedTurnMs
    return this
  }

  /** Call it between steps that take far less than a turn; the first step waits for one, too. */
  async yieldIfDue(): Promise<void> {
    if (this.#turns.elapsedMs() < this.#turnEndsMs) return
    const turnMs = await this.#turns.next(this.#tenant)
    this.#turnEndsMs = this.#turns.elapsedMs() + turnMs
  }
}
