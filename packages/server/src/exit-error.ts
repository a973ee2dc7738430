/** How `tripline serve` ends (C1); the numbers are those of BSD's sysexits. */
export const exitCodes = {
  stopped: 0,
  /** The data directory cannot be used, or the server met an error it cannot go on from. */
  storage: 70,
  /** A setting cannot be used: unknown, out of bounds, a path or an address that is not to be had. */
  configuration: 78,
} as const

/** Ends the server with an exit code and one sentence for its operator. */
export class ExitError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ExitError'
    this.exitCode = exitCode
  }
}

/** A setting that cannot be used; the message names it. */
export function configurationError(message: string, options?: ErrorOptions): ExitError {
  return new ExitError(exitCodes.configuration, message, options)
}
