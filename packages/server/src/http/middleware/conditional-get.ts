import type { MiddlewareHandler } from 'hono'
import { matchesEtag } from '../etag.ts'
import type { Env } from '../route.ts'

/** Responds with 304 if `If-None-Match` contains the ETag of a GET response. */
export const conditionalGet: MiddlewareHandler<Env> = async (c, next) => {
  const wanted = c.req.header('if-none-match')
  await next()
  if (wanted === undefined || c.res.status !== 200) return
  const etag = c.res.headers.get('etag')
  if (etag !== null && matchesEtag(wanted, etag)) c.res = new Response(null, { status: 304 })
}
