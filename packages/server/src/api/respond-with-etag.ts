import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { printEtag } from './etag.ts'
import { respond } from './respond.ts'
import type { RequestContext } from './route.ts'

/** Answers with one thing, with its version as validator (D-40). */
export function respondWithEtag(c: RequestContext, body: unknown, version: number, status: ContentfulStatusCode = 200): Response {
  c.header('ETag', printEtag(version))
  return respond(c, body, status)
}
