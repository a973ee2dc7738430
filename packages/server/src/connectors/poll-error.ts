import type { ConnectorCheck } from '../domain/connector.ts'

type PollErrorDetails = Partial<Pick<PollError, 'retryAfterMs' | 'latencyMs' | 'isLasting'>>

/** Asking a source failed: at what a check calls so, with a sentence that tells no secret and nothing of the answer's body. */
export class PollError extends Error {
  readonly stage: ConnectorCheck['type']
  /** How long the source wants to be left alone. */
  readonly retryAfterMs: number | undefined
  /** Until the head of an answer was there; undefined where none came. */
  readonly latencyMs: number | undefined

  /** Whether asking again at once changes nothing: it was we who refused. */
  readonly isLasting: boolean

  constructor(stage: ConnectorCheck['type'], message: string, told: PollErrorDetails = {}) {
    super(message)
    this.name = 'PollError'
    this.stage = stage
    this.retryAfterMs = told.retryAfterMs
    this.latencyMs = told.latencyMs
    this.isLasting = told.isLasting ?? false
  }
}
