import type { TenantId } from '@tripline/model/tenant'
import type { FairTurns } from './fair-turns.ts'

/**
 * The turns of a stage, of which one can be waited for before its batch is chosen: the batch that runs in it is then the one
 * that matters most when it begins.
 */
export class ReservedTurn {
  readonly #turns: Pick<FairTurns, 'next'>
  readonly #flow: string
  #waiting: Promise<void> | undefined
  /** The milliseconds of a turn that was granted and not used yet. */
  #grantedMs: number | undefined

  constructor(turns: Pick<FairTurns, 'next'>, flow: string) {
    this.#turns = turns
    this.#flow = flow
  }

  /** Resolves when the next turn is granted; several calls wait for the same. */
  reserve(tenants: readonly TenantId[]): Promise<void> {
    this.#waiting ??= this.#turns.next(this.#flow, tenants).then((turnMs) => {
      this.#waiting = undefined
      this.#grantedMs = turnMs
    })
    return this.#waiting
  }

  /** Ends a turn that was granted and is not used. */
  release(): void {
    this.#grantedMs = undefined
  }

  /**
   * Takes the turn that was granted, or waits for another one; resolves with its milliseconds. While a stage has a batch in hand, all
   * tenants wait for it, so it gets its turns as a light one does.
   */
  async take(tenants: readonly TenantId[]): Promise<number> {
    const grantedMs = this.#grantedMs
    this.release()
    return grantedMs ?? await this.#turns.next(this.#flow, tenants, true)
  }
}
