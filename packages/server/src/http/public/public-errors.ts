import { AppError } from '@tripline/contract/app-error'

/** The error for an invalid parameter, in the form that was published. */
export function publicParameterError(
  parameter: string, value: string, { allowed, reason = 'it is not valid' }: { allowed?: readonly string[]; reason?: string | undefined },
): AppError {
  const shown = shorten(value)
  const remedy = allowed === undefined ? `: ${reason}` : `. Allowed: ${allowed.join(', ')}`
  return new AppError('INVALID_PARAMETER', `Invalid ${parameter} '${shown}'${remedy}`, { parameter, value: shown })
}

/** Cuts a text from outside to what an error repeats. */
export function shorten(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 64)}...`
}
