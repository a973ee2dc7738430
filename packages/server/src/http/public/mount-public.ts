import { profiles } from '@tripline/contract/public/profile'
import type { ByProfile } from '@tripline/contract/public/profile'
import type { Hono, MiddlewareHandler } from 'hono'
import type { IntegrationDeps } from '../../access/authenticate-integration.ts'
import { checkAccess, checkResource } from '../../access/authenticate-request.ts'
import type { IdempotencyDeps } from '../idempotent-requests.ts'
import { conditionalGet } from '../middleware/conditional-get.ts'
import { idempotency } from '../middleware/idempotency.ts'
import { refuseOtherMethods } from '../refuse-other-methods.ts'
import { getPrincipal } from '../route.ts'
import type { Env, RequestContext, Route } from '../route.ts'
import { publicDocsRoutes } from './public-docs.ts'
import { publicBase, toProfileRoute } from './public-handler.ts'
import type { PublicRoute } from './public-route.ts'
import { publicScope } from './public-scope.ts'

/** What the public API needs of the server. */
export type PublicApiDeps = {
  readonly routes: readonly PublicRoute[]
  readonly integration: IntegrationDeps
  readonly idempotency: IdempotencyDeps
}

/**
 * Mounts the public API: every operation in both profiles, chosen by request. Unknown paths and methods answer as everything
 * else here, with the limits and in the profile of the key.
 */
export function mountPublicApi(http: Hono<Env>, { routes, integration, idempotency: idempotencyDeps }: PublicApiDeps): void {
  const docs = publicDocsRoutes(() => routes)
  const scope = publicScope(integration, new Set(docs.map(({ path }) => path.slice(publicBase.length))))
  http.use(publicBase, scope)
  http.use(`${publicBase}/*`, scope)
  for (const route of docs) {
    http.on(route.method, route.path, async (c, next) => { c.set('route', route); await next() }, route.handle)
  }
  for (const operation of routes) {
    const inProfiles: ByProfile<Route> = { a: toProfileRoute(operation, 'a'), b: toProfileRoute(operation, 'b') }
    const around = operation.method === 'GET' ? [conditionalGet] : operation.isIdempotent ? [runOnce(idempotencyDeps, inProfiles)] : []
    http.on(operation.method, inProfiles.a.path, allow(operation, inProfiles), ...around, (c) => pick(c, inProfiles).handle(c))
  }
  const mounted = [...routes.map(({ method, path }) => ({ method, path: `${publicBase}${path}` })), ...docs]
  for (const [path, atPath] of Map.groupBy(mounted, (route) => route.path)) {
    refuseOtherMethods(http, path, atPath.map(({ method }) => method))
  }
}

/** Checks that the key has the permission and the resource of an operation. */
function allow({ permission, resource }: PublicRoute, inProfiles: ByProfile<Route>): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set('route', pick(c, inProfiles))
    const caller = getPrincipal(c)
    const key = c.get('apiKey')
    checkAccess(caller, permission)
    if (key !== undefined) checkResource(caller, key, resource)
    await next()
  }
}

/** A stored response is in the profile of the request that made it, so each profile has keys of its own. */
function runOnce(deps: IdempotencyDeps, inProfiles: ByProfile<Route>): MiddlewareHandler<Env> {
  const byProfile = Object.fromEntries(profiles.map((profile) => {
    const { method, path } = inProfiles[profile]
    return [profile, idempotency(deps, { method, path: `${path} in ${profile}` })] as const
  })) as { readonly [profile in keyof ByProfile<unknown>]: MiddlewareHandler<Env> }
  return (c, next) => byProfile[c.get('profile') ?? 'b'](c, next)
}

function pick(c: RequestContext, inProfiles: ByProfile<Route>): Route {
  return inProfiles[c.get('profile') ?? 'b']
}
