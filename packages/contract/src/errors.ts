import { z } from 'zod'

/** Every error code of the API and its HTTP status. */
export const errorStatus = {
  INVALID_BODY: 400,
  INVALID_CURSOR: 400,
  INVALID_PARAMETER: 400,
  INVALID_QUERY: 400,
  INVALID_QUERY_FIELD: 400,
  INVALID_RULE: 400,
  RULE_TEST_FAILED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  OUTCOME_UNKNOWN: 503,
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** The body of every error response. */
export const errorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorStatus)),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
  }),
})
export type ErrorBody = {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details?: { readonly [name: string]: unknown }
    readonly request_id: string
  }
}

/** The same as problem details (RFC 9457), for clients that accept `application/problem+json`. */
export const problemSchema = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(errorStatus)),
  request_id: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
})
