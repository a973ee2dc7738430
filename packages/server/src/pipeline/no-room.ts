import type { BusErrorCode } from '../bus/bus.ts'
import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'

/** What a sender is told that may try again. */
export function noRoom(code: BusErrorCode): AppError {
  const details = { retry_after_seconds: limits.pipeline.retryAfterSeconds }
  if (code === 'TENANT_FULL') return new AppError('RATE_LIMITED', 'as many events wait to be handled as a tenant may have', details)
  if (code === 'FULL') return new AppError('UNAVAILABLE', 'there is no room for events until some that wait are handled', details)
  return new AppError('UNAVAILABLE', 'no events are taken until the server is started again', details)
}
