import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { AuditRecorder } from '@tripline/model/audit'
import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import type { AuthenticationDeps } from '../access/authenticate-request.ts'
import type { IdempotencyDeps } from './idempotent-requests.ts'
import { accessLog } from './middleware/access-log.ts'
import { authorize } from './middleware/authorize.ts'
import { compress } from './middleware/compress.ts'
import { cors } from './middleware/cors.ts'
import { conditionalGet } from './middleware/conditional-get.ts'
import { errorHandler, errorResponse } from './middleware/errors.ts'
import { idempotency } from './middleware/idempotency.ts'
import { recordRefusals } from './middleware/record-refusals.ts'
import { requestMetrics } from './middleware/request-metrics.ts'
import type { RequestMonitor } from './middleware/request-metrics.ts'
import { requireCertificate } from './middleware/require-certificate.ts'
import { requestScope } from './middleware/request-scope.ts'
import type { RequestMemoryLimit } from './request-memory-limit.ts'
import { mountPublicApi } from './public/mount-public.ts'
import type { PublicApiDeps } from './public/mount-public.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'
import type { Env, Route } from './route.ts'

/** What requests need of the server: the routes of all areas, and what surrounds them. */
export type HttpDeps = {
  readonly routes: readonly Route[]
  readonly publicApi: PublicApiDeps
  readonly authentication: AuthenticationDeps
  readonly idempotency: IdempotencyDeps
  readonly trail: AuditRecorder
  readonly monitor: RequestMonitor
}

type HttpOptions = {
  readonly io: Runtime
  readonly log: Log
  /** Origins of pages that may use the API besides those that this server serves. */
  readonly allowedOrigins: readonly string[]
  /** Whether the public URL uses TLS. */
  readonly isPublicOverTls: boolean
  /** Whether senders of events must present a client certificate. */
  readonly requiresSenderCertificate?: boolean
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Limits the memory that bodies of requests take; default: a new one. */
  readonly bodies?: RequestMemoryLimit
  /** Serves the pages of the console, before any route. */
  readonly site?: MiddlewareHandler<Env>
}

/** Creates the HTTP application: middleware in order, routes, error handling. */
export function createHttp(deps: HttpDeps, { io, log, allowedOrigins, site, ...options }: HttpOptions): Hono<Env> {
  const { routes, trail, monitor } = deps
  const { requiresSenderCertificate = false, ...scope } = options
  const http = new Hono<Env>()
  http.use(requestScope(io, scope))
  http.use(accessLog(log, io))
  http.use(requestMetrics(monitor, io))
  http.use(recordRefusals(trail))
  http.use(cors(allowedOrigins))
  if (site !== undefined) http.use(site)
  http.use(compress)
  const foreignPaths = routes.filter((route) => route.isForeign === true && route.access !== 'provisioner').map(({ path }) => path)
  if (requiresSenderCertificate) for (const path of ['/ingest/*', ...foreignPaths]) http.use(path, requireCertificate)
  http.onError(errorHandler({ log, clock: io }))
  http.notFound((c) => errorResponse(c, { code: 'NOT_FOUND', message: 'nothing exists at this path' }))
  mount(http, deps, routes)
  mountPublicApi(http, deps.publicApi)
  return http
}

/** Mounts routes behind authorization, and for each path a 405 response to other methods. */
export function mount(http: Hono<Env>, deps: Pick<HttpDeps, 'authentication' | 'idempotency'>, routes: readonly Route[]): void {
  for (const route of routes) {
    const { method, path, isIdempotent = false } = route
    const around = method === 'GET' ? [conditionalGet] : isIdempotent ? [idempotency(deps.idempotency, route)] : []
    http.on(method, path, authorize(deps.authentication, route), ...around, route.handle)
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    refuseOtherMethods(http, path, routes.filter((route) => route.path === path).map(({ method }) => method))
  }
}
