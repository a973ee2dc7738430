import type { Principal } from '@tripline/model/access/principal'
import type { MiddlewareHandler } from 'hono'
import {
  RefusedPrincipalError, authenticateScraper, authenticateSender, authenticateUser, checkAccess,
} from '../../access/authenticate-request.ts'
import type { RequestCredentials, AuthenticationDeps } from '../../access/authenticate-request.ts'
import { expiresSoon } from '../expires-soon.ts'
import { formatTimestamp } from '../format-timestamp.ts'
import type { Env, RequestContext, Route } from '../route.ts'
import { setRateHeaders } from './rate-headers.ts'

/** Authenticates the request and checks the route's permission: the only place where access is enforced. */
export function authorize(app: AuthenticationDeps, route: Route): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set('route', route)
    if (route.access !== 'anyone') {
      try {
        c.set('caller', await authenticateRoute(app, route.access, c))
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
  app: AuthenticationDeps, access: Exclude<Route['access'], 'anyone'>, c: RequestContext,
): Promise<Principal> {
  const asking: RequestCredentials = { ...readRequestInfo(c), authorization: c.req.header('authorization') }
  if (access === 'sender') {
    const sender = await authenticateSender(app, asking)
    const { keyExpiresAt } = sender
    if (expiresSoon(keyExpiresAt, app.clock.now())) c.header('X-API-Key-Expires', formatTimestamp(keyExpiresAt) ?? '')
    return sender
  }
  if (access === 'scraper') return await authenticateScraper(app, asking)
  const { caller, rate } = await authenticateUser(app, asking)
  setRateHeaders(c, rate, app.clock.now())
  checkAccess(caller, access)
  return caller
}

/** The request's address, user agent and id, for authentication and audit. */
export function readRequestInfo(c: RequestContext): Omit<RequestCredentials, 'authorization'> {
  return { ip: c.get('address'), userAgent: c.req.header('user-agent'), requestId: c.get('requestId') }
}
