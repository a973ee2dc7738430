import { extractObservables } from '../domain/observables.ts'
import type { Enricher } from '../enrichment/enricher.ts'
import { limits } from '../limits.ts'
import type { Enrich, Enrichment } from '../pipeline/create-alerts.ts'

/** Creates the pipeline's function that enriches matches with known users, hosts and indicators. */
export function createMatchEnricher(enricher: Pick<Enricher, 'enrich'>): Enrich {
  const bounds = { valuesMax: limits.enrichment.subjectValuesMax, lengthMax: limits.enrichment.valueLengthMax }
  return async (tenant, matches) => {
    const known: Enrichment[] = []
    for (const { alert, event } of matches) {
      const observables = extractObservables(event, alert.event, bounds)
      const enrichment = await enricher.enrich(tenant, observables, alert.matchedAt)
      known.push({ enrichment, assetCriticality: enrichment.asset_context.criticality })
    }
    return known
  }
}
