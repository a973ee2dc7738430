import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { errorStatus } from '@tripline/contract/errors'
import type { ErrorBody, ErrorCode } from '@tripline/contract/errors'
import { errorForms } from '@tripline/contract/public/wrapper'
import { STATUS_CODES } from 'node:http'
import type { ErrorHandler } from 'hono'
import { RateLimitedError } from '../../access/authenticate-request.ts'
import { toOutOfSpaceError } from '../../errors/out-of-space.ts'
import { toAppError } from '../../errors/to-app-error.ts'
import type { Env, RequestContext } from '../route.ts'
import { setRateHeaders } from './rate-headers.ts'

/** Default `Retry-After` in seconds. */
const retryAfterSeconds = 1

type ErrorReply = { readonly code: ErrorCode; readonly message: string; readonly details?: AppError['details'] }

/**
 * Converts errors to responses: an AppError or an error of a store to its code and message, a lack of disk or queue space to
 * 503, any other error to 500, with details only in the log.
 */
export function errorHandler({ log, clock }: { readonly log: Log; readonly clock: Pick<Runtime, 'now'> }): ErrorHandler<Env> {
  return (error, c) => {
    if (error instanceof RateLimitedError) setRateHeaders(c, error.decision, clock.now())
    else if (error instanceof AppError && error.code === 'RATE_LIMITED') c.header('Retry-After', String(retryAfterSeconds))
    const outOfSpace = toOutOfSpaceError(error)
    if (outOfSpace !== undefined) {
      log.warn('a request was refused for lack of disk or queue space', { request_id: c.get('requestId'), error: error.message })
      return errorResponse(c, outOfSpace)
    }
    const refused = toAppError(error)
    if (refused !== undefined) return errorResponse(c, refused)
    log.error('request failed', { request_id: c.get('requestId'), error: error.stack ?? error.message })
    return errorResponse(c, { code: 'INTERNAL_ERROR', message: 'internal error; the server log has the details under this request id' })
  }
}

/** The error body, or problem details (RFC 9457) if the client accepts them. */
export function errorResponse(c: RequestContext, reply: ErrorReply): Response {
  const profile = c.get('profile')
  const { code, message, details } = profile === undefined ? reply : nameField(reply)
  const status = errorStatus[code]
  c.set('errorCode', code)
  const reason = details?.['permission'] ?? details?.['needs']
  if (typeof reason === 'string') c.set('refusalReason', reason)
  const request_id = c.get('requestId')
  const { retry_after_seconds: stated } = details ?? {}
  if (typeof stated === 'number') c.header('Retry-After', String(stated))
  else if (status === 503) c.header('Retry-After', String(retryAfterSeconds))
  // The rest of the body may still come: it must not be read as the next request.
  if (status === 408) c.header('Connection', 'close')
  if (status === 401) c.header('WWW-Authenticate', 'Bearer')
  const printed = c.get('route')?.printError?.(c, { code, status, message, details })
  if (printed !== undefined) return printed
  if (profile !== undefined) {
    const reason = STATUS_CODES[status] ?? 'Error'
    return c.json(errorForms[profile].render({ code, reason, message, details, requestId: request_id }), status)
  }
  if (c.req.header('accept')?.includes('application/problem+json') === true) {
    const title = STATUS_CODES[status]
    const problem = { type: 'about:blank', title, status, detail: message, code, request_id, details }
    return c.body(JSON.stringify(problem), status, { 'Content-Type': 'application/problem+json' })
  }
  const body: ErrorBody = { error: { code, message, ...(details === undefined ? {} : { details }), request_id } }
  return c.json(body, status)
}

/** In the public API a field that is refused is an invalid parameter, also where the console answers that the body is not valid. */
function nameField(reply: ErrorReply): ErrorReply {
  const errors: unknown = reply.details?.['errors']
  const field: unknown = Array.isArray(errors) ? Reflect.get(Object(errors[0]), 'path') : undefined
  if (reply.code !== 'INVALID_BODY' || typeof field !== 'string') return reply
  return { code: 'INVALID_PARAMETER', message: reply.message, details: { parameter: field } }
}
