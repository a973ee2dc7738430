import { ExitError, exitCodes } from '@tripline/common/exit-error'

/** An invalid setting; the message names it. */
export function configurationError(message: string, options?: ErrorOptions): ExitError {
  return new ExitError(exitCodes.configuration, message, options)
}
