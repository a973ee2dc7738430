import { AppError } from '@tripline/contract/app-error'
import type { BusErrorCode } from '@tripline/storage/bus/bus'
import { limits } from '../limits.ts'

const unknownOutcomeMessage =
  'the disk failed while the events were written, so they may be stored or not; send them again with the same ids'

const retryDetails = { retry_after_seconds: limits.pipeline.retryAfterSeconds }

/** The error for a sender, who may retry. */
export function createBackpressureError(code: BusErrorCode): AppError {
  if (code === 'TENANT_FULL') return new AppError('RATE_LIMITED', 'the tenant\'s event queue is full; retry later', retryDetails)
  if (code === 'FULL') return new AppError('UNAVAILABLE', 'the event queue is full; retry later', retryDetails)
  if (code === 'UNKNOWN') return new AppError('OUTCOME_UNKNOWN', unknownOutcomeMessage, retryDetails)
  return new AppError('UNAVAILABLE', 'the server accepts no events until it is restarted', retryDetails)
}

/** The error for a tenant that has queued its share of the work while other tenants send. */
export function createShareExceededError(): AppError {
  return new AppError('RATE_LIMITED', 'the tenant has queued its share of the work while other tenants send; retry later', retryDetails)
}

/** The error for events while the disk has no space to spare. */
export function createNoSpaceError(): AppError {
  return new AppError('UNAVAILABLE', 'the disk of the server is nearly full; retry later', retryDetails)
}

/** The error for a request that needs a descriptor or memory that the process does not have. */
export function createShortageError(): AppError {
  return new AppError('UNAVAILABLE', 'the server is short of file descriptors or memory; retry later', retryDetails)
}

/** The error for a change while the database is full or locked. */
export function createDatabaseBusyError(): AppError {
  return new AppError('UNAVAILABLE', 'the database is full or locked; retry later', retryDetails)
}

/** The error for a change of rules while detection is stalled. */
export function createDetectionStalledError(): AppError {
  return new AppError('UNAVAILABLE', 'detection is stalled because the alert queue is full; retry later', retryDetails)
}
