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
