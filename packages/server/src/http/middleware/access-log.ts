import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { Principal } from '@tripline/model/access/principal'
import type { MiddlewareHandler } from 'hono'
import { formatDuration } from '../round.ts'
import type { Env } from '../route.ts'

const pathLengthMax = 256

/**
 * Logs one line per request with tenant, principal and client address, never the query string: it may contain secrets.
 * Credentials that are not valid name no principal.
 */
export function accessLog(log: Log, { elapsedMs }: Pick<Runtime, 'elapsedMs'>): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next()
    const caller = c.get('caller')
    log.info('request', {
      request_id: c.get('requestId'),
      trace_id: c.get('traceId'),
      method: c.req.method,
      path: c.req.path.slice(0, pathLengthMax),
      status: c.res.status,
      tenant: caller?.tenant,
      principal: caller && printActor(caller.actor),
      address: c.get('address'),
      duration_ms: formatDuration(elapsedMs() - c.get('startedMs')),
    })
  }
}

/** A key is not written as `api_key:`, because the log masks what follows that name. */
function printActor({ type, id }: Principal['actor']): string {
  return `${type === 'api_key' ? 'key' : type}:${id}`
}
