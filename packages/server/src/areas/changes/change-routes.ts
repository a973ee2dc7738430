import { changesQuerySchema, changesSchema } from '@tripline/contract/console/audit'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { invalidParameter, readQuery } from '../../http/validate.ts'
import { limits } from '../../limits.ts'
import { listChanges } from './changes.ts'
import type { ChangeDeps } from './changes.ts'

/** Route for what was changed about a tenant, which every role may read. */
export function changeRoutes(deps: ChangeDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/changes', access: 'read', summary: 'Lists what was changed: rules, connectors, settings, and starts',
    query: changesQuerySchema, errors: ['INVALID_PARAMETER'], responses: { 200: changesSchema },
    handle: async (c) => {
      const { query, warnings } = readQuery(c, changesQuerySchema)
      const { to = deps.clock.now() + 1, from = to - limits.changes.rangeDefaultMs } = query
      toRangeFilter(c, 'at', { from, to })
      if (to - from > limits.changes.rangeMaxMs) {
        throw invalidParameter('from', c.req.query('from') ?? '', { reason: 'a range spans at most 90 days' })
      }
      const { changes, isTruncated } = await listChanges(deps, getPrincipal(c).tenant, { from, to })
      return respond(c, {
        changes: changes.map(({ at, kind, action, title, by = null, link = null }) => {
          return { at: formatTimestamp(at), kind, action, title, by, link }
        }),
        from: formatTimestamp(from), to: formatTimestamp(to), truncated: isTruncated, query_warnings: warnings,
      })
    },
  }]
}
