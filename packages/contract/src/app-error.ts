/** Error codes of requests; `errors.ts` maps each to an HTTP status. */
export type AppErrorCode =
  | 'CONFLICT'
  | 'FORBIDDEN'
  | 'INVALID_BODY'
  | 'INVALID_CURSOR'
  | 'INVALID_PARAMETER'
  | 'INVALID_QUERY'
  | 'INVALID_QUERY_FIELD'
  | 'INVALID_RULE'
  | 'NOT_FOUND'
  | 'OUTCOME_UNKNOWN'
  | 'PAYLOAD_TOO_LARGE'
  | 'PRECONDITION_FAILED'
  | 'RATE_LIMITED'
  | 'REQUEST_TIMEOUT'
  | 'RULE_TEST_FAILED'
  | 'UNAUTHORIZED'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'

/** Machine-readable details; sent to clients unchanged, so nothing internal belongs here. */
export type AppErrorDetails = { readonly [name: string]: unknown }

/** An expected refusal of a request: a stable code, one sentence and details. Any other error is a bug. */
export class AppError extends Error {
  readonly code: AppErrorCode
  readonly details: AppErrorDetails | undefined

  constructor(code: AppErrorCode, message: string, details?: AppErrorDetails) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** The refusal of a body for one of its members, which `path` names. */
export function createBodyError(path: string, message: string): AppError {
  return new AppError('INVALID_BODY', `${path}: ${message}`, { errors: [{ path, message }] })
}

/** The refusal of a name that another has; `what` is what it names, such as `a channel`. */
export function createNameConflict(what: string, name: string): AppError {
  return new AppError('CONFLICT', `${what} is named '${name}' already; choose another name`, { parameter: 'name', value: name })
}
