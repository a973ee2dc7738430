/** What a check of a source looks at, in order. */
type PollStage = 'connectivity' | 'authentication' | 'data_flow'

type PollErrorDetails = Partial<Pick<PollError, 'retryAfterMs' | 'latencyMs' | 'isLasting' | 'status'>>

/**
 * A request to a source failed: the stage of the check, and a sentence without secrets or parts of the response body.
 */
export class PollError extends Error {
  readonly stage: PollStage
  /** How long the source asks for no request. */
  readonly retryAfterMs: number | undefined
  /** Milliseconds to the response header; undefined without a response. */
  readonly latencyMs: number | undefined
  /** The status of the response, where that is the problem. */
  readonly status: number | undefined
  /** Whether an immediate retry is pointless, because our own policy rejected the request. */
  readonly isLasting: boolean

  constructor(stage: PollStage, message: string, told: PollErrorDetails = {}) {
    super(message)
    this.name = 'PollError'
    this.stage = stage
    this.retryAfterMs = told.retryAfterMs
    this.latencyMs = told.latencyMs
    this.status = told.status
    this.isLasting = told.isLasting ?? false
  }
}
