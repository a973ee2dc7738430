/** Where a session with a broker failed: in the order in which it is set up. */
type BrokerStage = 'connectivity' | 'authentication' | 'data_flow'

/** A session with a broker failed, with a sentence that holds no secret. */
export class BrokerError extends Error {
  readonly stage: BrokerStage

  constructor(stage: BrokerStage, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BrokerError'
    this.stage = stage
  }
}
