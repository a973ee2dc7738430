import { parseNetwork } from '@tripline/common/network'
import type { Runtime } from '@tripline/common/runtime'
import { createUuidV7 } from '@tripline/model/ids'
import type { MiddlewareHandler } from 'hono'
import { getClientAddress } from '../client-address.ts'
import { RequestMemoryLimit } from '../request-memory-limit.ts'
import type { Env } from '../route.ts'
import { continueTrace } from '../trace-parent.ts'

/** Security headers of every response: API data must not be framed, sniffed or cached. */
const headers: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]

/** HTTP Strict Transport Security (RFC 6797) for a year: browsers use https alone from then on. */
const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'] as const

type ScopeOptions = {
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Whether users reach the server over https. */
  readonly isPublicOverTls?: boolean
  /** Limits the memory that bodies of requests take; default: a new one. */
  readonly bodies?: RequestMemoryLimit
}

/**
 * Assigns a request id, trace context and start time, and sets common response headers. A client's `X-Request-Id` and
 * `traceparent` are used if well-formed. Headers are set before the handler runs: doing so afterwards is seven times as
 * slow. `trustedProxies` are networks whose `X-Forwarded-For` is trusted.
 */
export function requestScope(
  io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>,
  { trustedProxies = [], isPublicOverTls = false, bodies = new RequestMemoryLimit() }: ScopeOptions = {},
): MiddlewareHandler<Env> {
  const sent = isPublicOverTls ? [...headers, strictTransport] : headers
  const proxies = trustedProxies.map(parseNetwork).filter((network) => network !== undefined)
  return async (c, next) => {
    const given = c.req.header('x-request-id')
    const isUsable = given !== undefined && /^[A-Za-z0-9._-]{8,128}$/.test(given)
    const requestId = isUsable ? given : `req_${createUuidV7(io.now(), io.randomBytes)}`
    const { traceId, header } = continueTrace(c.req.header('traceparent'), requestId, io.randomBytes)
    c.set('requestId', requestId)
    c.set('traceId', traceId)
    c.set('address', getClientAddress(c, proxies))
    c.set('startedMs', io.elapsedMs())
    c.set('bodies', bodies)
    for (const [name, value] of sent) c.header(name, value)
    c.header('X-Request-Id', requestId)
    c.header('traceparent', header)
    await next()
  }
}
