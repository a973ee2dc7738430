import type { Indicator, IndicatorFacts } from '../../model/enrichment/indicator.ts'
import { indicatorSortFields } from '../../state/ports/indicator-store.ts'
import type { IndicatorQuery, NewIndicator } from '../../state/ports/indicator-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

export { indicatorSortFields }
export type { IndicatorQuery }

type IndicatorChange = Partial<Omit<IndicatorFacts, 'type' | 'value' | 'source'>>

/** Indicators: values that point to an attack where they occur. */
export const indicatorKind: EnrichmentKind<Indicator, NewIndicator, IndicatorChange, IndicatorQuery> = {
  name: 'indicator',
  getStore: ({ indicators }) => indicators,
}
