import type { MiddlewareHandler } from 'hono'
import { createUuidV7 } from '../../domain/ids.ts'
import { parseNetwork } from '../../domain/network.ts'
import type { Runtime } from '../../runtime.ts'
import { getClientAddress } from '../client-address.ts'
import type { Env } from '../route.ts'
import { continueTrace } from '../trace-parent.ts'

/** Headers of every answer: it is data, for nobody to frame, sniff or keep. */
const headers: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]

/**
 * Gives a request its id, its trace and its start, and an answer the headers that all have. Id and trace of the
 * caller are taken where they have the form of D-86. Headers are set before the handler runs: after it that costs seven
 * times as much. `trustedProxies` are networks of those that are believed when they say where a request came from.
 */
export function requestScope(
  io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>, trustedProxies: readonly string[] = [],
): MiddlewareHandler<Env> {
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
    for (const [name, value] of headers) c.header(name, value)
    c.header('X-Request-Id', requestId)
    c.header('traceparent', header)
    await next()
  }
}
