/** Resolves when a search may work, with the milliseconds for which it may. */
type TakeTurn = () => Promise<number>

export type SliceDeps = { readonly elapsedMs: () => number; readonly takeTurn: TakeTurn }

/** The time budget of a search is used up, or its caller is gone. */
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
  readonly #takeTurn: TakeTurn
  readonly #deadlineMs: number
  readonly #signal: Pick<AbortSignal, 'aborted'> | undefined
  /** The first slice waits for its turn, too. */
  #turnEndsMs = -Infinity

  constructor({ elapsedMs, takeTurn }: SliceDeps, budgetMs: number, signal?: Pick<AbortSignal, 'aborted'>) {
    this.#elapsedMs = elapsedMs
    this.#takeTurn = takeTurn
    this.#deadlineMs = elapsedMs() + budgetMs
    this.#signal = signal
  }

  /**
   * Call it between steps that take far less than a slice.
   *
   * @throws BudgetError when the budget is used up or the signal has aborted.
   */
  async yieldIfDue(): Promise<void> {
    const nowMs = this.#elapsedMs()
    if (nowMs >= this.#deadlineMs || this.#signal?.aborted === true) throw new BudgetError()
    if (nowMs < this.#turnEndsMs) return
    const turnMs = await this.#takeTurn()
    this.#turnEndsMs = this.#elapsedMs() + turnMs
  }
}
