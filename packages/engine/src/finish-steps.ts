/** Does the rest of some work that was made in steps, at once, and returns its result. */
export function finishSteps<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
