import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { limits } from '../limits.ts'
import type { Env, Route } from '../route.ts'

const gzipBytes = promisify(gzip)

/** Bodies that are made as a whole before they are sent, and those that are sent while they are made, such as exports. */
const wholeTypes = /^(?:application\/(?:problem\+)?json|text\/(?:html|plain))\b/
const streamedTypes = /^(?:application\/x-ndjson|text\/csv)\b/

/**
 * Compresses responses with gzip (RFC 9110, 8.4.1.3) for clients that accept it. An ETag stays as it is: it is the version that
 * `If-Match` names, and no cache keeps what is sent with `no-store`. Upgrades to WebSockets have no body here.
 */
export const compress: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const route = c.get('route')
  if (route === undefined || !isCompressible(route) || c.req.method === 'HEAD') return
  const { status, body, headers } = c.res
  const type = headers.get('content-type') ?? ''
  // Files may be of any length and are never held as a whole.
  const isStreamed = streamedTypes.test(type) || headers.has('content-disposition')
  if (body === null || status >= 300 || headers.has('content-encoding') || !(isStreamed || wholeTypes.test(type))) return
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (!acceptsGzip(c.req.header('accept-encoding') ?? '')) return
  const { compressedBytesMin, compressionLevel: level } = limits.response
  if (isStreamed) {
    c.header('Content-Encoding', 'gzip')
    c.header('Content-Length', undefined)
    const packed = createGzip({ level })
    // An error breaks the answer off, and a client that leaves ends what makes it; the reader of `packed` gets either.
    pipeline(Readable.fromWeb(c.res.body!), packed, () => {})
    c.res = new Response(Readable.toWeb(packed), c.res)
    return
  }
  const bytes = new Uint8Array(await c.res.arrayBuffer())
  const isSmall = bytes.length < compressedBytesMin
  if (!isSmall) c.header('Content-Encoding', 'gzip')
  c.res = new Response(isSmall ? bytes : await gzipBytes(bytes, { level }), c.res)
}

/**
 * Whether responses of a route are compressed: the length of a compressed body tells how much of a secret in it resembles what a
 * client chose (BREACH, CVE-2013-3587). Reads contain no secret; of the other routes, those that answer with tokens, keys and
 * one-time passwords must not be compressed, so a row has to state that it may be.
 */
function isCompressible({ method, isCompressed = method === 'GET' }: Route): boolean {
  return isCompressed
}

/** Whether `Accept-Encoding` allows gzip, by its name or by `*`, with a weight above 0. */
function acceptsGzip(header: string): boolean {
  const weights = new Map(header.toLowerCase().split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    return [name, weight === undefined ? 1 : Number(weight)]
  }))
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
