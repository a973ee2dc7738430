import { Hono } from 'hono'
import type { OnAlertUpdated } from '../app/alerts.ts'
import type { App } from '../app/app.ts'
import type { Log } from '../log.ts'
import type { Runtime } from '../runtime.ts'
import { alertRoutes } from './console/alerts.ts'
import { apiDocsRoutes } from './console/api-docs.ts'
import { apiKeyRoutes } from './console/api-keys.ts'
import { assetRoutes } from './console/assets.ts'
import { auditRoutes } from './console/audit.ts'
import { backtestRoutes } from './console/backtest.ts'
import { connectorRoutes } from './console/connectors.ts'
import { identityRoutes } from './console/identities.ts'
import { indicatorRoutes } from './console/indicators.ts'
import { meRoutes } from './console/me.ts'
import { pipelineRoutes } from './console/pipeline.ts'
import { pushRoutes } from './console/push.ts'
import { ruleChangeRoutes } from './console/rule-changes.ts'
import { ruleMatchRoutes } from './console/rule-matches.ts'
import { ruleRoutes } from './console/rules.ts'
import { searchRoutes } from './console/search.ts'
import { sessionRoutes } from './console/session.ts'
import { settingsRoutes } from './console/settings.ts'
import { tenantRoutes } from './console/tenants.ts'
import { userRoutes } from './console/users.ts'
import { healthRoutes } from './health.ts'
import type { Readiness } from './health.ts'
import { ingestRoutes } from './ingest.ts'
import { limitRoutes } from './limits.ts'
import { accessLog } from './middleware/access-log.ts'
import { authorize } from './middleware/authorize.ts'
import { conditionalGet } from './middleware/conditional-get.ts'
import { errorHandler, errorResponse } from './middleware/errors.ts'
import { idempotency } from './middleware/idempotency.ts'
import { requestScope } from './middleware/request-scope.ts'
import { prometheusRoutes } from './prometheus.ts'
import type { Env, Route } from './route.ts'

export type HttpOptions = {
  readonly app: App
  readonly io: Runtime
  readonly log: Log
  readonly readiness: Readiness
  /** Told when somebody changed an alert. */
  readonly onAlertUpdated?: OnAlertUpdated
  /** Networks of proxies that are believed when they say where a request came from. */
  readonly trustedProxies?: readonly string[]
}

type RouteOptions = Omit<HttpOptions, 'log' | 'trustedProxies'>

/** Every route there is: what is mounted, what the tests of tenants and permissions walk, what the OpenAPI document is made of. */
export function createRoutes({ app, io, readiness, onAlertUpdated = ignoreUpdate }: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes(readiness), ...limitRoutes, ...ingestRoutes(app),
    ...sessionRoutes(app), ...meRoutes(app),
    ...ruleRoutes(app, io), ...ruleMatchRoutes(app, io), ...ruleChangeRoutes(app), ...backtestRoutes(app),
    ...userRoutes(app), ...apiKeyRoutes(app), ...settingsRoutes(app), ...tenantRoutes(app),
    ...connectorRoutes(app), ...alertRoutes(app, io, onAlertUpdated), ...auditRoutes(app, io),
    ...searchRoutes(app, io), ...assetRoutes(app, io), ...identityRoutes(app, io), ...indicatorRoutes(app, io),
    ...pipelineRoutes(app), ...prometheusRoutes(app), ...pushRoutes(app.push),
    ...apiDocsRoutes(() => routes),
  ]
  return routes
}

/** The HTTP face: order of middleware, routes, errors. */
export function createHttp({ log, trustedProxies = [], ...options }: HttpOptions): Hono<Env> {
  const { app, io } = options
  const http = new Hono<Env>()
  http.use(requestScope(io, trustedProxies))
  http.use(accessLog(log, io))
  http.onError(errorHandler({ log, clock: io }))
  http.notFound((c) => errorResponse(c, { code: 'NOT_FOUND', message: 'nothing exists at this path' }))
  mount(http, app, createRoutes(options))
  return http
}

function ignoreUpdate(): void {}

/** Adds routes behind their guards, and for each of their paths an answer to every other method. */
export function mount(http: Hono<Env>, app: App, routes: readonly Route[]): void {
  for (const route of routes) {
    const { method, path, isIdempotent = false } = route
    const around = method === 'GET' ? [conditionalGet] : isIdempotent ? [idempotency(app, route)] : []
    http.on(method, path, authorize(app, route), ...around, route.handle)
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    // Hono answers HEAD with the headers of GET.
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    http.all(path, (c) => {
      c.header('Allow', allowed)
      const message = `${c.req.method.slice(0, 16)} is not allowed for this path; use one of ${allowed}`
      return errorResponse(c, { code: 'METHOD_NOT_ALLOWED', message })
    })
  }
}
