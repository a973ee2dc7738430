import { errorStatus } from '@tripline/contract/errors'
import type { ErrorCode } from '@tripline/contract/errors'
import type { Route } from '../route.ts'

/**
 * Lists every error code that a route can answer with: its own, and those that come with access, path, query, body and
 * headers. A status for which the route documents a response of its own has no codes.
 */
export function listErrorCodes(route: Route): readonly ErrorCode[] {
  const { access, path, query, list, body, isIdempotent, checksVersion, errors = [] } = route
  const codes = new Set<ErrorCode>(['INTERNAL_ERROR', 'UNAVAILABLE', ...errors])
  const add = (isAdded: boolean, ...more: readonly ErrorCode[]): void => {
    for (const code of isAdded ? more : []) codes.add(code)
  }
  add(access !== 'anyone', 'UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED')
  add(path.includes(':'), 'NOT_FOUND')
  add(query !== undefined, 'INVALID_PARAMETER')
  add(list !== undefined, 'INVALID_QUERY_FIELD', 'INVALID_CURSOR')
  add(body !== undefined, 'INVALID_BODY', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  add(isIdempotent === true, 'INVALID_PARAMETER', 'INVALID_BODY', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'CONFLICT')
  add(checksVersion === true, 'PRECONDITION_FAILED')
  const known = Object.keys(errorStatus) as ErrorCode[]
  return known.filter((code) => codes.has(code) && !Object.hasOwn(route.responses, errorStatus[code]))
}
