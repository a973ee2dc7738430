import { BusError } from '../bus/bus.ts'
import type { AppError } from '../domain/app-error.ts'
import { createBackpressureError, createDatabaseBusyError } from '../pipeline/backpressure-errors.ts'
import { isTransientStateError } from '../store/transient-state-error.ts'

/**
 * What somebody is told whose request could not be kept because the disk is full, may not be written, or has too much to
 * do: to come again. Undefined for any other error.
 */
export function toOutOfSpaceError(error: unknown): AppError | undefined {
  if (error instanceof BusError) return createBackpressureError(error.code)
  return isTransientStateError(error) ? createDatabaseBusyError() : undefined
}
