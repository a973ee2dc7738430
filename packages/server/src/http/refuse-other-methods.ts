import type { Hono } from 'hono'
import { errorResponse } from './middleware/errors.ts'
import type { Env } from './route.ts'

/** Answers 405 to the methods that no route of a path has, and names those that one has. */
export function refuseOtherMethods(http: Hono<Env>, path: string, methods: readonly string[]): void {
  // Hono serves HEAD with the GET handler.
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  http.all(path, (c) => {
    c.header('Allow', allowed)
    const message = `${c.req.method.slice(0, 16)} is not allowed for this path; use one of ${allowed}`
    return errorResponse(c, { code: 'METHOD_NOT_ALLOWED', message })
  })
}
