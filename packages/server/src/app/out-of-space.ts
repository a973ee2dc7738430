import { BusError } from '../bus/bus.ts'
import type { AppError } from '../domain/app-error.ts'
import { isResourceShortage } from '../file-system.ts'
import { createBackpressureError, createDatabaseBusyError, createShortageError } from '../pipeline/backpressure-errors.ts'
import { isTransientStateError } from '../store/transient-state-error.ts'

/**
 * Converts an error that means a full, read-only or overloaded disk, or a shortage of resources, to a retryable AppError;
 * undefined for any other error.
 */
export function toOutOfSpaceError(error: unknown): AppError | undefined {
  if (isResourceShortage(error)) return createShortageError()
  if (error instanceof BusError) return createBackpressureError(error.code)
  return isTransientStateError(error) ? createDatabaseBusyError() : undefined
}
