import {
  indicatorChangeSchema, indicatorListQuerySchema, indicatorListSchema, indicatorSchema,
} from '@tripline/contract/console/enrichment/indicator'
import type { IndicatorBody, IndicatorListQuery } from '@tripline/contract/console/enrichment/indicator'
import { getIndicatorStatus } from '@tripline/model/enrichment/indicator'
import type { Indicator } from '@tripline/model/enrichment/indicator'
import type { Filter } from '@tripline/model/lists/filter'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { parseIndicatorFacts, indicatorRows } from '../../ingestion/imports/indicator-row.ts'
import { openImportFile } from '../../ingestion/imports/open-import-file.ts'
import { listRecords } from './enrichment-records.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'
import { indicatorKind } from './indicators.ts'

const path = '/v1/indicators'

/** Routes for the indicators of a tenant. */
export function indicatorRoutes(deps: EnrichmentRouteDeps): Route[] {
  return enrichmentRoutes(deps, {
    kind: indicatorKind, path, names: { many: 'indicators', one: 'an indicator' }, print: printIndicator,
    schemas: { entry: indicatorSchema, change: indicatorChangeSchema, row: indicatorRows.schema },
    listRoute: listRoute(deps, {
      path, access: 'read', summary: 'Lists indicators', name: 'indicators', isRecorded: true,
      list: lists.indicators, query: indicatorListQuerySchema, response: indicatorListSchema,
      toWhere: (query) => toIndicatorFilters(query, deps.clock.now()),
      readPage: async (c, request) => {
        const { entries, ...page } = await listRecords(deps, indicatorKind, getPrincipal(c).tenant, request)
        const now = deps.clock.now()
        return { ...page, entries: entries.map((indicator) => printIndicator(indicator, now)) }
      },
    }),
    readChange: async (c) => parseIndicatorFacts(await readJson(c, indicatorChangeSchema)),
    openFile: (bytes, format) => openImportFile(bytes, format, indicatorRows),
  })
}

function toIndicatorFilters({ type, source, value, valid }: IndicatorListQuery, now: number): readonly Filter[] {
  const isAny = (field: string, values: readonly string[] | undefined): readonly Filter[] =>
    values === undefined ? [] : [{ field, operator: 'in', value: values }]
  const isValid: Filter = {
    and: [{ field: 'valid_from', operator: 'lte', value: now }, { field: 'valid_until', operator: 'gt', value: now }],
  }
  return [
    ...isAny('type', type), ...isAny('source', source), ...isAny('value', value),
    ...(valid === undefined ? [] : [valid ? isValid : { not: isValid }]),
  ]
}

function printIndicator({ id, type, value, source, confidence, description, ...rest }: Indicator, now: number): IndicatorBody {
  return {
    id, type, value, source, confidence, reputation_score: rest.reputationScore, description,
    valid_from: formatTimestamp(rest.validFrom), valid_until: formatTimestamp(rest.validUntil),
    status: getIndicatorStatus(rest, now), hits: rest.hitCount, last_hit_at: formatTimestamp(rest.lastHitAt),
  }
}
