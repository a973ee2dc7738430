import { AppError } from '@tripline/contract/app-error'
import type { AppErrorCode } from '@tripline/contract/app-error'
import { createDatabaseBusyError } from '@tripline/detection/pipeline/backpressure-errors'
import { StoreError } from '@tripline/state/ports/store-error'

/** The codes of requests for those of stores. */
const requestCodes = {
  CORRUPTED_ROW: 'UNAVAILABLE',
  INVALID_QUERY: 'INVALID_PARAMETER',
  NOT_FOUND: 'NOT_FOUND',
  TRANSIENT: 'UNAVAILABLE',
  UNKNOWN_FIELD: 'INVALID_QUERY_FIELD',
  VERSION_CONFLICT: 'PRECONDITION_FAILED',
} as const satisfies { readonly [code in StoreError['code']]: AppErrorCode }

/**
 * The refusal of a request that an error stands for; undefined for a bug. Whatever answers a request calls it: routes, the
 * audit trail and the command line.
 */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (!(error instanceof StoreError)) return undefined
  // The message is that of the database, and names its files and tables.
  if (error.code === 'TRANSIENT') return createDatabaseBusyError()
  return new AppError(requestCodes[error.code], error.message, error.details)
}
