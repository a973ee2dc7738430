import {
  indicatorChangeSchema, indicatorListQuerySchema, indicatorListSchema, indicatorSchema,
} from '@tripline/contract/console/indicator'
import type { IndicatorBody } from '@tripline/contract/console/indicator'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { lists } from '../../http/lists/list-definition.ts'
import type { Route } from '../../http/route.ts'
import { parseIndicatorFacts, indicatorRows } from '../../ingestion/imports/indicator-row.ts'
import type { Indicator } from '../../model/enrichment/indicator.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'
import { indicatorKind, indicatorSortFields } from './indicators.ts'

/** Routes for the indicators of a tenant. */
export function indicatorRoutes(app: EnrichmentRouteDeps): Route[] {
  return enrichmentRoutes(app, {
    kind: indicatorKind,
    path: '/v1/indicators',
    names: { many: 'indicators', one: 'an indicator', list: 'indicators' },
    schemas: { entry: indicatorSchema, list: indicatorListSchema, query: indicatorListQuerySchema, change: indicatorChangeSchema },
    sortFields: indicatorSortFields,
    definition: lists.indicators,
    toQuery: ({ type, source, value, valid }, { page, now }) => ({
      filter: { types: type, sources: source, values: value, validity: valid === undefined ? undefined : { at: now, isValid: valid } },
      ...page,
    }),
    print: printIndicator,
    toChange: parseIndicatorFacts,
    rows: indicatorRows,
  })
}

function printIndicator({ id, type, value, source, confidence, description, ...rest }: Indicator): IndicatorBody {
  return {
    id, type, value, source, confidence, reputation_score: rest.reputationScore, description,
    valid_from: formatTimestamp(rest.validFrom), valid_until: formatTimestamp(rest.validUntil),
    hits: rest.hitCount, last_hit_at: formatTimestamp(rest.lastHitAt),
  }
}
