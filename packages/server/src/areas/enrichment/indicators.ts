import type { Indicator, IndicatorFacts } from '@tripline/model/enrichment/indicator'
import type { NewIndicator } from '@tripline/state/ports/enrichment/indicator-store'
import type { EnrichmentKind } from './enrichment-records.ts'

type IndicatorChange = Partial<Omit<IndicatorFacts, 'type' | 'value' | 'source'>>

/** Indicators: values that point to an attack where they occur. */
export const indicatorKind: EnrichmentKind<Indicator, NewIndicator, IndicatorChange> = {
  name: 'indicator',
  getStore: ({ indicators }) => indicators,
}
