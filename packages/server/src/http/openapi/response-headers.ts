import type { Profile } from '@tripline/contract/public/profile'
import type { Route } from '../route.ts'
import { responseHeaders } from './header-table.ts'
import type { ResponseHeader } from './header-table.ts'
import type { Json } from './schemas.ts'

const always = ['X-Request-Id', 'traceparent'] as const
const rate = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** Headers of the responses that are no errors, by name. */
export function buildHeaders(route: Route): Json {
  const { access, profile, headers = [], optionalHeaders = [], isIdempotent } = route
  const isCounted = !['anyone', 'sender', 'collector', 'provisioner', 'scraper'].includes(access)
  const isPublic = profile !== undefined
  return {
    ...referTo([...always, ...(isCounted ? rate : []), ...(isPublic ? (['X-API-Profile'] as const) : []), ...headers]),
    ...listOptional([
      ...optionalHeaders, ...(access === 'sender' || isPublic ? ['X-API-Key-Expires' as const] : []),
      ...(isIdempotent === true ? ['Idempotent-Replayed' as const] : []),
    ]),
  }
}

/** Headers of an error response with a status, whatever the operation. */
export function buildErrorHeaders(status: number, profile?: Profile): Json {
  const retry = status === 429 || status === 503 ? (['Retry-After'] as const) : []
  const end = status === 408 ? (['Connection'] as const) : []
  const scheme = status === 401 ? (['WWW-Authenticate'] as const) : []
  // Every response of the public API has the limits.
  const own = profile === undefined ? [] : [...rate, 'X-API-Profile' as const]
  return {
    ...referTo([...always, ...retry, ...end, ...scheme, ...own]), ...listOptional([...(own.length > 0 ? [] : rate), 'X-API-Key-Expires']),
  }
}

/** The shared definitions, of headers that are always sent where they are listed. */
export function defineHeaders(): Json {
  return Object.fromEntries(Object.entries(responseHeaders).map(([name, header]) => [name, { ...header, required: true }]))
}

function referTo(names: readonly ResponseHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function listOptional(names: readonly ResponseHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, responseHeaders[name]]))
}
