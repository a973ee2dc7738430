/**
 * Why a request got no answer that can be used. `refused`: our own policy does not let it leave. `unresolved`,
 * `unreachable`, `insecure` (no TLS that can be trusted), `timeout`: nobody answered. `too_long`, `damaged`: the answer
 * cannot be read. `stopped`: the caller wanted it no more.
 */
export type EgressProblem =
  | 'refused' | 'unresolved' | 'unreachable' | 'insecure' | 'timeout' | 'too_long' | 'damaged' | 'stopped'

/** A request to the outside that failed; the sentence names the host and never path, query, headers or body. */
export class EgressError extends Error {
  readonly problem: EgressProblem

  constructor(problem: EgressProblem, message: string) {
    super(message)
    this.name = 'EgressError'
    this.problem = problem
  }
}
