import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { printEtag } from './etag.ts'
import { respond } from './respond.ts'
import type { RequestContext } from './route.ts'

/** Responds with one resource and its version as ETag. */
export function respondWithEtag(c: RequestContext, body: unknown, version: number, status: ContentfulStatusCode = 200): Response {
  c.header('ETag', printEtag(version))
  return respond(c, body, status)
}
