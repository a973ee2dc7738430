import type { ErrorBody, ErrorCode } from '@tripline/contract/errors'

/** A request that the server refused, or that did not reach it (`NETWORK`). */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'NETWORK'
  readonly details: { readonly [name: string]: unknown }
  /** What the operator finds in the log of the server. */
  readonly requestId: string | undefined

  constructor({
    status,
    code,
    message,
    details = {},
    requestId,
  }: {
    readonly status: number
    readonly code: ErrorCode | 'NETWORK'
    readonly message: string
    readonly details?: { readonly [name: string]: unknown } | undefined
    readonly requestId?: string | undefined
  }) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}

/** Reads an error response; a proxy in between may answer something else than the server. */
export async function readApiError(response: Response): Promise<ApiError> {
  const { status } = response
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined
  const error = body?.error
  if (error === undefined) return new ApiError({ status, code: 'INTERNAL_ERROR', message: `HTTP ${status}`, requestId })
  return new ApiError({ status, code: error.code, message: error.message, details: error.details, requestId: error.request_id })
}

/** An error as a sentence. */
export function getErrorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
