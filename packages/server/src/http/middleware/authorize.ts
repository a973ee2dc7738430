import type { Principal } from '@tripline/model/access/principal'
import type { MiddlewareHandler } from 'hono'
import { authenticateProvisioner } from '../../access/authenticate-provisioner.ts'
import {
  RefusedPrincipalError, authenticateCollector, authenticateScraper, authenticateSender, authenticateUser, checkAccess, countRequest,
} from '../../access/authenticate-request.ts'
import type { RequestCredentials, AuthenticationDeps } from '../../access/authenticate-request.ts'
import { expiresSoon } from '../expires-soon.ts'
import { formatTimestamp } from '../format-timestamp.ts'
import type { Env, RequestContext, Route } from '../route.ts'
import { setRateHeaders } from './rate-headers.ts'

/** Authenticates the request and checks the route's permission: the only place where access is enforced. */
export function authorize(deps: AuthenticationDeps, route: Route): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set('route', route)
    if (route.access !== 'anyone') {
      try {
        c.set('caller', await authenticateRoute(deps, route.access, c))
      } catch (error) {
        // The log and the audit trail name the principal of a refused request.
        if (error instanceof RefusedPrincipalError) c.set('caller', error.caller)
        throw error
      }
    }
    await next()
  }
}

async function authenticateRoute(
  deps: AuthenticationDeps, access: Exclude<Route['access'], 'anyone'>, c: RequestContext,
): Promise<Principal> {
  const asking: RequestCredentials = { ...readRequestInfo(c), authorization: c.req.header('authorization') }
  if (access === 'sender') {
    const sender = await authenticateSender(deps, asking)
    const { keyExpiresAt } = sender
    if (expiresSoon(keyExpiresAt, deps.clock.now())) c.header('X-API-Key-Expires', formatTimestamp(keyExpiresAt) ?? '')
    return sender
  }
  if (access === 'collector') return await authenticateCollector(deps, asking)
  if (access === 'provisioner') {
    const provisioner = await authenticateProvisioner(deps, asking)
    setRateHeaders(c, countRequest(deps, { tenant: provisioner.tenant, user: 'scim' }), deps.clock.now())
    return provisioner
  }
  if (access === 'scraper') return await authenticateScraper(deps, asking)
  const { caller, rate } = await authenticateUser(deps, asking)
  setRateHeaders(c, rate, deps.clock.now())
  checkAccess(caller, access)
  return caller
}

/** The request's address, user agent and id, for authentication and audit. */
export function readRequestInfo(c: RequestContext): Omit<RequestCredentials, 'authorization'> {
  return { ip: c.get('address'), userAgent: c.req.header('user-agent'), requestId: c.get('requestId') }
}
