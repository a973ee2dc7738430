import { publicSearch, publicSearchResult } from '@tripline/contract/public/search'
import type { PublicSearchResult } from '@tripline/contract/public/search'
import { one, publicRoute } from '../../http/public/public-route.ts'
import type { PublicRoute } from '../../http/public/public-route.ts'
import type { SearchRouteDeps } from './search-routes.ts'
import { searchTenantEvents } from './tenant-search.ts'
import type { TenantSearchPage } from './tenant-search.ts'

/** The search of the public API; each profile published it at a path of its own. */
export function publicSearchRoutes(deps: SearchRouteDeps): PublicRoute[] {
  return ['/search', '/siem/search'].map((path) => publicRoute({
    method: 'POST', path, resource: 'search', permission: 'read', summary: 'Searches events',
    body: publicSearch, response: one(publicSearchResult), optionalHeaders: ['X-Search-Truncated'],
    errors: ['INVALID_QUERY', 'INVALID_CURSOR'],
    async handle({ caller, body, startedMs, signal }) {
      const { query, from, to, size: limit, histogram: hasHistogram, cursor, fields } = body
      const extent = hasHistogram ? 'histogram' : 'total'
      const page = await searchTenantEvents(deps, caller, {
        query, from, to, limit, order: 'newest_first', cursor, fields, extent, counts: 'full', signal,
      })
      return {
        body: toSearchResult(page, deps.clock.elapsedMs() - startedMs),
        headers: page.isTruncated ? { 'X-Search-Truncated': 'true' } : {},
        warnings: page.warnings,
      }
    },
  }))
}

function toSearchResult(page: TenantSearchPage, tookMs: number): PublicSearchResult {
  const { events, total, histogram, nextCursor = null } = page
  return {
    events: events.map(({ id, occurredAt, severity, product, source, sourceIp, host, code = null, message, fields }) => ({
      id, timestamp: occurredAt, source, source_type: product, source_ip: sourceIp, host, event_id: code, severity, message, fields,
    })),
    total,
    total_relation: page.isTotalExact ? 'eq' : 'gte',
    ...(histogram && {
      histogram: histogram.buckets.map(({ startsAt, count, bySeverity }) => ({ time: startsAt, count, breakdown: { ...bySeverity } })),
    }),
    query_time: Math.round(tookMs),
    truncated: page.isTruncated,
    next_cursor: nextCursor,
  }
}
