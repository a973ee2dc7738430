import { indicatorFields } from '@tripline/model/enrichment/enrichment-fields'
import type { Indicator } from '@tripline/model/enrichment/indicator'
import { sql } from 'kysely'
import type { SqlList } from './list-page.ts'
import type { IndicatorRow } from '../rows/enrichment-tables.ts'

const columns = {
  created_at: 'createdAt', value: 'value', confidence: 'confidence', reputation_score: 'reputationScore', valid_from: 'validFrom',
  valid_until: 'validUntil', hits: 'hitCount', type: 'type', source: 'source',
} as const satisfies { readonly [field in keyof typeof indicatorFields]: keyof IndicatorRow }

/** The end of an indicator without one, in its row. */
export const endless = Number.MAX_SAFE_INTEGER

export function parseIndicatorRow({ tenantId: _tenant, ...row }: IndicatorRow): Indicator {
  const validUntil = row.validUntil === endless ? undefined : row.validUntil
  return { ...row, validUntil, lastHitAt: row.lastHitAt === 0 ? undefined : row.lastHitAt }
}

/** The indicators of a tenant. */
export const indicatorList: SqlList<IndicatorRow, Indicator> = {
  entries: 'indicators', fields: indicatorFields, columns, texts: ['value', 'source', 'description'],
  from: sql`indicators`, select: sql`*`, tenant: 'tenantId', id: 'id',
  parse: parseIndicatorRow,
}
