import type { Indicator, IndicatorFacts } from '../../model/enrichment/indicator.ts'
import type { NewIndicator } from '../../state/ports/indicator-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

type IndicatorChange = Partial<Omit<IndicatorFacts, 'type' | 'value' | 'source'>>

/** Indicators: values that point to an attack where they occur. */
export const indicatorKind: EnrichmentKind<Indicator, NewIndicator, IndicatorChange> = {
  name: 'indicator',
  getStore: ({ indicators }) => indicators,
}
