import { Hono } from 'hono'
import type { OnAlertUpdated } from '../app/alerts.ts'
import type { App } from '../app/app.ts'
import type { Log } from '../runtime/log.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { alertRoutes } from './console/alerts.ts'
import { apiDocsRoutes } from './console/api-docs.ts'
import { apiKeyRoutes } from './console/api-keys.ts'
import { assetRoutes } from './console/assets.ts'
import { auditRoutes } from './console/audit.ts'
import { backtestRoutes } from './console/backtest.ts'
import { connectorRoutes } from './console/connectors.ts'
import { eventRoutes } from './console/events.ts'
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
import { cors } from './middleware/cors.ts'
import { conditionalGet } from './middleware/conditional-get.ts'
import { errorHandler, errorResponse } from './middleware/errors.ts'
import { idempotency } from './middleware/idempotency.ts'
import { recordRefusals } from './middleware/record-refusals.ts'
import { requestMetrics } from './middleware/request-metrics.ts'
import { requestScope } from './middleware/request-scope.ts'
import { prometheusRoutes } from './prometheus.ts'
import type { Env, Route } from './route.ts'

export type HttpOptions = {
  readonly app: App
  readonly io: Runtime
  readonly log: Log
  readonly readiness: Readiness
  /** Called after an alert was changed. */
  readonly onAlertUpdated?: OnAlertUpdated
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
}

type RouteOptions = Omit<HttpOptions, 'log' | 'trustedProxies'>

/** Creates all routes. They are mounted, walked by the tenancy and permission tests, and documented as OpenAPI. */
export function createRoutes({ app, io, readiness, onAlertUpdated = ignoreUpdate }: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes(readiness), ...limitRoutes, ...ingestRoutes(app),
    ...sessionRoutes(app), ...meRoutes(app),
    ...ruleRoutes(app, io), ...ruleMatchRoutes(app, io), ...ruleChangeRoutes(app), ...backtestRoutes(app),
    ...userRoutes(app), ...apiKeyRoutes(app), ...settingsRoutes(app), ...tenantRoutes(app),
    ...connectorRoutes(app), ...alertRoutes(app, io, onAlertUpdated), ...auditRoutes(app, io),
    ...searchRoutes(app, io), ...eventRoutes(app, io), ...assetRoutes(app, io), ...identityRoutes(app, io), ...indicatorRoutes(app, io),
    ...pipelineRoutes(app), ...prometheusRoutes(app), ...pushRoutes(app.push),
    ...apiDocsRoutes(() => routes),
  ]
  return routes
}

/** Creates the HTTP application: middleware in order, routes, error handling. */
export function createHttp({ log, trustedProxies = [], ...options }: HttpOptions): Hono<Env> {
  const { app, io } = options
  const http = new Hono<Env>()
  http.use(requestScope(io, { trustedProxies, isPublicOverTls: app.isPublicOverTls }))
  http.use(accessLog(log, io))
  http.use(requestMetrics(app.metrics, io))
  http.use(recordRefusals(app.trail))
  http.use(cors(app.push.allowedOrigins))
  http.onError(errorHandler({ log, clock: io }))
  http.notFound((c) => errorResponse(c, { code: 'NOT_FOUND', message: 'nothing exists at this path' }))
  mount(http, app, createRoutes(options))
  return http
}

function ignoreUpdate(): void {}

/** Mounts routes behind authorization, and for each path a 405 response to other methods. */
export function mount(http: Hono<Env>, app: App, routes: readonly Route[]): void {
  for (const route of routes) {
    const { method, path, isIdempotent = false } = route
    const around = method === 'GET' ? [conditionalGet] : isIdempotent ? [idempotency(app, route)] : []
    http.on(method, path, authorize(app, route), ...around, route.handle)
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    // Hono serves HEAD with the GET handler.
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    http.all(path, (c) => {
      c.header('Allow', allowed)
      const message = `${c.req.method.slice(0, 16)} is not allowed for this path; use one of ${allowed}`
      return errorResponse(c, { code: 'METHOD_NOT_ALLOWED', message })
    })
  }
}
