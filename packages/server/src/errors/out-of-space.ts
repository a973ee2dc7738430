import type { AppError } from '@tripline/contract/app-error'
import { createBackpressureError, createDatabaseBusyError, createShortageError } from '@tripline/detection/pipeline/backpressure-errors'
import { isTransientStateError } from '@tripline/state/ports/store-error'
import { BusError } from '@tripline/storage/bus/bus'
import { isResourceShortage } from '@tripline/storage/disk/file-system'

/**
 * Converts an error that means a full, read-only or overloaded disk, or a shortage of resources, to a retryable AppError;
 * undefined for any other error.
 */
export function toOutOfSpaceError(error: unknown): AppError | undefined {
  if (isResourceShortage(error)) return createShortageError()
  if (error instanceof BusError) return createBackpressureError(error.code)
  return isTransientStateError(error) ? createDatabaseBusyError() : undefined
}
