/**
 * Why a request got no usable response. `refused`: our policy does not allow it. `unresolved`, `unreachable`,
 * `insecure` (no trusted TLS), `timeout`: no response. `too_long`, `damaged`: the response cannot be read. `stopped`:
 * the caller aborted it.
 */
export type EgressProblem =
  | 'refused' | 'unresolved' | 'unreachable' | 'insecure' | 'timeout' | 'too_long' | 'damaged' | 'stopped'

/** An outbound request failed. The message names the host and never path, query, headers or body. */
export class EgressError extends Error {
  readonly problem: EgressProblem

  constructor(problem: EgressProblem, message: string) {
    super(message)
    this.name = 'EgressError'
    this.problem = problem
  }
}
