import type { MiddlewareHandler } from 'hono'
import { lacksPermission, scraperOf, senderOf, userOf } from '../../app/authenticate-request.ts'
import type { Asking, WhoAsksApp } from '../../app/authenticate-request.ts'
import { isAllowed } from '../../domain/permission.ts'
import type { Env, RequestContext, Route } from '../route.ts'
import { setRateHeaders } from './rate-headers.ts'

/** Finds out who asks and lets in who may: everything that a route's row says of it is checked here and nowhere else. */
export function guard(app: WhoAsksApp, route: Route): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set('route', route)
    if (route.access !== 'anyone') c.set('caller', await admit(app, route.access, c))
    await next()
  }
}

async function admit(app: WhoAsksApp, access: Exclude<Route['access'], 'anyone'>, c: RequestContext) {
  const asking: Asking = { ...circumstancesOf(c), authorization: c.req.header('authorization') }
  if (access === 'sender') return await senderOf(app, asking)
  if (access === 'scraper') return await scraperOf(app, asking)
  const { caller, rate } = await userOf(app, asking)
  setRateHeaders(c, rate, app.clock.now())
  if (isAllowed(caller.grants, access)) return caller
  throw lacksPermission(access)
}

/** What a request says of itself beside who asks. */
export function circumstancesOf(c: RequestContext): Omit<Asking, 'authorization'> {
  return { ip: c.get('address'), userAgent: c.req.header('user-agent'), requestId: c.get('requestId') }
}
