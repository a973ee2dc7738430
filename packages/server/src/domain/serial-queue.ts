/** Does works one after the other, in the order in which they are asked for. How one ends is the business of who asked for it. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const outcome = this.#last.then(work)
    // Whoever comes next waits for this one, not for its outcome.
    this.#last = outcome.then(() => {}, () => {})
    return outcome
  }

  /** Resolves when all that was asked for until now is done. */
  done(): Promise<void> {
    return this.#last
  }
}
