/** Exit codes of `tripline serve`; the numbers are those of BSD's sysexits. */
export const exitCodes = {
  stopped: 0,
  /** The data directory cannot be used, or the server hit an error that it cannot recover from. */
  storage: 70,
  /** A setting is unknown or invalid, or its path or address cannot be used. */
  configuration: 78,
} as const

/** Ends the server with an exit code and one sentence for the operator. */
export class ExitError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ExitError'
    this.exitCode = exitCode
  }
}

/** An invalid setting; the message names it. */
export function configurationError(message: string, options?: ErrorOptions): ExitError {
  return new ExitError(exitCodes.configuration, message, options)
}
