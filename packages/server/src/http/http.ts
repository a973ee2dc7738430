import { Hono } from 'hono'
import type { OnAlertUpdated } from '../areas/alerts/alerts.ts'
import type { App } from '../areas/shared/app.ts'
import type { Log } from '../runtime/log.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { alertRoutes } from '../areas/alerts/alert-routes.ts'
import { apiDocsRoutes } from './api-docs.ts'
import { apiKeyRoutes } from '../areas/api-keys/api-key-routes.ts'
import { assetRoutes } from '../areas/enrichment/asset-routes.ts'
import { auditRoutes } from '../areas/audit/audit-routes.ts'
import { backtestRoutes } from '../areas/rules/backtests/backtest-routes.ts'
import { connectorRoutes } from '../areas/connectors/connector-routes.ts'
import { eventRoutes } from '../areas/search/event-routes.ts'
import { identityRoutes } from '../areas/enrichment/identity-routes.ts'
import { indicatorRoutes } from '../areas/enrichment/indicator-routes.ts'
import { meRoutes } from '../areas/sessions/me-routes.ts'
import { pipelineRoutes } from '../areas/metrics/pipeline-routes.ts'
import { pushRoutes } from '../areas/push/push-routes.ts'
import { ruleChangeRoutes } from '../areas/rules/rule-change-routes.ts'
import { ruleMatchRoutes } from '../areas/rules/rule-match-routes.ts'
import { ruleRoutes } from '../areas/rules/rule-routes.ts'
import { ruleTestRoutes } from '../areas/rules/tests/rule-test-routes.ts'
import { searchRoutes } from '../areas/search/search-routes.ts'
import { sessionRoutes } from '../areas/sessions/session-routes.ts'
import { settingsRoutes } from '../areas/tenants/settings-routes.ts'
import { tenantRoutes } from '../areas/tenants/tenant-routes.ts'
import { userRoutes } from '../areas/users/user-routes.ts'
import { viewRoutes } from '../areas/views/view-routes.ts'
import { healthRoutes } from './health.ts'
import type { Readiness } from './health.ts'
import { ingestRoutes } from '../areas/ingest/ingest-routes.ts'
import { limitRoutes } from '../areas/limits/limit-routes.ts'
import { accessLog } from './middleware/access-log.ts'
import { authorize } from './middleware/authorize.ts'
import { cors } from './middleware/cors.ts'
import { conditionalGet } from './middleware/conditional-get.ts'
import { errorHandler, errorResponse } from './middleware/errors.ts'
import { idempotency } from './middleware/idempotency.ts'
import { recordRefusals } from './middleware/record-refusals.ts'
import { requestMetrics } from './middleware/request-metrics.ts'
import { requestScope } from './middleware/request-scope.ts'
import { prometheusRoutes } from '../areas/metrics/prometheus-routes.ts'
import type { RequestMemoryLimit } from './request-memory-limit.ts'
import type { Env, Route } from './route.ts'

type HttpOptions = {
  readonly app: App
  readonly io: Runtime
  readonly log: Log
  readonly readiness: Readiness
  /** Called after an alert was changed. */
  readonly onAlertUpdated?: OnAlertUpdated
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  readonly bodies?: RequestMemoryLimit
}

type RouteOptions = Omit<HttpOptions, 'bodies' | 'io' | 'log' | 'trustedProxies'>

/** Creates all routes. They are mounted, walked by the tenancy and permission tests, and documented as OpenAPI. */
export function createRoutes({ app, readiness, onAlertUpdated = ignoreUpdate }: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes(readiness), ...limitRoutes, ...ingestRoutes(app),
    ...sessionRoutes(app), ...meRoutes(app),
    ...ruleRoutes(app), ...ruleTestRoutes(app), ...ruleMatchRoutes(app), ...ruleChangeRoutes(app), ...backtestRoutes(app),
    ...userRoutes(app), ...viewRoutes(app), ...apiKeyRoutes(app), ...settingsRoutes(app), ...tenantRoutes(app),
    ...connectorRoutes(app), ...alertRoutes(app, onAlertUpdated), ...auditRoutes(app),
    ...searchRoutes(app), ...eventRoutes(app, app), ...assetRoutes(app), ...identityRoutes(app), ...indicatorRoutes(app),
    ...pipelineRoutes(app), ...prometheusRoutes(app), ...pushRoutes(app.push),
    ...apiDocsRoutes(() => routes),
  ]
  return routes
}

/** Creates the HTTP application: middleware in order, routes, error handling. */
export function createHttp({ log, trustedProxies = [], bodies, io, ...options }: HttpOptions): Hono<Env> {
  const { app } = options
  const http = new Hono<Env>()
  http.use(requestScope(io, { trustedProxies, isPublicOverTls: app.isPublicOverTls, ...(bodies && { bodies }) }))
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
