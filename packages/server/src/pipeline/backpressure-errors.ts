import type { BusErrorCode } from '../bus/bus.ts'
import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'

const retryDetails = { retry_after_seconds: limits.pipeline.retryAfterSeconds }

/** What a sender is told that may try again. */
export function createBackpressureError(code: BusErrorCode): AppError {
  if (code === 'TENANT_FULL') return new AppError('RATE_LIMITED', 'as many events wait to be handled as a tenant may have', retryDetails)
  if (code === 'FULL') return new AppError('UNAVAILABLE', 'there is no room for events until some that wait are handled', retryDetails)
  return new AppError('UNAVAILABLE', 'no events are taken until the server is started again', retryDetails)
}

/** What somebody is told who changes something while the database has no room, or is busy. */
export function createDatabaseBusyError(): AppError {
  return new AppError('UNAVAILABLE', 'nothing can be kept at the moment: the database has no room, or is busy', retryDetails)
}

/** What somebody is told who changes rules while detection is held up. */
export function createDetectionStalledError(): AppError {
  return new AppError('UNAVAILABLE', 'events that are being evaluated find no room for what comes of them', retryDetails)
}
