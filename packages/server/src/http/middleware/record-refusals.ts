import { anonymous } from '@tripline/model/audit'
import type { AuditRecorder } from '@tripline/model/audit'
import { onlyTenant } from '@tripline/model/tenant'
import type { MiddlewareHandler } from 'hono'
import type { Env } from '../route.ts'
import { readRequestInfo } from './authorize.ts'

/**
 * Records refused requests (403) in the audit trail of the principal's tenant, and in that of the first tenant if they were
 * not authenticated.
 */
export function recordRefusals(trail: AuditRecorder): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next()
    const route = c.get('route')
    if (c.res.status !== 403 || route === undefined || route.recordsRefusals === true) return
    // Splunk answers an invalid token with 403, which is not the refusal of a principal.
    if (c.get('errorCode') === 'UNAUTHORIZED') return
    const { tenant, actor } = c.get('caller') ?? { tenant: onlyTenant, actor: anonymous }
    trail.note({
      tenant, actor, action: 'request.refuse', target: { type: 'route', id: `${route.method} ${route.path}` }, outcome: 'refused',
      details: { reason: c.get('refusalReason') ?? 'forbidden' }, circumstances: readRequestInfo(c),
    })
  }
}
