/** What can go wrong with a request, as programs see it; `contract/errors.ts` gives each its HTTP status. */
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
  | 'PAYLOAD_TOO_LARGE'
  | 'PRECONDITION_FAILED'
  | 'RATE_LIMITED'
  | 'RULE_TEST_FAILED'
  | 'UNAUTHORIZED'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'

/** Facts that a program may need beside the sentence; printed as they are, so nothing internal belongs here. */
export type AppErrorDetails = { readonly [name: string]: unknown }

/** Refuses a request: a stable code, one sentence naming the thing, and details. Any other error is a bug. */
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
