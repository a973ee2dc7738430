import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { RequestContext } from './route.ts'

/**
 * Responds with a body serialized by the schema of the route for the status. A body with fields beyond the schema is a bug
 * and answered as an internal error, so nothing undocumented is sent.
 */
export function respond(c: RequestContext, body: unknown, status: ContentfulStatusCode = 200): Response {
  const route = c.get('route')
  const name = `the answer ${status} of ${route?.method ?? c.req.method} ${route?.path ?? c.req.path}`
  const schema = route?.responses[status]
  if (!schema) throw new Error(`${name} has no schema`)
  const printed = schema.safeParse(body)
  if (!printed.success) throw new Error(`${name} does not match its schema: ${printed.error.message}`)
  return c.json(printed.data, status)
}

/** A whole file in memory, and the hash that stands for its version. */
export type ResponseFile = { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array; readonly sha256: string }

/** Responds with a file to save; its ETag is the hash of what it was made of. */
export function respondWithFile(c: RequestContext, { name, mediaType, bytes, sha256 }: ResponseFile): Response {
  c.header('Content-Disposition', `attachment; filename="${name}"`)
  c.header('Content-Type', mediaType)
  c.header('ETag', `"${sha256}"`)
  return c.body(Uint8Array.from(bytes).buffer, 200)
}
