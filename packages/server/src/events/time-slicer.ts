import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** The time of a search is over. */
export class BudgetError extends Error {
  constructor() {
    super('the budget of the search is used up')
    this.name = 'BudgetError'
  }
}

/** Divides long work into turns, so that others get theirs in between, and ends it when its budget is used up. */
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
   * Call it between pieces of work that take far less than a turn.
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
