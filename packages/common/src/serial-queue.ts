/**
 * A serial queue: runs tasks one at a time in the order in which they were added. Each caller handles the outcome of its own
 * task.
 */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const outcome = this.#last.then(work)
    // The next task waits for this one whatever its outcome.
    this.#last = outcome.then(() => {}, () => {})
    return outcome
  }

  /** Resolves when all tasks added so far are done. */
  done(): Promise<void> {
    return this.#last
  }
}
