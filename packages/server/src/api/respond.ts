import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { RequestContext } from './route.ts'

/**
 * Answers with a body, printed by the schema that the route's row has for the status. What a schema does not name
 * does not leave the house: a body that has it is a bug, and answered as one.
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
