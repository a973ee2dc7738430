import type { MiddlewareHandler } from 'hono'
import { isListedOrigin } from '../allowed-origin.ts'
import type { Env } from '../route.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const requestHeaders = 'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id, traceparent'
const responseHeaders = [
  'ETag', 'Location', 'Retry-After', 'Idempotent-Replayed', 'X-Request-Id', 'traceparent',
  'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset',
].join(', ')

/** How long a browser may remember a preflight response. */
const preflightSeconds = 600

/**
 * Cross-origin resource sharing (Fetch Standard) for the allowed origins, with credentials, because the session is a cookie.
 * Pages of other origins get no such header, so their scripts cannot read a response.
 */
export function cors(allowed: readonly string[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (allowed.length === 0) return await next()
    c.header('Vary', 'Origin', { append: true })
    const origin = c.req.header('origin')
    if (origin === undefined || !isListedOrigin(origin, allowed)) return await next()
    c.header('Access-Control-Allow-Origin', origin)
    c.header('Access-Control-Allow-Credentials', 'true')
    if (c.req.method !== 'OPTIONS' || c.req.header('access-control-request-method') === undefined) {
      c.header('Access-Control-Expose-Headers', responseHeaders)
      return await next()
    }
    c.header('Access-Control-Allow-Methods', methods)
    c.header('Access-Control-Allow-Headers', requestHeaders)
    c.header('Access-Control-Max-Age', String(preflightSeconds))
    return c.body(null, 204)
  }
}
