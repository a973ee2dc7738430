import { Hono } from 'hono'
import type { App } from '../app/app.ts'
import type { Io } from '../io.ts'
import type { Log } from '../log.ts'
import { ruleRoutes } from './console/rules.ts'
import { healthRoutes } from './health.ts'
import type { Readiness } from './health.ts'
import { ingestRoutes } from './ingest.ts'
import { limitRoutes } from './limits.ts'
import { accessLog } from './middleware/access-log.ts'
import { errorHandler, errorResponse } from './middleware/errors.ts'
import { requestScope } from './middleware/request-scope.ts'
import { sameMachineOnly } from './middleware/same-machine.ts'
import type { Env, Route } from './route.ts'

export type HttpOptions = {
  readonly app: App
  readonly io: Io
  readonly log: Log
  readonly readiness: Readiness
  /** Whether only requests from and for this machine are served. */
  readonly isSameMachineOnly: boolean
}

/** The HTTP face: order of middleware, routes, errors. */
export function createHttp({ app, io, log, readiness, isSameMachineOnly }: HttpOptions): Hono<Env> {
  const http = new Hono<Env>()
  http.use(requestScope(io))
  http.use(accessLog(log, io))
  if (isSameMachineOnly) http.use(sameMachineOnly())
  http.onError(errorHandler(log))
  http.notFound((c) => errorResponse(c, { code: 'NOT_FOUND', message: 'there is nothing at this path' }))
  mount(http, [...healthRoutes(readiness), ...limitRoutes, ...ingestRoutes(app), ...ruleRoutes(app, io)])
  return http
}

/** Adds routes, and for each of their paths an answer to every other method. */
function mount(http: Hono<Env>, routes: readonly Route[]): void {
  for (const { method, path, handle } of routes) http.on(method, path, handle)
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    // Hono answers HEAD with the headers of GET.
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    http.all(path, (c) => {
      c.header('Allow', allowed)
      const message = `${c.req.method.slice(0, 16)} is not a method of this path; allowed: ${allowed}`
      return errorResponse(c, { code: 'METHOD_NOT_ALLOWED', message })
    })
  }
}
