import { extractObservables } from '@tripline/model/enrichment/observables'
import { limits } from '../limits.ts'
import type { AlertEnrichment, Enrich } from '../stages/create-alerts.ts'
import type { Enricher } from './enricher.ts'

/** Creates the pipeline's function that enriches matches with known users, hosts and indicators. */
export function createMatchEnricher(enricher: Pick<Enricher, 'enrich'>): Enrich {
  const bounds = { valuesMax: limits.enrichment.subjectValuesMax, lengthMax: limits.enrichment.valueLengthMax }
  return async (tenant, matches) => {
    const known: AlertEnrichment[] = []
    for (const { alert, event } of matches) {
      const observables = extractObservables(event, alert.event, bounds)
      const enrichment = await enricher.enrich(tenant, observables, alert.matchedAt)
      known.push({ enrichment, assetCriticality: enrichment.asset_context.criticality })
    }
    return known
  }
}
