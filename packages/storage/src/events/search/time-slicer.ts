import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../limits.ts'

/** The time budget of a search is used up. */
export class BudgetError extends Error {
  constructor() {
    super('the time budget of the search is used up')
    this.name = 'BudgetError'
  }
}

/**
 * Cooperative time slicing: yields to the event loop between slices of long work, and ends the work when its budget is
 * used up.
 */
export class TimeSlicer {
  readonly #elapsedMs: () => number
  readonly #deadlineMs: number
  #turnEndsMs: number

  constructor(elapsedMs: () => number, budgetMs: number) {
    this.#elapsedMs = elapsedMs
    this.#deadlineMs = elapsedMs() + budgetMs
    this.#turnEndsMs = elapsedMs() + limits.events.turnMs
  }

  /**
   * Call it between steps that take far less than a slice.
   *
   * @throws BudgetError when the budget is used up.
   */
  async yieldIfDue(): Promise<void> {
    const nowMs = this.#elapsedMs()
    if (nowMs >= this.#deadlineMs) throw new BudgetError()
    if (nowMs < this.#turnEndsMs) return
    await othersFirst()
    this.#turnEndsMs = this.#elapsedMs() + limits.events.turnMs
  }
}
