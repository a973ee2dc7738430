import { BusError } from '../bus/bus.ts'
import type { AppError } from '../domain/app-error.ts'
import { noRoom, notKept } from '../pipeline/backpressure-errors.ts'
import { isPassingStateError } from '../store/transient-state-error.ts'

/**
 * What somebody is told whose request could not be kept because the disk is full, may not be written, or has too much to
 * do: to come again. Undefined for any other error.
 */
export function wantOfRoom(error: unknown): AppError | undefined {
  if (error instanceof BusError) return noRoom(error.code)
  return isPassingStateError(error) ? notKept() : undefined
}
