import type { Indicator, IndicatorFacts } from '../domain/indicator.ts'
import { indicatorSortFields } from '../store/indicator-store.ts'
import type { IndicatorQuery, NewIndicator } from '../store/indicator-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

export { indicatorSortFields }
export type { IndicatorQuery }

type IndicatorChange = Partial<Omit<IndicatorFacts, 'type' | 'value' | 'source'>>

/** Indicators: values that point to an attack where they occur. */
export const indicatorKind: EnrichmentKind<Indicator, NewIndicator, IndicatorChange, IndicatorQuery> = {
  name: 'indicator',
  getStore: ({ indicators }) => indicators,
}
