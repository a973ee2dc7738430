/** How a process ends, `tripline serve` included; numbers from 64 on are those of BSD's sysexits. */
export const exitCodes = {
  ok: 0,
  /** The run succeeded and found what fails it: a match, an invalid rule. */
  found: 1,
  /** The object does not exist, exists already, or may not be changed. */
  refused: 1,
  usage: 2,
  /** The run came to its end, but matches may be missing: state of correlations was lost to bound memory. */
  degraded: 3,
  /** No rule to run, or no event to explain. */
  noData: 65,
  /** More input than memory may hold. */
  tooLarge: 65,
  unreadable: 66,
  /** A bug in Tripline. */
  bug: 70,
  /** The data directory cannot be used, or the server hit an error that it cannot recover from. */
  storage: 70,
  unwritable: 74,
  /** A setting is unknown or invalid, its path or address cannot be used, or this version of Node cannot load the server. */
  configuration: 78,
} as const

/** Ends a command or the server with an exit code and one sentence for the user or operator. */
export class ExitError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ExitError'
    this.exitCode = exitCode
  }
}

/** An argument that cannot be used; the message names it. */
export function usageError(message: string): ExitError {
  return new ExitError(exitCodes.usage, message)
}
